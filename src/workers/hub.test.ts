import { expect, test } from 'vitest';
import { noSettings, nowhere } from '../../test/support/build.ts';
import { systemClock } from '../time/clock.ts';
import { createChannel, type Port } from './channel.ts';
import { createHub } from './hub.ts';
import type { HubCalls, WorkerCalls } from './protocol.ts';

type Listener = Parameters<Port['onMessage']>[0];

/** Two ends of a connection in this process. */
const connected = (): readonly [Port, Port] => {
  const listeners: [Listener[], Listener[]] = [[], []];
  const end = (own: 0 | 1): Port => ({
    send: (message) =>
      queueMicrotask(() => listeners[own === 0 ? 1 : 0].forEach((listen) => void listen(message))),
    onMessage: (listener) => listeners[own].push(listener),
  });
  return [end(0), end(1)];
};

const hubWith = (maxCreates: number) =>
  createHub({
    settings: { ...noSettings, seed: 1, maxCreates, concurrency: 5 },
    target: nowhere(),
    clock: systemClock,
    signal: new AbortController().signal,
    watch: () => undefined,
  });

/** A worker that does nothing by itself. `leave` ends its process. */
const workerIn = (hub: ReturnType<typeof createHub>) => {
  const [here, there] = connected();
  const worker = createChannel<HubCalls>(there);
  const stopped: boolean[] = [];
  worker.serve({ stop: () => void stopped.push(true), goOn: () => void stopped.pop() });
  const process = Promise.withResolvers<void>();
  hub.join(createChannel<WorkerCalls>(here), process.promise, () => undefined);
  return { ...worker, isStopped: () => stopped.length > 0, leave: () => process.resolve() };
};

/** Lets messages arrive. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('two checks of one worker that stop the others -> one after the other', async () => {
  const hub = hubWith(10);
  const [one, two] = [workerIn(hub), workerIn(hub)];
  const turns = [one.call('stopOthers'), one.call('stopOthers')];
  await turns[0];
  expect(two.isStopped()).toBe(true);
  one.tell('letOthersGoOn');
  await turns[1];
  expect(two.isStopped()).toBe(true);
  one.tell('letOthersGoOn');
  await settled();
  expect(two.isStopped()).toBe(false);
});

test('a worker that ends during a turn, and before another -> the others go on', async () => {
  const hub = hubWith(10);
  const [one, two] = [workerIn(hub), workerIn(hub)];
  await Promise.race([one.call('stopOthers'), one.call('stopOthers')]);
  one.leave();
  await two.call('stopOthers');
  expect(two.isStopped()).toBe(false);
});

test('a worker whose last message comes after its end -> the others go on', async () => {
  const hub = hubWith(10);
  const [one, two] = [workerIn(hub), workerIn(hub)];
  one.leave();
  await settled();
  void one.call('stopOthers');
  await settled();
  await two.call('stopOthers');
  expect(two.isStopped()).toBe(false);
});

test('a worker that ends while it waits for a creation -> leaves it to the others', async () => {
  const hub = hubWith(1);
  const [one, two] = [workerIn(hub), workerIn(hub)];
  const reserve = (worker: typeof one) => worker.call('reserve', null, 'late', undefined);
  const reserved = await reserve(one);
  void reserve(two);
  await settled();
  two.leave();
  await settled();
  if (!reserved.granted) throw new Error('the first creation is refused');
  one.tell('release', reserved.number, false, 0);
  expect(await reserve(one)).toMatchObject({ granted: true });
});
