import type { TestAnswer, TestServer } from '../testing.ts';
import { describeFaults, type Showing } from './create-testing.ts';
import { rateBeyondFaults } from './rate-beyond.ts';

const key = 'key-tiny';

/** What comes after the wait of a 429. */
const recovery = (faulty: number): Showing => ({
  find: async (server: TestServer) => {
    await server.burst(4, { key });
    server.now += 10_000;
    return (await server.get('/pets', { key })).status;
  },
  faulty,
  conforming: 200,
});

/** How many of two bursts of 61 requests are served, some seconds apart. */
const twice = (seconds: number, faulty: number): Showing => ({
  find: async (server: TestServer) => {
    const before = await server.burst(61, { key: 'key-free' });
    server.now += seconds * 1000;
    const after = await server.burst(61, { key: 'key-free' });
    return [...before, ...after].filter(({ status }) => status === 200).length;
  },
  faulty,
  conforming: 60,
});

/** What another request over the limit of three is answered with. */
const over = (
  method: string,
  path: string,
  look: (answer: TestAnswer) => unknown,
  faulty: unknown,
  conforming: unknown,
): Showing => ({
  find: async (server: TestServer) => {
    await server.burst(3, { key });
    return look(await server.send(method, path, { key, body: method === 'POST' ? '{}' : null }));
  },
  faulty,
  conforming,
});

const firstSign = ({ status, text }: TestAnswer): unknown => [status, text[0]];

describeFaults(rateBeyondFaults, {
  'key-revoked-once-exhausted': recovery(401),
  'key-blocked-once-exhausted': recovery(403),
  'reset-of-the-window-after': {
    find: async (server) => {
      const [answer] = await server.burst(1, { key });
      return Number(answer?.headers.get('x-ratelimit-reset')) > server.now / 1000 + 10;
    },
    faulty: true,
    conforming: false,
  },
  'minutes-of-a-second': twice(1, 120),
  'minutes-of-ten-seconds': twice(10, 120),
  'no-retry-after-for-creations': over(
    'POST',
    '/pets',
    ({ headers }) => headers.get('retry-after'),
    null,
    '10',
  ),
  'html-429-for-creations': over('POST', '/pets', firstSign, [429, '<'], [429, '{']),
  'no-retry-after-for-single-animals': over(
    'GET',
    '/pets/1',
    ({ headers }) => headers.get('retry-after'),
    null,
    '10',
  ),
  'no-rate-headers-on-429s-for-single-animals': over(
    'GET',
    '/pets/1',
    ({ headers }) => headers.get('x-ratelimit-limit'),
    null,
    '3',
  ),
  'html-429-for-orders': over('GET', '/store/orders', firstSign, [429, '<'], [429, '{']),
  'creations-never-refused': over('POST', '/pets', ({ status }) => status, 400, 429),
  'creation-over-limit-is-403': over('POST', '/pets', ({ status }) => status, 403, 429),
});
