import { describeFaults, type Showing } from './create-testing.ts';
import { rateFormFaults } from './rate-forms.ts';

/** The Retry-After of the first request over the limit of three in ten seconds. */
const retryAfter = (faulty: string): Showing => ({
  find: async (server) =>
    (await server.burst(4, { key: 'key-tiny' })).at(-1)?.headers.get('retry-after') ?? null,
  faulty,
  conforming: '10',
});

describeFaults(rateFormFaults, {
  'retry-after-with-a-fraction': retryAfter('9.5'),
  'retry-after-with-a-unit': retryAfter('10s'),
  'retry-after-with-a-unit-in-words': retryAfter('10 seconds'),
  'retry-after-in-milliseconds-with-a-unit': retryAfter('10000ms'),
  'retry-after-as-a-duration-of-go': retryAfter('0m10s'),
  'retry-after-as-an-iso-8601-duration': retryAfter('PT10S'),
  'retry-after-as-rfc-3339': retryAfter('2026-03-01T12:00:10.000Z'),
  'retry-after-as-a-date-of-sql': retryAfter('2026-03-01 12:00:11'),
  'retry-after-date-without-gmt': retryAfter('Sun, 1 Mar 2026 12:00:11 +0000'),
  'retry-after-as-a-printed-date': retryAfter(
    'Sun Mar 01 2026 12:00:11 GMT+0000 (Coordinated Universal Time)',
  ),
});
