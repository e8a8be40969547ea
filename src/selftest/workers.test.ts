import { expect, test } from 'vitest';
import { systemClock } from '../time/clock.ts';
import { testServer } from './test-server.ts';
import type { TestedServer } from './tested-server.ts';
import { taskOf } from './testing.ts';
import { testServers } from './workers.ts';

const tasks = ['ORDERS-1', 'LIST-9', 'AUTH-1'].map((id) => taskOf('dialect', 'oldest-first', { only: [id] }));
const { signal } = new AbortController();

test.each([1, 3])('%i jobs: the same results as in this process, in the order of the tasks', async (jobs) => {
  const tested: TestedServer[] = [];
  const onTested = (server: TestedServer) => tested.push(server);
  const servers = await testServers(tasks, { jobs, signal, clock: systemClock, onTested });
  expect(servers).toEqual(await Promise.all(tasks.map(testServer)));
  expect(new Set(tested)).toEqual(new Set(servers));
});

test('a server that is not done in time: broken, and the next one is tested in a new thread', async () => {
  const timesOutAtOnce = { now: () => 0, sleep: () => Promise.resolve() };
  const servers = await testServers(tasks, {
    jobs: 1,
    signal,
    clock: timesOutAtOnce,
    onTested: () => {},
  });
  expect(servers.map(({ broken }) => broken)).toEqual(tasks.map(() => 'it was not done after 120 s'));
});

test('aborted: ends the current test, and starts no other', async () => {
  const controller = new AbortController();
  const tested: TestedServer[] = [];
  const onTested = (server: TestedServer) => {
    tested.push(server);
    controller.abort(new Error('enough'));
  };
  const options = { jobs: 1, signal: controller.signal, clock: systemClock, onTested };
  await expect(testServers(tasks, options)).rejects.toThrow('enough');
  expect(tested).toHaveLength(1);
});
