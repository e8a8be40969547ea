import { describe, expect, test } from 'vitest';
import { examine } from './examine.ts';
import { taskOf } from './testing.ts';

const verdictsOn = async (task: ReturnType<typeof taskOf>) => {
  const examination = await examine(task);
  expect(examination.broken).toBe(null);
  const verdicts = new Map(examination.findings.map(({ id, verdict }) => [id, verdict]));
  return { ...examination, verdicts };
};

test('a faulty server fails by its requirement, and the same task gives the same examination', async () => {
  const task = taskOf('fault', 'category-through-a-double', { seed: 3 });
  const first = await verdictsOn(task);
  expect(first).toMatchObject({ exit: 1, verdict: 'nonconformant' });
  expect(first.verdicts.get('CREATE-9')).toBe('failed');
  expect(await verdictsOn(task)).toEqual(first);
});

test('a requirement judged alone is the only one that is', async () => {
  const { verdicts } = await verdictsOn(taskOf('dialect', 'oldest-first', { only: ['LIST-9'] }));
  expect(verdicts.get('LIST-9')).toBe('passed');
  expect(verdicts.get('AUTH-1')).toBe('skipped');
});

test('that a refusal stores nothing shows by status where the whole list is longer than a page', async () => {
  const { verdicts } = await verdictsOn(taskOf('dialect', 'store-beyond-a-page', { only: ['CREATE-8'] }));
  expect(verdicts.get('CREATE-8')).toBe('passed');
});

test('a budget is kept', async () => {
  const { requests } = await verdictsOn(taskOf('dialect', 'oldest-first', { budget: 60 }));
  expect(requests).toBe(60);
});

test('a run on a budget ends once the requirement that it is to fail has failed', async () => {
  const { requests, verdicts } = await verdictsOn(taskOf('fault', 'limit-ignored', { budget: 5_000 }));
  expect(verdicts.get('LIST-3')).toBe('failed');
  expect(requests).toBeLessThan(300);
});

describe('where it is not to be thorough', () => {
  const instantClock = { thorough: false };

  test('a fault is caught by all cases that speak for its requirement, and a part of the others', async () => {
    const { verdicts, requests } = await verdictsOn(
      taskOf('fault', 'category-through-a-double', instantClock),
    );
    expect(verdicts.get('CREATE-9')).toBe('failed');
    expect(verdicts.get('AUTH-1')).toBe('passed');
    expect(requests).toBeLessThan(600);
  });

  test('one that shows in another case only is given all of them', async () => {
    const task = taskOf('fault', 'name-beyond-65535-crashes', { ...instantClock, seed: 1 });
    expect(await examine(task)).toEqual({
      ...(await examine({ ...task, thorough: true })),
      task,
    });
  });

  test('a server that keeps to the document is given all of them', async () => {
    const task = taskOf('combination', 'oldest-first + ids-random');
    const { requests } = await verdictsOn(task);
    expect(await verdictsOn({ ...task, ...instantClock })).toMatchObject({ requests });
  });
});

test('a base address without the version is refused as run refuses it, before anything is sent', async () => {
  const { exit, verdicts, requests } = await verdictsOn(taskOf('fault', 'base-without-version'));
  expect({ exit, requests }).toEqual({ exit: 2, requests: 0 });
  expect([...verdicts].filter(([, verdict]) => verdict !== 'skipped')).toEqual([['VER-1', 'failed']]);
});

test('what there is not is told, and does not throw', async () => {
  expect(await examine(taskOf('fault', 'no-such-fault'))).toMatchObject({
    exit: null,
    broken: expect.stringContaining('There is no fault no-such-fault.'),
  });
});
