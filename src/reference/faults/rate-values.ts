import { minute } from '../keys.ts';
import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import type { ResponseFilter } from '../patch-kit/core.ts';
import {
  editHeader,
  editNumber,
  editWindows,
  limitHeader,
  remainingHeader,
  resetHeader,
  showCounts,
} from '../patch-kit/rate-limits.ts';
import { family } from './family.ts';

const limit = (edit: (text: string) => string): Patch => editHeader(limitHeader, edit);
const remaining = (edit: (text: string) => string): Patch => editHeader(remainingHeader, edit);
const reset = (edit: (seconds: number, call: Call) => number, filter?: ResponseFilter): Patch =>
  editNumber(resetHeader, edit, filter);
const resetAs = (write: (text: string) => string, filter?: ResponseFilter): Patch =>
  editHeader(resetHeader, write, filter);

/** Retry-After is after a Reset in the past. */
const early = { companions: ['RATE-10'] };

const resetFaults = family('RATE-2', {
  'reset-in-milliseconds-to-go': [
    'X-RateLimit-Reset is the time of the response in seconds plus the remaining milliseconds.',
    reset((seconds, { at }) => Math.floor(at / 1000) + Math.round(seconds * 1000 - at)),
  ],
  'reset-in-milliseconds': ['X-RateLimit-Reset is in milliseconds.', reset((seconds) => seconds * 1000)],
  'reset-as-seconds-left': [
    'X-RateLimit-Reset is the number of seconds until the reset.',
    reset((seconds, { at }) => Math.max(0, seconds - Math.floor(at / 1000))),
    early,
  ],
  'reset-as-milliseconds-left': [
    'X-RateLimit-Reset is the number of milliseconds until the reset.',
    reset((seconds, { at }) => Math.max(0, seconds * 1000 - at)),
    early,
  ],
  'reset-as-an-http-date': [
    'X-RateLimit-Reset is an HTTP-date.',
    resetAs((seconds) => new Date(Number(seconds) * 1000).toUTCString()),
  ],
  'reset-as-a-timestamp-of-text': [
    'X-RateLimit-Reset is a date and time as in RFC 3339.',
    resetAs((seconds) => new Date(Number(seconds) * 1000).toISOString()),
  ],
  'reset-an-hour-ago': [
    'X-RateLimit-Reset is an hour too early: the zone is subtracted twice.',
    reset((seconds) => seconds - 3_600),
    early,
  ],
  'reset-an-hour-ahead': [
    'X-RateLimit-Reset is an hour too late: it is in local time.',
    reset((seconds) => seconds + 3_600),
  ],
  'reset-of-the-day-beside-the-minute': [
    'X-RateLimit-Reset is the end of the day, Limit and Remaining are of the minute.',
    reset((_, { at }) => (Math.floor(at / 86_400_000) + 1) * 86_400),
  ],
  'windows-of-an-hour': [
    'The window is an hour, with the limit of a minute.',
    editWindows((window) => (window.seconds === minute ? { ...window, seconds: 3_600 } : window)),
  ],
  'reset-in-a-month': ['X-RateLimit-Reset is a month too late.', reset((seconds) => seconds + 30 * 86_400)],
  'reset-with-a-fraction': ['X-RateLimit-Reset has a fraction.', resetAs((seconds) => `${seconds}.25`)],
  'reset-zero-on-401': ['X-RateLimit-Reset of a 401 is 0.', reset(() => 0, { status: 401 })],
  'reset-in-milliseconds-on-creations': [
    'X-RateLimit-Reset of a creation is in milliseconds.',
    reset((seconds) => seconds * 1000, { operation: 'createPet' }),
  ],
});

/** A Limit in another form is not the plan's limit either. */
const limitFaults = family(
  'RATE-2',
  {
    'limit-of-both-windows': [
      'X-RateLimit-Limit is sent twice and arrives as one list: 60, 60.',
      limit((text) => `${text}, ${text}`),
    ],
    'limit-with-its-window': [
      'X-RateLimit-Limit has the window too: 60;w=60.',
      limit((text) => `${text};w=60`),
    ],
    'limit-per-minute-in-words': [
      'X-RateLimit-Limit has a unit: 60/minute.',
      limit((text) => `${text}/minute`),
    ],
    'limit-with-a-decimal': ['X-RateLimit-Limit is a decimal: 60.0.', limit((text) => `${text}.0`)],
    'limit-empty': ['X-RateLimit-Limit has no value.', limit(() => '')],
    'limit-minus-one': ['X-RateLimit-Limit is -1, for unlimited.', limit(() => '-1')],
    'limit-zero': ['X-RateLimit-Limit is 0, a default that is never set.', limit(() => '0')],
  },
  { companions: ['RATE-3'] },
);

const remainingFaults = family('RATE-2', {
  'remaining-with-a-decimal': ['X-RateLimit-Remaining is a decimal: 59.0.', remaining((text) => `${text}.0`)],
  'remaining-of-the-limit': [
    'X-RateLimit-Remaining has the limit too: 59/60.',
    remaining((text) => `${text}/60`),
  ],
  'remaining-not-a-number': ['X-RateLimit-Remaining is NaN.', remaining(() => 'NaN')],
  'remaining-negative': [
    'X-RateLimit-Remaining counts down from 0.',
    showCounts((windowState) => ({ remaining: windowState.remaining - windowState.window.limit })),
  ],
  'remaining-above-limit': [
    'X-RateLimit-Remaining includes the bonus of a burst: it starts above the limit.',
    editNumber(remainingHeader, (count) => count + 10),
    { companions: ['RATE-6', 'RATE-10'] },
  ],
  'remaining-of-another-counter-on-get': [
    'getPet shows another counter as X-RateLimit-Remaining, larger than the limit.',
    editHeader(remainingHeader, () => '1048576', { operation: 'getPet' }),
    { companions: ['RATE-4', 'RATE-6', 'RATE-10'] },
  ],
});

/** RATE-2: the headers are well formed. */
export const rateValueFaults = [...resetFaults, ...limitFaults, ...remainingFaults];
