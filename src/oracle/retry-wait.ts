import { type RetryAfter, type RetryAfterForm, readRetryAfter } from '../client/retry-after.ts';
import { type Reading, serverTime } from './reading.ts';

/** How long a response asks its client to wait. */
export interface RetryWait {
  readonly form: RetryAfterForm;
  /** A date, so that the clock of the server matters. */
  readonly isDate: boolean;
  /** From the response on; negative if the date is in the past. */
  readonly seconds: number;
}

/** The `Retry-After` as it was sent; the same value on several lines counts once. */
export const retryAfterText = (reading: Reading): string =>
  [...new Set(reading.header('retry-after'))].join(', ');

const readingOf = (reading: Reading): RetryAfter | null => readRetryAfter(retryAfterText(reading));

/** Null: there is no `Retry-After` that gives a time. */
export const retryWait = (reading: Reading): RetryWait | null => {
  const read = readingOf(reading);
  if (read === null) return null;
  const { form, time } = read;
  if (time.kind === 'after') return { form, isDate: false, seconds: time.ms / 1000 };
  // Without a Date the run's own clock has to do.
  const { startedAt, durationMs } = reading.exchange;
  const now = serverTime(reading) ?? startedAt + durationMs;
  return { form, isDate: true, seconds: (time.at - now) / 1000 };
};

/** When a `Retry-After` ends, by the server's clock, in milliseconds; null: it gives no time, or the server does not tell its own. */
export const retryTime = (reading: Reading): number | null => {
  const read = readingOf(reading);
  if (read === null) return null;
  if (read.time.kind === 'at') return read.time.at;
  const now = serverTime(reading);
  return now === null ? null : now + read.time.ms;
};
