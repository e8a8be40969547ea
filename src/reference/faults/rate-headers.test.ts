import type { SendOptions } from '../testing.ts';
import { bodyOf, describeFaults, type Showing } from './create-testing.ts';
import { rateHeaderFaults } from './rate-headers.ts';

type Sent = readonly [method: string, path: string, options?: SendOptions];
const free = { key: 'key-free' };
const list: Sent = ['GET', '/pets', free];
const keyless: Sent = ['GET', '/pets', { key: null }];
const create: Sent = ['POST', '/pets', { ...free, body: bodyOf() }];
const refusedCreation: Sent = ['POST', '/pets', { ...free, body: '{}' }];

/** Which of the three headers an answer carries, the first letter of each. */
const carried = (sent: Sent, faulty: string): Showing => ({
  find: async (server) => {
    const { headers } = await server.send(...sent);
    return ['Limit', 'Remaining', 'Reset'].filter((name) => headers.has(`x-ratelimit-${name}`)).join(' ');
  },
  faulty,
  conforming: 'Limit Remaining Reset',
});

const conforming = { limit: '60', remaining: '59', reset: '1772366460' };
const value = (header: keyof typeof conforming, faulty: string, sent: Sent = list): Showing => ({
  find: async (server) => (await server.send(...sent)).headers.get(`x-ratelimit-${header}`),
  faulty,
  conforming: conforming[header],
});

const named = (header: string): Showing => ({
  find: async (server) => (await server.send(...list)).headers.get(header),
  faulty: '60',
  conforming: null,
});

describeFaults(rateHeaderFaults, {
  'no-rate-headers': carried(list, ''),
  'no-limit-header': carried(list, 'Remaining Reset'),
  'no-remaining-header': carried(list, 'Limit Reset'),
  'no-reset-header': carried(list, 'Limit Remaining'),
  'no-rate-headers-on-201': carried(create, ''),
  'no-rate-headers-on-400': carried(refusedCreation, ''),
  'no-rate-headers-on-401': carried(keyless, ''),
  'no-rate-headers-on-404': carried(['GET', '/pets/9', free], ''),
  'no-rate-headers-on-orders': carried(['GET', '/store/orders', free], ''),
  'no-rate-headers-on-get': carried(['GET', '/pets/9', free], ''),
  'no-reset-on-refused-creations': carried(refusedCreation, 'Limit Remaining'),
  'no-rate-headers-on-filtered-lists': carried(['GET', '/pets?status=sold', free], ''),
  'rate-headers-on-first-answer-only': {
    find: async (server) => (await server.burst(3)).map(({ headers }) => headers.has('x-ratelimit-limit')),
    faulty: [true, false, false],
    conforming: [true, true, true],
  },
  'no-rate-headers-on-first-answer': {
    find: async (server) => (await server.burst(3)).map(({ headers }) => headers.has('x-ratelimit-limit')),
    faulty: [false, true, true],
    conforming: [true, true, true],
  },
  'rate-headers-of-the-draft': named('ratelimit-limit'),
  'rate-headers-with-another-hyphen': named('x-rate-limit-limit'),
  'reset-in-milliseconds-to-go': value('reset', '1772426400'),
  'no-rate-headers-on-429': {
    find: async (server) => {
      const answers = await server.burst(4, { key: 'key-tiny' });
      return answers.map(({ status, headers }) => [status, headers.has('x-ratelimit-limit')]);
    },
    faulty: [...Array(3).fill([200, true]), [429, false]],
    conforming: [...Array(3).fill([200, true]), [429, true]],
  },
  'reset-in-milliseconds': value('reset', '1772366460000'),
  'reset-as-seconds-left': value('reset', '60'),
  'reset-as-an-http-date': value('reset', 'Sun, 01 Mar 2026 12:01:00 GMT'),
  'reset-as-a-timestamp-of-text': value('reset', '2026-03-01T12:01:00.000Z'),
  'reset-an-hour-ago': value('reset', '1772362860'),
  'reset-an-hour-ahead': value('reset', '1772370060'),
  'reset-of-the-day-beside-the-minute': value('reset', '1772409600'),
  'windows-of-an-hour': value('reset', '1772370000'),
  'reset-in-a-month': value('reset', '1774958460'),
  'reset-with-a-fraction': value('reset', '1772366460.25'),
  'reset-zero-on-401': value('reset', '0', keyless),
  'reset-in-milliseconds-on-creations': value('reset', '1772366460000', create),
  'limit-of-both-windows': value('limit', '60, 60'),
  'limit-with-its-window': value('limit', '60;w=60'),
  'limit-per-minute-in-words': value('limit', '60/minute'),
  'limit-with-a-decimal': value('limit', '60.0'),
  'limit-empty': value('limit', ''),
  'limit-minus-one': value('limit', '-1'),
  'limit-zero': value('limit', '0'),
  'remaining-with-a-decimal': value('remaining', '59.0'),
  'remaining-of-the-limit': value('remaining', '59/60'),
  'remaining-not-a-number': value('remaining', 'NaN'),
  'remaining-negative': value('remaining', '-1'),
  'remaining-above-limit': value('remaining', '69'),
  'remaining-of-another-counter-on-get': value('remaining', '1048576', ['GET', '/pets/9', free]),
});
