import { expect, test, vi } from 'vitest';
import { observeAnswer, observeCreation } from './observed.ts';

const observing = (observe: (context: Parameters<typeof observeAnswer>[0]) => void) => {
  const context = { observe: vi.fn(), undecided: vi.fn() };
  observe(context);
  return { observed: context.observe.mock.calls, undecided: context.undecided.mock.calls };
};

test('a status is observed, and of a creation whether it is accepted', () => {
  expect(observing((context) => observeAnswer(context, { status: 404 }, 'LIST-5', 'limit'))).toEqual({
    observed: [['LIST-5', 'limit', '404']],
    undecided: [],
  });
  for (const [status, value] of [
    [201, 'accepted'],
    [400, 'answered with 400'],
  ] as const)
    expect(observing((context) => observeCreation(context, { status }, 'a name')).observed).toEqual([
      ['CREATE-11', 'a name', value],
    ]);
});

test('a failure of the server is nothing that the document leaves open', () => {
  expect(observing((context) => observeCreation(context, { status: 500 }, 'a name'))).toEqual({
    observed: [],
    undecided: [['CREATE-11', 'the server fails: it answers 500']],
  });
});
