import type { TestServer } from '../testing.ts';
import { describeFaults, type Showing } from './create-testing.ts';
import { rateLimitFaults } from './rate-limits.ts';

const statuses = async (server: TestServer, count: number, key = 'key-ten') =>
  (await server.burst(count, { key })).map(({ status }) => status);

/** How many of a burst are served, with a limit of ten in ten seconds or another. */
const served = (burst: number, faulty: number, key = 'key-ten', limit = 10): Showing => ({
  find: async (server) => (await statuses(server, burst, key)).filter((status) => status === 200).length,
  faulty,
  conforming: Math.min(burst, limit),
});

/** Remaining in the answer before the first 429. */
const refusedWith = (remaining: string): Showing => ({
  find: async (server) => {
    const answers = await server.burst(60, { key: 'key-free' });
    const first = answers.findIndex(({ status }) => status === 429);
    return answers[first - 1]?.headers.get('x-ratelimit-remaining');
  },
  faulty: remaining,
  conforming: undefined,
});

/** What comes after each wait as long as `Retry-After` says. */
const recovery = (faulty: readonly number[]): Showing => ({
  find: async (server) => {
    await statuses(server, 11);
    const found: number[] = [];
    for (const _wait of faulty) {
      server.now += 10_000;
      found.push(...(await statuses(server, 1)));
    }
    return found;
  },
  faulty,
  conforming: faulty.map(() => 200),
});

/** What another key gets while one is over its limit, and once that has recovered. */
const other = (faulty: readonly number[]): Showing => ({
  find: async (server) => {
    await statuses(server, 11);
    const meanwhile = await statuses(server, 1, 'key-free');
    server.now += 10_000;
    return [...meanwhile, ...(await statuses(server, 1, 'key-free'))];
  },
  faulty,
  conforming: [200, 200],
});

/** What remains for a key after so many requests with another. */
const leftBeside = (count: number, faulty: string): Showing => ({
  find: async (server) => {
    await statuses(server, 1, 'key-free');
    await statuses(server, count);
    const [answer] = await server.burst(1, { key: 'key-free' });
    return answer?.headers.get('x-ratelimit-remaining');
  },
  faulty,
  conforming: '58',
});

/** The status of each of three requests over the limit of the day, which has been spent minute by minute. */
const overDay = (faulty: readonly number[]): Showing => ({
  find: async (server) => {
    for (let left = 20; left > 0; left -= 1) {
      await statuses(server, 50, 'key-free');
      server.now += 60_000;
    }
    return statuses(server, 3, 'key-free');
  },
  faulty,
  conforming: [429, 429, 429],
});

describeFaults(
  rateLimitFaults,
  {
    'never-limited': served(25, 25),
    'limit-shown-and-never-counted': served(25, 25),
    'rate-headers-are-constants': served(25, 25),
    'limited-at-120-percent': served(25, 12),
    'limited-at-twice-the-limit': served(25, 20),
    'free-plan-has-business-limits': served(70, 70, 'key-free', 60),
    'instances-count-apart': served(40, 30),
    'every-second-request-slips-through': served(20, 15),
    'limited-at-half': refusedWith('30'),
    'limited-at-eighty-percent': refusedWith('12'),
    'every-twentieth-request-refused': refusedWith('41'),
    'every-twentieth-request-refused-while-the-day-is-shown': refusedWith('981'),
    'ten-a-second-at-most': refusedWith('50'),
    'never-recovers': recovery([429, 429]),
    'recovers-a-window-late': recovery([429, 200]),
    'keys-share-one-bucket': other([429, 200]),
    'keys-share-one-counter': leftBeside(4, '54'),
    'one-exhausted-key-locks-all': other([429, 200]),
    'exhausted-key-makes-all-503': other([503, 200]),
    'no-day-limit': overDay([200, 200, 200]),
    'day-limited-at-150-percent': overDay([200, 200, 200]),
    'day-limited-at-110-percent': overDay([200, 200, 200]),
    'over-day-limit-is-403': overDay([403, 403, 403]),
  },
  {
    keys: [
      { key: 'key-ten', plan: 'pro', window: { limit: 10, seconds: 10 } },
      { key: 'key-free', plan: 'free' },
    ],
  },
);
