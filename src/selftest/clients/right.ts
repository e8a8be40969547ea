import type { ClientRequest, ClientResponse, ClientTools, TestClient } from './client.ts';
import {
  bearer,
  create,
  exponential,
  list,
  never,
  retryAfterMs,
  sendIn,
  sequential,
  usualWork,
  type Wait,
} from './kit.ts';

const jittered =
  (base: number, jitter: (wait: number, random: () => number) => number): Wait =>
  (response, tries, tools) =>
    tries > 9 ? null : (retryAfterMs(response, tools) ?? 0) + jitter(base * 2 ** (tries - 1), tools.random);

/** Several workers share a gate: after a 429, nobody sends until it opens. `delayMs`: a request may be on its way for so long. */
const behindGate =
  (workers: number, work: readonly ClientRequest[] = usualWork, delayMs = 0): TestClient =>
  async (tools) => {
    const queue = [...work];
    let opensAt = 0;
    let tries = 0;
    const wait = async () => {
      while (tools.clock.now() < opensAt) await tools.clock.sleep(opensAt - tools.clock.now());
    };
    const send = async (request: ClientRequest, connection: object): Promise<void> => {
      for (;;) {
        await wait();
        if (delayMs > 0) await tools.clock.sleep(delayMs * tools.random());
        const response = await tools.send(
          { ...request, headers: [...bearer(tools), ...(request.headers ?? [])] },
          connection,
        );
        if (response.status !== 429) {
          tries = 0;
          if (response.status === 401) throw new Error('unauthorized');
          if (Number(response.header('x-ratelimit-remaining')) < workers)
            opensAt = Math.max(opensAt, Number(response.header('x-ratelimit-reset')) * 1000 + 5);
          return;
        }
        tries += 1;
        if (tries > 40) throw new Error('gave up');
        const ms = (retryAfterMs(response, tools) ?? 0) + 250 * 2 ** Math.min(6, tries);
        opensAt = Math.max(opensAt, tools.clock.now() + ms);
      }
    };
    const worker = async () => {
      const connection = {};
      for (let request = queue.shift(); request !== undefined; request = queue.shift())
        await send(request, connection);
    };
    await Promise.all(Array.from({ length: workers }, worker));
  };

/** Never ends: a service that polls. */
const polling =
  (everyMs: number): TestClient =>
  async (tools) => {
    const send = sendIn({ wait: exponential(1000, 2, 20), retries: (status) => status === null }, tools);
    for (;;) {
      await send(list, {});
      await tools.clock.sleep(everyMs);
    }
  };

const pacedByRemaining: TestClient = async (tools) => {
  const send = sendIn({ wait: exponential(300) }, tools);
  for (const request of usualWork) {
    const response: ClientResponse = await send(request, {});
    const remaining = Number(response.header('x-ratelimit-remaining'));
    const reset = Number(response.header('x-ratelimit-reset')) * 1000;
    if (remaining < 10) await tools.clock.sleep(Math.max(0, reset - tools.clock.now()) / (remaining + 1) + 5);
  }
};

/** At most one request in 400 ms. */
const tokenBucket: TestClient = async (tools) => {
  const send = sendIn({ wait: exponential(400) }, tools);
  for (const request of usualWork) {
    await send(request, {});
    await tools.clock.sleep(400);
  }
};

/** A random wait up to three times the last one. */
const decorrelated = (): Wait => {
  let last = 100;
  return (response, tries, tools) => {
    last = 100 + tools.random() * (3 * (tries === 1 ? 100 : last) - 100);
    return tries > 9 ? null : (retryAfterMs(response, tools) ?? 0) + last;
  };
};

const lowerCase = (tools: ClientTools) => [['authorization', `bearer  ${tools.key}`]] as const;

const own = (name: string): ClientRequest => create({ name, categoryId: 9007199254740993n.toString() });
const large: ClientRequest = create('{"name":"Bo","categoryId":9007199254740993}');

/** Conforming clients of different styles, by name: none may be accused. */
export const rightClients: Readonly<Record<string, readonly [description: string, client: TestClient]>> = {
  'no-retry': ['Gives up after any error.', sequential({ wait: never })],
  'one-retry': ['Tries once more, after Retry-After.', sequential({ wait: exponential(0, 2, 2) })],
  'three-retries': [
    'Tries three times more, after exactly Retry-After.',
    sequential({ wait: exponential(0, 2, 4) }),
  ],
  'doubling-from-1-s': ['Retry-After and 1, 2, 4, 8 s.', sequential({ wait: exponential(1000), reserve: 0 })],
  'doubling-from-100-ms': [
    'Retry-After and 100, 200, 400 ms.',
    sequential({ wait: exponential(100), reserve: 0 }),
  ],
  'by-one-and-a-half': [
    'Retry-After and 400 ms, times 1.5.',
    sequential({ wait: exponential(400, 1.5, 10), reserve: 1 }),
  ],
  tripling: ['Retry-After and 200 ms, times 3.', sequential({ wait: exponential(200, 3) })],
  'full-jitter': [
    'A random wait up to 2^n s.',
    sequential({ wait: jittered(1000, (wait, random) => wait * random()) }),
  ],
  'equal-jitter': [
    'Half of the wait is random.',
    sequential({ wait: jittered(500, (wait, random) => wait * (0.5 + random() / 2)) }),
  ],
  'a-tenth-of-jitter': [
    'Waits vary by a tenth.',
    sequential({ wait: jittered(300, (wait, random) => wait * (0.95 + random() / 10)) }),
  ],
  'jitter-above-a-floor': [
    'A random wait up to 2^n times 400 ms, and 100 ms.',
    sequential({ wait: jittered(400, (wait, random) => 100 + wait * random()) }),
  ],
  'decorrelated-jitter': [
    'A random wait up to three times the last one.',
    (tools) => sequential({ wait: decorrelated() })(tools),
  ],
  'thirty-ms-early': [
    'Its timer is 30 ms too fast.',
    sequential({
      wait: (response, tries, tools) =>
        tries > 7 ? null : (retryAfterMs(response, tools) ?? 0) + (tries === 1 ? -30 : 100 * 2 ** tries),
    }),
  ],
  'token-bucket': ['Sends one request in 400 ms.', tokenBucket],
  'other-spellings': [
    'Percent-encodes letters, and writes limit=05.',
    sequential({
      work: ['/%70ets?limit=05', '/pets?limit=%31%30&status=%61vailable', '/pets?'].map((path) => ({
        method: 'GET',
        path,
      })),
    }),
  ],
  'longer-of-both': [
    'The longer of Retry-After and 2^n s.',
    sequential({
      wait: (response, tries, tools) =>
        tries > 7 ? null : Math.max(retryAfterMs(response, tools) ?? 0, 500 * 2 ** tries),
    }),
  ],
  'capped-at-4-s': [
    'Waits double up to 4 s.',
    sequential({
      wait: (response, tries, tools) =>
        tries > 8 ? null : (retryAfterMs(response, tools) ?? 0) + Math.min(4000, 250 * 2 ** tries),
    }),
  ],
  'a-connection-each': [
    'A new connection for each request.',
    sequential({ connection: () => ({}), reserve: 0 }),
  ],
  'lower-case-scheme': [
    'Writes "bearer" in lower case, with two spaces.',
    sequential({ headers: lowerCase }),
  ],
  'four-workers': ['Four workers behind one gate.', behindGate(4)],
  'four-workers-on-a-busy-machine': [
    'Four workers behind one gate, whose requests are slow to arrive.',
    behindGate(4, [...usualWork, ...usualWork], 250),
  ],
  'twenty-workers': [
    'Twenty workers behind one gate.',
    behindGate(
      20,
      Array.from({ length: 40 }, (_, at) => own(`Rex ${at}`)).map((request, at) => ({
        ...request,
        body: `{"name":"Rex ${at}","categoryId":1}`,
      })),
    ),
  ],
  'polls-every-second': ['Polls the list every second, and never ends.', polling(1000)],
  'polls-fast': ['Polls the list every 100 ms, and never ends.', polling(100)],
  'paced-by-remaining': ['Spreads its requests over the window.', pacedByRemaining],
  'large-category': ['Sends a category beyond 2^53.', sequential({ work: [large, list, large] })],
  'retries-dropped-connections': [
    'Tries again after dropped connections.',
    sequential({ retries: (status) => status === null }),
  ],
};
