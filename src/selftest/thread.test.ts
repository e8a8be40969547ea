import { expect, test } from 'vitest';
import { systemClock } from '../time/clock.ts';
import { examine } from './examine.ts';
import { taskOf } from './testing.ts';
import { startWorker } from './thread.ts';

test('a thread examines as this process does, one server after the other', async () => {
  const thread = startWorker(systemClock);
  const tasks = ['LIST-9', 'ORDERS-1'].map((id) => taskOf('dialect', 'oldest-first', { only: [id] }));
  try {
    for (const task of tasks) expect(await thread.examine(task)).toEqual(await examine(task));
  } finally {
    await thread.end();
  }
});

test('a server that is not done in time is broken, and the next one is examined in a new thread', async () => {
  const impatient = { now: () => 0, sleep: () => Promise.resolve() };
  const thread = startWorker(impatient);
  const task = taskOf('dialect', 'oldest-first', { only: ['LIST-9'] });
  for (const _again of [1, 2]) {
    expect(await thread.examine(task)).toMatchObject({
      kind: 'broken',
      message: 'it was not done after 120 s',
    });
  }
  await thread.end();
});
