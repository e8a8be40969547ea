import type { TestAnswer } from '../testing.ts';
import { describeFaults, type Showing } from './create-testing.ts';
import { rateExhaustedFaults } from './rate-exhausted.ts';

/** What the first request over the limit of three in ten seconds is answered with. */
const over = (look: (answer: TestAnswer) => unknown, faulty: unknown, conforming: unknown): Showing => ({
  find: async (server) => {
    const [answer] = (await server.burst(4, { key: 'key-tiny' })).slice(-1);
    return answer && look(answer);
  },
  faulty,
  conforming,
});
const status = (faulty: number): Showing => over((answer) => answer.status, faulty, 429);
const retryAfter = (faulty: string | null): Showing =>
  over(({ headers }) => headers.get('retry-after'), faulty, '10');
const remaining = (faulty: string): Showing =>
  over(({ headers }) => headers.get('x-ratelimit-remaining'), faulty, '0');
/** What the first of three is told to remain. */
const afterOne = (faulty: string): Showing => ({
  find: async (server) =>
    (await server.burst(1, { key: 'key-tiny' }))[0]?.headers.get('x-ratelimit-remaining'),
  faulty,
  conforming: '2',
});
const body = (faulty: readonly unknown[]): Showing =>
  over(({ headers, text, status: sent }) => [sent, headers.get('content-type'), text[0]], faulty, [
    429,
    'application/json',
    '{',
  ]);

describeFaults(rateExhaustedFaults, {
  'remaining-falls-twice-as-fast': afterOne('1'),
  'remaining-less-a-reserve': afterOne('0'),
  'over-limit-is-503': status(503),
  'over-limit-is-403': status(403),
  'over-limit-is-401': status(401),
  'over-limit-is-200-with-an-error': body([200, 'application/json', '{']),
  'over-limit-gets-an-empty-list': over((answer) => [answer.status, answer.text[0]], [200, '['], [429, '{']),
  'over-limit-is-dropped': {
    find: (server) =>
      server.burst(4, { key: 'key-tiny' }).then(
        () => 'answered',
        (error: Error) => error.name,
      ),
    faulty: 'ConnectionDropped',
    conforming: 'answered',
  },
  'no-retry-after': retryAfter(null),
  'retry-after-under-another-name': over(
    ({ headers }) => [headers.get('retry-after'), headers.get('x-ratelimit-retry-after')],
    [null, '10'],
    ['10', null],
  ),
  'retry-after-on-the-first-429-only': {
    find: async (server) =>
      (await server.burst(5, { key: 'key-tiny' })).slice(3).map(({ headers }) => headers.get('retry-after')),
    faulty: ['10', null],
    conforming: ['10', '10'],
  },
  'retry-after-negative': retryAfter('-10'),
  'retry-after-in-words': retryAfter('in a minute'),
  'retry-after-as-nan': retryAfter('NaN'),
  'retry-after-empty': retryAfter(''),
  'retry-after-always-one': retryAfter('1'),
  'retry-after-zero': retryAfter('0'),
  'retry-after-half': retryAfter('5'),
  'retry-after-an-hour-ago': retryAfter('Sun, 01 Mar 2026 11:00:10 GMT'),
  'retry-after-in-milliseconds': retryAfter('10000'),
  'retry-after-as-a-unix-timestamp': retryAfter('1772366410'),
  'retry-after-as-a-timestamp-in-nanoseconds': retryAfter('1772366410000000000'),
  'retry-after-ten-minutes': retryAfter('600'),
  'remaining-one-in-429': remaining('1'),
  'remaining-full-in-429': remaining('3'),
  'html-429': body([429, 'text/html', '<']),
  'plain-text-429-labelled-as-json': body([429, 'application/json', 'R']),
});
