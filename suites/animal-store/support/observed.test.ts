import { expect, test, vi } from 'vitest';
import { observeCreation, observeResponse } from './observed.ts';

const observing = (observe: (context: Parameters<typeof observeResponse>[0]) => void) => {
  const context = { observe: vi.fn(), inconclusive: vi.fn() };
  observe(context);
  return { observed: context.observe.mock.calls, inconclusive: context.inconclusive.mock.calls };
};

test('a response -> its status is recorded, or that a creation is accepted', () => {
  expect(observing((context) => observeResponse(context, { status: 404 }, 'LIST-5', 'limit'))).toEqual({
    observed: [['limit', '404', 'LIST-5']],
    inconclusive: [],
  });
  for (const [status, value] of [
    [201, 'accepted'],
    [400, '400'],
  ] as const)
    expect(observing((context) => observeCreation(context, { status }, 'a name')).observed).toEqual([
      ['a name', value, 'CREATE-11'],
    ]);
});

test('a server error -> inconclusive, not recorded', () => {
  expect(observing((context) => observeCreation(context, { status: 500 }, 'a name'))).toEqual({
    observed: [],
    inconclusive: [[{ code: 'server-error', detail: 'status', status: 500 }, 'CREATE-11']],
  });
});
