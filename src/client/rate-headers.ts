import { rememberingLast } from '../memo/memo.ts';
import { type Header, headerValue } from './headers.ts';
import { type RetryTime, readRetryAfter } from './retry-after.ts';

/** What an answer says of the rate limit. Null: absent, or nothing that can be made sense of. Times by the server's clock. */
export interface RateHeaders {
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Milliseconds since the epoch. */
  readonly resetAt: number | null;
  /** Milliseconds since the epoch, to the second. */
  readonly date: number | null;
  readonly retryAfter: RetryTime | null;
}

const DAY_MS = 86_400_000;

/** Reads the headers leniently: to keep clear of a limit it is better to understand a wrong unit than to ignore it. */
export const readRateHeaders = (headers: readonly Header[], nowMs: number): RateHeaders => {
  const date = readHttpDate(headerValue(headers, 'date'));
  const limit = readCount(headerValue(headers, 'x-ratelimit-limit'));
  const remaining = readCount(headerValue(headers, 'x-ratelimit-remaining'));
  const sensible = remaining !== null && (limit === null || (limit > 0 && remaining <= limit));
  return {
    limit: limit === 0 ? null : limit,
    remaining: sensible ? remaining : null,
    resetAt: readReset(headerValue(headers, 'x-ratelimit-reset'), date ?? nowMs),
    date,
    retryAfter: readRetryAfter(headerValue(headers, 'retry-after') ?? '')?.time ?? null,
  };
};

/** What stands in front of a fraction, of a limit or of a window counts, and digits may be grouped. */
const readCount = (value: string | null): number | null => {
  const text = value?.trim().replaceAll(/(?<=\d),(?=\d{3}\b)/g, '') ?? '';
  const [, digits] = /^(\d{1,20})(?:\.\d+)?(?:\s*[,;/].*)?$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
};

/** A Unix timestamp in seconds; also one in milliseconds, a number of seconds to go, or a date, if that makes sense now. */
const readReset = (value: string | null, serverNow: number): number | null => {
  if (value === null) return null;
  const plausible = (at: number): boolean => at > serverNow - 5_000 && at <= serverNow + DAY_MS + 60_000;
  const number = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
  const candidates =
    number === null
      ? [readHttpDate(value) ?? Number.NaN]
      : [number * 1_000, number, serverNow + number * 1_000];
  return candidates.find(plausible) ?? null;
};

/** Milliseconds since the epoch; null for anything that does not look like a date with a year. */
const readHttpDate = (value: string | null): number | null => (value === null ? null : readDate(value));

const readDate = rememberingLast((value: string): number | null => {
  if (!/[a-z]{3}.*\d{4}|\d{4}-\d\d-\d\d/i.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : at;
});
