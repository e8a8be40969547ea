import { expect, test } from 'vitest';
import { systemClock } from '../time/clock.ts';
import type { Examination } from './examination.ts';
import { examine } from './examine.ts';
import { taskOf } from './testing.ts';
import { examineAll } from './workers.ts';

const tasks = ['ORDERS-1', 'LIST-9', 'AUTH-1'].map((id) => taskOf('dialect', 'oldest-first', { only: [id] }));
const { signal } = new AbortController();

test.each([1, 3])('%i jobs: what this process finds, in the order of the tasks', async (jobs) => {
  const told: Examination[] = [];
  const onExamined = (examination: Examination) => told.push(examination);
  const examinations = await examineAll(tasks, { jobs, signal, clock: systemClock, onExamined });
  expect(examinations).toEqual(await Promise.all(tasks.map(examine)));
  expect(new Set(told)).toEqual(new Set(examinations));
});

test('a server that is not done in time: broken, and the next one is examined in a new thread', async () => {
  const impatient = { now: () => 0, sleep: () => Promise.resolve() };
  const examinations = await examineAll(tasks, { jobs: 1, signal, clock: impatient, onExamined: () => {} });
  expect(examinations.map(({ broken }) => broken)).toEqual(tasks.map(() => 'it was not done after 120 s'));
});

test('an abort ends what is being examined, and nothing more is', async () => {
  const controller = new AbortController();
  const told: Examination[] = [];
  const onExamined = (examination: Examination) => {
    told.push(examination);
    controller.abort(new Error('enough'));
  };
  const options = { jobs: 1, signal: controller.signal, clock: systemClock, onExamined };
  await expect(examineAll(tasks, options)).rejects.toThrow('enough');
  expect(told).toHaveLength(1);
});
