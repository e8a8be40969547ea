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

const withUndici =
  (agent: RetryAgent): Send =>
  async ({ url, headers }) => {
    const { body } = await request(url, { headers, dispatcher: agent });
    await body.text();
  };

const patientAxios = axios.create();
axiosRetry(patientAxios, {
  retries: 6,
  retryCondition: ({ response }) => response?.status === 429,
  retryDelay: (count, { response }) => readMs(response?.headers['retry-after']) + growing(count),
});
const plainAxios = axios.create();
axiosRetry(plainAxios);

const fetched = async ({ url, headers }: Access): Promise<void> => {
  const response = await fetch(url, { headers });
  if (response.status !== 429) return;
  const error = new Error('429', { cause: response.headers.get('retry-after') });
  await response.text();
  throw error;
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
    configuration: 'a `retry` function that waits Retry-After + 1, 2, 4, … s',
    send: withUndici(
      new RetryAgent(new Agent(), {
        retry: (error, { state }, done) => {
          const { counter } = state;
          const headers = 'headers' in error ? (error.headers as Record<string, string>) : {};
          if (!('statusCode' in error) || error.statusCode !== 429 || counter > 6) return done(error);
          setTimeout(() => done(null), readMs(headers['retry-after']) + growing(counter + 1));
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
    configuration: '`limit: 6`, and `calculateDelay` that returns `retryAfter` + 1, 2, 4, … s',
    send: ({ url, headers }) =>
      got(url, {
        headers,
        retry: {
          limit: 6,
          calculateDelay: ({ attemptCount, retryAfter, computedValue }) =>
            computedValue === 0 ? 0 : (retryAfter ?? 0) + growing(attemptCount),
        },
      }),
  },
  'ky-default': {
    library: 'ky',
    configuration: 'defaults',
    send: ({ url, headers }) => ky(url, { headers }).text(),
  },
  'ky-six': {
    library: 'ky',
    configuration: '`limit: 6`',
    send: ({ url, headers }) => ky(url, { headers, retry: { limit: 6 } }).text(),
  },
  'axios-default': {
    library: 'axios with axios-retry',
    configuration: 'defaults',
    send: ({ url, headers }) => plainAxios.get(url, { headers }),
  },
  'axios-best': {
    library: 'axios with axios-retry',
    configuration: '`retryCondition` 429, and `retryDelay` that returns Retry-After + 1, 2, 4, … s',
    send: ({ url, headers }) => patientAxios.get(url, { headers }),
  },
  'p-retry-default': {
    library: 'p-retry with fetch',
    configuration: 'defaults',
    send: (access) => pRetry(() => fetched(access)),
  },
  'p-retry-best': {
    library: 'p-retry with fetch',
    configuration: '`onFailedAttempt` that waits Retry-After; `randomize: false`',
    send: (access) =>
      pRetry(() => fetched(access), {
        retries: 6,
        onFailedAttempt: async ({ error }) => sleep(readMs(String(error.cause ?? ''))),
      }),
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
