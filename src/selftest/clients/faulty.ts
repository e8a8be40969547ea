import type { Header } from '../../http/exchange.ts';
import type { ClientTools, TestClient } from './client.ts';
import { type FaultyClient, family, withWork } from './faulty-family.ts';
import { inputFaults } from './faulty-inputs.ts';
import {
  bearer,
  create,
  exponential,
  never,
  retryAfterMs,
  type Style,
  sequential,
  usualWork,
  type Wait,
} from './kit.ts';

const withHeaders = (headers: (tools: ClientTools) => readonly Header[]): TestClient =>
  sequential({ headers });

/** Adds to the path of every request. */
const withQuery =
  (write: (tools: ClientTools) => string): TestClient =>
  async (tools) => {
    const work = usualWork.map((request) => ({
      ...request,
      path: `${request.path}${request.path.includes('?') ? '&' : '?'}${write(tools)}`,
    }));
    await sequential({ work, headers: () => [] })(tools);
  };

const keyFaults = family('CLIENT-1', {
  'no-key': ['Sends no key.', withHeaders(() => [])],
  'basic-scheme': [
    'Sends the key under Basic.',
    withHeaders(({ key }) => [['Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`]]),
  ],
  'token-scheme': [
    'Sends the key under Token.',
    withHeaders(({ key }) => [['Authorization', `Token ${key}`]]),
  ],
  'key-without-scheme': ['Sends only the key.', withHeaders(({ key }) => [['Authorization', key]])],
  'api-key-header': ['Sends the key in X-API-Key.', withHeaders(({ key }) => [['X-API-Key', key]])],
  'key-in-query': ['Sends the key in the query.', withQuery(({ key }) => `api_key=${key}`), ['CLIENT-5']],
  'two-authorizations': [
    'Sends Authorization twice.',
    withHeaders((tools) => [...bearer(tools), ...bearer(tools)]),
  ],
  'quoted-key': ['Puts the key in quotes.', withHeaders(({ key }) => [['Authorization', `Bearer "${key}"`]])],
  'cut-key': ['Cuts the key.', withHeaders(({ key }) => [['Authorization', `Bearer ${key.slice(0, -1)}`]])],
  'no-key-on-retry': [
    'Tries again without the key.',
    sequential({ headers: (tools, tries) => (tries === 1 ? bearer(tools) : []) }),
    ['CLIENT-2'],
  ],
  'no-key-after-401': [
    'Tries again without the key after a 401.',
    sequential({
      retries: (status) => status === 401,
      wait: exponential(200, 2, 3),
      headers: (tools, _tries, last) => (last?.status === 401 ? [] : bearer(tools)),
    }),
  ],
  'no-key-after-a-drop': [
    'Tries again without the key after a dropped connection.',
    sequential({
      retries: (status) => status === null,
      headers: (tools, tries, last) => (tries > 1 && last === null ? [] : bearer(tools)),
    }),
  ],
});

const fixed =
  (ms: number, most = 9): Wait =>
  (_response, tries) =>
    tries >= most ? null : ms;

const after =
  (edit: (ms: number, response: Parameters<Wait>[0]) => number): Wait =>
  (response, tries, tools) =>
    tries >= 9 ? null : edit(retryAfterMs(response, tools) ?? 0, response) + 300 * 2 ** (tries - 1);

const early =
  (edit: (ms: number) => number): Wait =>
  (response, tries, tools) =>
    tries >= 9 ? null : edit(retryAfterMs(response, tools) ?? 0) + 20 * 2 ** (tries - 1);

const isDate = (response: Parameters<Wait>[0]) => !/^\d+$/.test(response.header('retry-after') ?? '0');

/** Workers that do not know of each other. */
const independent =
  (workers: number, style: Style): TestClient =>
  async (tools) => {
    const work = Array.from({ length: 4 }, (_, at) => create({ name: `Rex ${at}`, categoryId: 1 }));
    await Promise.allSettled(
      Array.from({ length: workers }, (_, at) =>
        sequential({
          ...style,
          work: work.map((request) => ({
            ...request,
            path: '/pets',
            body: request.body?.replace('Rex', `Rex ${at}`) ?? '',
          })),
        })(tools),
      ),
    );
  };

const waitFaults = family('CLIENT-2', {
  'immediate-retry': [
    'Tries again at once.',
    sequential({ wait: fixed(0) }),
    ['CLIENT-3', 'CLIENT-4', 'CLIENT-7'],
  ],
  'one-immediate-retry': ['Tries once more, at once.', sequential({ wait: fixed(0, 2) }), ['CLIENT-7']],
  'half-a-second': [
    'Tries again after 500 ms.',
    sequential({ wait: fixed(500) }),
    ['CLIENT-3', 'CLIENT-4', 'CLIENT-7'],
  ],
  milliseconds: [
    'Takes the seconds for milliseconds.',
    sequential({ wait: early((ms) => ms / 1000) }),
    ['CLIENT-3', 'CLIENT-4', 'CLIENT-7'],
  ],
  'half-the-wait': [
    'Waits half of Retry-After.',
    sequential({ wait: early((ms) => ms / 2) }),
    ['CLIENT-3', 'CLIENT-7'],
  ],
  'a-tenth-too-early': [
    'Waits nine tenths of Retry-After.',
    sequential({ wait: early((ms) => ms * 0.9) }),
    ['CLIENT-3', 'CLIENT-7'],
  ],
  'dates-ignored': [
    'Reads Retry-After only as seconds.',
    sequential({
      wait: (response, tries, tools) =>
        tries >= 9 ? null : (isDate(response) ? 0 : (retryAfterMs(response, tools) ?? 0)) + 100 * 2 ** tries,
    }),
  ],
  'own-backoff-only': [
    'Backs off exponentially, and does not read Retry-After.',
    sequential({ wait: (_response, tries) => (tries >= 9 ? null : 100 * 2 ** tries) }),
    ['CLIENT-4', 'CLIENT-7'],
  ],
  'own-cap': [
    'Waits at most 1 s.',
    sequential({
      wait: (response, tries, tools) =>
        tries >= 9 ? null : Math.min(1000, (retryAfterMs(response, tools) ?? 0) + 100 * 2 ** tries),
    }),
    ['CLIENT-3', 'CLIENT-7'],
  ],
  'other-workers-go-on': [
    'Only the worker that got the 429 waits.',
    independent(3, { wait: after((ms) => ms) }),
    ['CLIENT-4', 'CLIENT-7'],
  ],
  'each-connection-waits-alone': [
    'Each connection waits for its own 429s only.',
    async (tools) => {
      const work = [1, 2, 3, 4].map((limit) => ({ method: 'GET', path: `/pets?limit=${limit}` }));
      const workers = work.map(() => sequential({ work: [...work, ...work], reserve: 5 })(tools));
      await Promise.allSettled(workers);
    },
    ['CLIENT-4', 'CLIENT-7'],
  ],
  'posts-do-not-wait': [
    'Does not read Retry-After after a POST.',
    async (tools) => {
      for (const request of usualWork) {
        const wait = request.method === 'POST' ? fixed(500, 3) : exponential(300);
        await sequential({ work: [request], wait })(tools);
      }
    },
  ],
  'next-request-at-once': [
    'Gives up after a 429, and sends the next request at once.',
    async (tools) => {
      for (const request of usualWork)
        await sequential({ work: [request], wait: never })(tools).catch(() => {});
    },
    ['CLIENT-3', 'CLIENT-4', 'CLIENT-7'],
  ],
});

const backoffFaults = family('CLIENT-3', {
  'exactly-retry-after': [
    'Always waits exactly Retry-After.',
    sequential({
      wait: (response, tries, tools) => (tries > 12 ? null : (retryAfterMs(response, tools) ?? 200)),
    }),
  ],
  'constant-second': [
    'Retry-After and one second.',
    sequential({
      wait: (response, tries, tools) => (tries > 12 ? null : (retryAfterMs(response, tools) ?? 0) + 1000),
    }),
  ],
  linear: [
    'Retry-After and 200 ms more each time.',
    sequential({
      wait: (response, tries, tools) =>
        tries > 12 ? null : (retryAfterMs(response, tools) ?? 0) + 200 * tries,
    }),
  ],
  shrinking: [
    'Waits less each time.',
    sequential({
      wait: (response, tries, tools) =>
        tries > 12 ? null : (retryAfterMs(response, tools) ?? 0) + 2000 / tries,
    }),
  ],
  'narrow-jitter': [
    'Retry-After and about one second.',
    sequential({
      wait: (response, tries, tools) =>
        tries > 12 ? null : (retryAfterMs(response, tools) ?? 0) + 800 + 400 * tools.random(),
    }),
  ],
});

const banFaults = family('CLIENT-4', {
  'many-tries': [
    'Tries every 100 ms.',
    sequential({ wait: fixed(100, 60) }),
    ['CLIENT-2', 'CLIENT-3', 'CLIENT-7'],
  ],
  'hot-loop-without-retry-after': [
    'Tries again at once if there is no Retry-After.',
    sequential({
      wait: (response, tries, tools) => {
        const ms = retryAfterMs(response, tools);
        return tries > 30 ? null : ms === null ? 0 : ms + 100 * 2 ** tries;
      },
    }),
  ],
});

const otherFaults = [
  ...family('CLIENT-6', {
    'deprecated-operation': ['Gets an animal by its id.', withWork({ method: 'GET', path: '/pets/1' })],
  }),
  ...family('CLIENT-7', {
    'remaining-ignored': ['Does not read Remaining.', sequential({ wait: exponential(500), reserve: null })],
    'remaining-ignored-without-retry': [
      'Does not read Remaining, and gives up.',
      sequential({ wait: never, reserve: null }),
    ],
  }),
];

/** Clients with one mistake each. */
export const faultyClients: readonly FaultyClient[] = [
  ...keyFaults,
  ...waitFaults,
  ...backoffFaults,
  ...banFaults,
  ...inputFaults,
  ...otherFaults,
];
