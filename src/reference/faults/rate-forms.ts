import type { Call } from '../parts.ts';
import { editRetryAfter } from '../patch-kit/rate-limits.ts';
import { family } from './family.ts';

const dateAfter = (seconds: number, { at }: Call): Date => new Date(at + seconds * 1000);

/** RATE-14: the time is correct, but its form is not one of RFC 9110. Only RATE-14 may be reported. */
export const rateFormFaults = family(
  'RATE-14',
  {
    'retry-after-with-a-fraction': [
      'Retry-After has a fraction of a second: 29.5.',
      editRetryAfter((seconds) => (seconds - 0.5).toFixed(1)),
    ],
    'retry-after-with-a-unit': ['Retry-After has a unit: 30s.', editRetryAfter((seconds) => `${seconds}s`)],
    'retry-after-with-a-unit-in-words': [
      'Retry-After has a unit in words: 30 seconds.',
      editRetryAfter((seconds) => `${seconds} seconds`),
    ],
    'retry-after-in-milliseconds-with-a-unit': [
      'Retry-After is in milliseconds, with the unit: 30000ms.',
      editRetryAfter((seconds) => `${seconds * 1000}ms`),
    ],
    'retry-after-as-a-duration-of-go': [
      'Retry-After is a duration as Go prints it: 0m30s.',
      editRetryAfter((seconds) => `${Math.floor(seconds / 60)}m${seconds % 60}s`),
    ],
    'retry-after-as-an-iso-8601-duration': [
      'Retry-After is a duration as Java prints it: PT30S.',
      editRetryAfter((seconds) => `PT${seconds}S`),
    ],
    'retry-after-as-rfc-3339': [
      'Retry-After is a date as in RFC 3339.',
      editRetryAfter((seconds, call) => dateAfter(seconds, call).toISOString()),
    ],
    'retry-after-as-a-date-of-sql': [
      'Retry-After is a date as SQL prints it, without a zone.',
      editRetryAfter((seconds, call) =>
        dateAfter(seconds + 1, call)
          .toISOString()
          .slice(0, 19)
          .replace('T', ' '),
      ),
    ],
    'retry-after-date-without-gmt': [
      'Retry-After is a date as in email, with an offset instead of GMT.',
      editRetryAfter((seconds, call) =>
        dateAfter(seconds + 1, call)
          .toUTCString()
          .replace(/, 0/, ', ')
          .replace('GMT', '+0000'),
      ),
    ],
    'retry-after-as-a-printed-date': [
      'Retry-After is a date as JavaScript prints it.',
      editRetryAfter((seconds, call) =>
        dateAfter(seconds + 1, call)
          .toUTCString()
          .replace(
            /^(\w+), (\d+) (\w+) (\d+) (.*) GMT$/,
            '$1 $3 $2 $4 $5 GMT+0000 (Coordinated Universal Time)',
          ),
      ),
    ],
  },
  { needs: 'rate-limit-key' },
);
