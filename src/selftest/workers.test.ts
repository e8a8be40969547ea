import { expect, test } from 'vitest';
import { systemClock } from '../time/clock.ts';
import type { Examination } from './examination.ts';
import { examine } from './examine.ts';
import { taskOf } from './testing.ts';
import { examineAll } from './workers.ts';

const tasks = ['ORDERS-1', 'LIST-9', 'AUTH-1'].map((id) => taskOf('dialect', 'oldest-first', { only: [id] }));
const { signal } = new AbortController();

test.each([1, 3])('%i jobs: the same results as in this process, in the order of the tasks', async (jobs) => {
  const examined: Examination[] = [];
  const onExamined = (examination: Examination) => examined.push(examination);
  const examinations = await examineAll(tasks, { jobs, signal, clock: systemClock, onExamined });
  expect(examinations).toEqual(await Promise.all(tasks.map(examine)));
  expect(new Set(examined)).toEqual(new Set(examinations));
});

test('a server that is not done in time: broken, and the next one is examined in a new thread', async () => {
  const timesOutAtOnce = { now: () => 0, sleep: () => Promise.resolve() };
  const examinations = await examineAll(tasks, {
    jobs: 1,
    signal,
    clock: timesOutAtOnce,
    onExamined: () => {},
  });
  expect(examinations.map(({ broken }) => broken)).toEqual(tasks.map(() => 'it was not done after 120 s'));
});

test('aborted: ends the current examination, and starts no other', async () => {
  const controller = new AbortController();
  const examined: Examination[] = [];
  const onExamined = (examination: Examination) => {
    examined.push(examination);
    controller.abort(new Error('enough'));
  };
  const options = { jobs: 1, signal: controller.signal, clock: systemClock, onExamined };
  await expect(examineAll(tasks, options)).rejects.toThrow('enough');
  expect(examined).toHaveLength(1);
});
