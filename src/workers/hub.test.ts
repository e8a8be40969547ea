import { expect, test } from 'vitest';
import { noSettings, nowhere } from '../../test/support/build.ts';
import type { PacedRequest } from '../http/pacing-types.ts';
import { type Clock, systemClock } from '../time/clock.ts';
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

const hubWith = (maxCreates: number, clock: Clock = systemClock) =>
  createHub({
    settings: { ...noSettings, seed: 1, maxCreates, concurrency: 5 },
    target: nowhere(),
    clock,
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

test('requests of two workers that time out together -> one request of all workers at a time, until one times out alone', async () => {
  let now = 0;
  const sleep = (ms: number) => {
    now += ms;
    return Promise.resolve();
  };
  const hub = hubWith(10, { now: () => now, sleep });
  const [one, two] = [workerIn(hub), workerIn(hub)];
  const paced: PacedRequest = {
    ...{ slot: 'anonymous', operation: 'listPets', keyPlace: '', kind: { name: 'GET', safe: true } },
    ...{ isDocumented: true, expects429: false, mayCountElsewhere: false, duringBackoff: false },
  };
  const permitted = async (worker: typeof one): Promise<number> => {
    const permit = await worker.call('next', paced, false);
    if (permit.kind === 'refused') throw new Error('a request is refused');
    return permit.number;
  };
  const timedOut = async (worker: typeof one, number: number) => {
    now += 10_000;
    return (await worker.call('ended', number, null, true)).sendsAlone;
  };
  // Before the first response, the limit is not known, so one request is sent at a time.
  const headers = Object.entries({ limit: '1000', remaining: '999', reset: '60' }).map(
    ([name, value]): [string, string] => [`x-ratelimit-${name}`, value],
  );
  const response = { status: 200, headers };
  const seen = { method: 'GET', query: '', startedAt: 0, durationMs: 1, response };
  await one.call('ended', await permitted(one), seen, false);
  const [first, second] = [await permitted(one), await permitted(two)];
  expect(await timedOut(one, first)).toBe(true);
  expect(await timedOut(two, second)).toBe(true);
  const alone = await permitted(one);
  const later: number[] = [];
  const waiting = permitted(two).then((number) => later.push(number));
  await settled();
  expect(later).toEqual([]);
  expect(await timedOut(one, alone)).toBe(false);
  await waiting;
  expect(await permitted(one)).toBeGreaterThan(later[0] ?? 0);
});
