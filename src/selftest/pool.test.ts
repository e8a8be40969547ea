import { expect, test } from 'vitest';
import type { Examination } from './examination.ts';
import { type Examiner, examineAll } from './pool.ts';
import type { Task } from './task.ts';

const tasks = ['a', 'b', 'c', 'd', 'e'].map(
  (name): Task => ({ kind: 'fault', names: [name], seed: 1, only: [], budget: null, thorough: true }),
);
const examined = (task: Task): Examination => ({ kind: 'broken', task, message: '' });
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

interface Opened {
  readonly opened: { readonly tasks: string[]; ended: boolean }[];
  open(): Examiner;
}

/** Examiners, of which the first takes `slowness` turns for each task. */
const examiners = (slowness: number): Opened => {
  const opened: Opened['opened'] = [];
  const open = (): Examiner => {
    const own = { tasks: [] as string[], ended: false };
    const turnsEach = opened.length === 0 ? slowness : 1;
    opened.push(own);
    return {
      examine: async (task) => {
        own.tasks.push(task.names.join());
        await turns(turnsEach);
        return examined(task);
      },
      end: async () => {
        own.ended = true;
      },
    };
  };
  return { opened, open };
};
const { signal } = new AbortController();
const names = (examinations: readonly Examination[]) => examinations.map(({ task }) => task.names.join());

test.each([1, 2, 3, 16])('results come in the order of the tasks with %i jobs', async (jobs) => {
  const { open, opened } = examiners(7);
  const examinations = await examineAll(tasks, { jobs, signal, open, onExamined: () => {} });
  expect(names(examinations)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(opened.length).toBe(Math.min(jobs, 5));
  expect(opened.every(({ ended }) => ended)).toBe(true);
});

test('whoever is free takes the next task, and tells it at once', async () => {
  const { open, opened } = examiners(100);
  const told: string[] = [];
  await examineAll(tasks, { jobs: 2, signal, open, onExamined: ({ task }) => told.push(task.names.join()) });
  expect(opened.map((one) => one.tasks)).toEqual([['a'], ['b', 'c', 'd', 'e']]);
  expect(told).toEqual(['b', 'c', 'd', 'e', 'a']);
});

test('an abort ends the examiners, and nothing more is examined', async () => {
  const controller = new AbortController();
  const { open, opened } = examiners(1);
  const onExamined = () => controller.abort(new Error('enough'));
  await expect(examineAll(tasks, { jobs: 1, signal: controller.signal, open, onExamined })).rejects.toThrow(
    'enough',
  );
  expect(opened).toEqual([{ tasks: ['a'], ended: true }]);
});

test('without tasks nothing is opened', async () => {
  const { open, opened } = examiners(1);
  expect(await examineAll([], { jobs: 2, signal, open, onExamined: () => {} })).toEqual([]);
  expect(opened).toEqual([]);
});
