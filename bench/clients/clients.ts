import axios from 'axios';
import axiosRetry from 'axios-retry';
import got from 'got';
import ky from 'ky';
import pRetry from 'p-retry';
import { Agent, RetryAgent, request } from 'undici';

/** What a client of the bench works with. */
export interface Access {
  readonly url: string;
  readonly headers: { readonly authorization: string };
}

/** One request with a library, with its retries. */
type Send = (access: Access) => Promise<unknown>;

/** A library in a configuration: its name for the table, and what users write. */
export interface RealClient {
  readonly library: string;
  readonly configuration: string;
  readonly send: Send;
}

const sleep = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

/** Milliseconds that a `Retry-After` asks for, in both forms. */
const readMs = (value: string | null | undefined): number => {
  if (value === null || value === undefined) return 0;
  return /^\d+$/.test(value) ? Number(value) * 1000 : Math.max(0, Date.parse(value) - Date.now());
};

/** The growing part of a wait: 1, 2, 4, 8 s. */
const growing = (attempt: number): number => 1000 * 2 ** (attempt - 1);

/** Waits until X-RateLimit-Reset, if a response leaves no request: CLIENT-7. */
const rest = (remaining: unknown, reset: unknown): Promise<void> =>
  Number(remaining ?? 1) > 0 ? Promise.resolve() : sleep(Math.max(0, Number(reset) * 1000 - Date.now()));

const withUndici =
  (agent: RetryAgent): Send =>
  async ({ url, headers }) => {
    const { body } = await request(url, { headers, dispatcher: agent });
    await body.text();
  };

const restful =
  (agent: RetryAgent): Send =>
  async ({ url, headers }) => {
    const response = await request(url, { headers, dispatcher: agent });
    await response.body.text();
    await rest(response.headers['x-ratelimit-remaining'], response.headers['x-ratelimit-reset']);
  };

const patientAxios = axios.create();
axiosRetry(patientAxios, {
  retries: 6,
  retryCondition: ({ response }) => response?.status === 429,
  retryDelay: (count, { response }) => readMs(response?.headers['retry-after']) + growing(count),
});
patientAxios.interceptors.response.use(async (response) => {
  await rest(response.headers['x-ratelimit-remaining'], response.headers['x-ratelimit-reset']);
  return response;
});
const plainAxios = axios.create();
axiosRetry(plainAxios);

const restAfter = (response: Response): Promise<void> =>
  rest(response.headers.get('x-ratelimit-remaining'), response.headers.get('x-ratelimit-reset'));

const fetched = async ({ url, headers }: Access): Promise<Response> => {
  const response = await fetch(url, { headers });
  await response.text();
  if (response.status === 429) throw new Error('429', { cause: response.headers.get('retry-after') });
  return response;
};

/** Libraries with their defaults, and with the configuration that passes. */
export const realClients: Readonly<Record<string, RealClient>> = {
  'undici-default': {
    library: 'undici RetryAgent',
    configuration: 'defaults',
    send: withUndici(new RetryAgent(new Agent())),
  },
  'undici-best': {
    library: 'undici RetryAgent',
    configuration:
      'a `retry` function that waits Retry-After + 1, 2, 4, … s; waits for Reset if Remaining is 0',
    send: restful(
      new RetryAgent(new Agent(), {
        retry: (error, { state }, done) => {
          const { counter } = state;
          const headers = 'headers' in error ? (error.headers as Record<string, string>) : {};
          if (!('statusCode' in error) || error.statusCode !== 429 || counter > 6) return done(error);
          setTimeout(() => done(null), readMs(headers['retry-after']) + growing(counter));
        },
      }),
    ),
  },
  'got-default': {
    library: 'got',
    configuration: 'defaults',
    send: ({ url, headers }) => got(url, { headers }),
  },
  'got-best': {
    library: 'got',
    configuration:
      '`limit: 6`, and `calculateDelay` that returns `retryAfter` + 1, 2, 4, … s; an `afterResponse` hook that waits for Reset',
    send: ({ url, headers }) =>
      got(url, {
        headers,
        retry: {
          limit: 6,
          calculateDelay: ({ attemptCount, retryAfter, computedValue }) =>
            computedValue === 0 ? 0 : (retryAfter ?? 0) + growing(attemptCount),
        },
        hooks: {
          afterResponse: [
            async (response) => {
              if (response.ok)
                await rest(response.headers['x-ratelimit-remaining'], response.headers['x-ratelimit-reset']);
              return response;
            },
          ],
        },
      }),
  },
  'ky-default': {
    library: 'ky',
    configuration: 'defaults',
    send: ({ url, headers }) => ky(url, { headers }).text(),
  },
  'ky-best': {
    library: 'ky',
    configuration:
      '`limit: 6`, a `beforeRetry` hook that waits 1, 2, 4, … s more, and an `afterResponse` hook that waits for Reset',
    send: ({ url, headers }) =>
      ky(url, {
        headers,
        retry: { limit: 6 },
        timeout: false,
        hooks: {
          beforeRetry: [({ retryCount }) => sleep(growing(retryCount))],
          afterResponse: [({ response }) => (response.ok ? restAfter(response) : undefined)],
        },
      }).text(),
  },
  'axios-default': {
    library: 'axios with axios-retry',
    configuration: 'defaults',
    send: ({ url, headers }) => plainAxios.get(url, { headers }),
  },
  'axios-best': {
    library: 'axios with axios-retry',
    configuration:
      '`retryCondition` 429, and `retryDelay` that returns Retry-After + 1, 2, 4, … s; an interceptor that waits for Reset',
    send: ({ url, headers }) => patientAxios.get(url, { headers }),
  },
  'p-retry-default': {
    library: 'p-retry with fetch',
    configuration: 'defaults',
    send: (access) => pRetry(() => fetched(access)),
  },
  'p-retry-best': {
    library: 'p-retry with fetch',
    configuration:
      '`onFailedAttempt` that waits Retry-After; `randomize: false`; waits for Reset if Remaining is 0',
    send: async (access) => {
      const response = await pRetry(() => fetched(access), {
        retries: 6,
        randomize: false,
        onFailedAttempt: async ({ error }) => sleep(readMs(String(error.cause ?? ''))),
      });
      await restAfter(response);
    },
  },
};

const runClient = async ({ send }: RealClient): Promise<void> => {
  const { ANIMAL_STORE_BASE_URL: base = '', ANIMAL_STORE_API_KEY: key = '' } = process.env;
  const access = { url: `${base}/pets?limit=5`, headers: { authorization: `Bearer ${key}` } };
  for (let left = 6; left > 0; left -= 1) await send(access);
};

if (import.meta.main) {
  const client = realClients[process.argv[2] ?? ''];
  if (client === undefined) throw new Error('usage: clients.ts NAME');
  await runClient(client);
}
