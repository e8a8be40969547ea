import type { Call } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { onceExhausted, rewrite } from './rate-patches.ts';

/** The time is right, and its form is not one of RFC 9110. `form` gets whole seconds. */
const form = (name: string, description: string, write: (seconds: number, call: Call) => string): Fault =>
  onceExhausted({
    name,
    requirement: 'RATE-14',
    description,
    patch: rewrite('retry-after', (value, call) => write(Number(value), call), { status: 429 }),
  });

const dateAfter = (seconds: number, { at }: Call): Date => new Date(at + seconds * 1000);

/** RATE-14: every form gives a time, so only RATE-14 may be reported. */
export const rateFormFaults: readonly Fault[] = [
  form('retry-after-with-a-fraction', 'Retry-After has a fraction of a second: 29.5.', (seconds) =>
    (seconds - 0.5).toFixed(1),
  ),
  form('retry-after-with-a-unit', 'Retry-After has a unit: 30s.', (seconds) => `${seconds}s`),
  form(
    'retry-after-with-a-unit-in-words',
    'Retry-After has a unit in words: 30 seconds.',
    (seconds) => `${seconds} seconds`,
  ),
  form(
    'retry-after-in-milliseconds-with-a-unit',
    'Retry-After is in milliseconds and says so: 30000ms.',
    (seconds) => `${seconds * 1000}ms`,
  ),
  form(
    'retry-after-as-a-duration-of-go',
    'Retry-After is a duration as Go prints it: 0m30s.',
    (seconds) => `${Math.floor(seconds / 60)}m${seconds % 60}s`,
  ),
  form(
    'retry-after-as-an-iso-8601-duration',
    'Retry-After is a duration as Java prints it: PT30S.',
    (seconds) => `PT${seconds}S`,
  ),
  form('retry-after-as-rfc-3339', 'Retry-After is a date as in RFC 3339.', (seconds, call) =>
    dateAfter(seconds, call).toISOString(),
  ),
  form(
    'retry-after-as-a-date-of-sql',
    'Retry-After is a date as databases print it, without a zone.',
    (seconds, call) =>
      dateAfter(seconds + 1, call)
        .toISOString()
        .slice(0, 19)
        .replace('T', ' '),
  ),
  form(
    'retry-after-date-without-gmt',
    'Retry-After is a date as in mails, with an offset in place of GMT.',
    (seconds, call) =>
      dateAfter(seconds + 1, call)
        .toUTCString()
        .replace(/, 0/, ', ')
        .replace('GMT', '+0000'),
  ),
  form('retry-after-as-a-printed-date', 'Retry-After is a date as JavaScript prints it.', (seconds, call) =>
    dateAfter(seconds + 1, call)
      .toUTCString()
      .replace(/^(\w+), (\d+) (\w+) (\d+) (.*) GMT$/, '$1 $3 $2 $4 $5 GMT+0000 (Coordinated Universal Time)'),
  ),
];
