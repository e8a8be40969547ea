import { describe, expect, test } from 'vitest';
import { testServer } from './test-server.ts';
import { taskOf } from './testing.ts';

const verdictsOn = async (task: ReturnType<typeof taskOf>) => {
  const server = await testServer(task);
  expect(server.broken).toBe(null);
  const verdicts = new Map(server.findings.map(({ id, verdict }) => [id, verdict]));
  return { ...server, verdicts };
};

test('a store larger than a page -> lists by status show that a rejected creation stored nothing', async () => {
  const { verdicts } = await verdictsOn(taskOf('dialect', 'store-beyond-a-page', { only: ['CREATE-8'] }));
  expect(verdicts.get('CREATE-8')).toBe('passed');
});

test('budget -> sends that many requests', async () => {
  const { requests } = await verdictsOn(taskOf('dialect', 'oldest-first', { budget: 60 }));
  expect(requests).toBe(60);
});

test('budget -> the run ends once the requirement of the fault has failed', async () => {
  const { requests, verdicts } = await verdictsOn(taskOf('fault', 'limit-ignored', { budget: 5_000 }));
  expect(verdicts.get('LIST-3')).toBe('failed');
  expect(requests).toBeLessThan(300);
});

describe('not thorough', () => {
  const partly = { thorough: false };

  test('a fault -> all cases that give evidence on its requirement, and a part of the others', async () => {
    const { verdicts, requests } = await verdictsOn(taskOf('fault', 'category-through-a-double', partly));
    expect(verdicts.get('CREATE-9')).toBe('failed');
    expect(verdicts.get('AUTH-1')).toBe('passed');
    expect(requests).toBeLessThan(600);
  });

  test('a fault that only another case shows -> all cases', async () => {
    const task = taskOf('fault', 'name-beyond-65535-crashes', { ...partly, seed: 1 });
    expect(await testServer(task)).toEqual({
      ...(await testServer({ ...task, thorough: true })),
      task,
    });
  });

  test('a conforming server -> all cases', async () => {
    const task = taskOf('combination', 'oldest-first + ids-random');
    const { requests } = await verdictsOn(task);
    expect(await verdictsOn({ ...task, ...partly })).toMatchObject({ requests });
  });
});

test('a base URL without the version -> rejected as by run, before anything is sent', async () => {
  const { exit, verdicts, requests } = await verdictsOn(taskOf('fault', 'base-without-version'));
  expect({ exit, requests }).toEqual({ exit: 2, requests: 0 });
  expect([...verdicts].filter(([, verdict]) => verdict !== 'skipped')).toEqual([['VER-1', 'failed']]);
});

test('an unknown fault -> reported, without an exception', async () => {
  expect(await testServer(taskOf('fault', 'no-such-fault'))).toMatchObject({
    exit: null,
    broken: expect.stringContaining('There is no fault no-such-fault.'),
  });
});
