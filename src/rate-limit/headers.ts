import { type Header, headerValues, type RespondedExchange } from '../http/exchange.ts';
import { httpDate } from '../http/http-date.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import { memoized, memoizedLast } from '../util/memoize.ts';
import { type RetryAfter, type RetryAfterForm, type RetryTime, readRetryAfter } from './retry-after.ts';

/** The rate limit headers, read leniently. Null: absent or unreadable. Times are milliseconds since the epoch, by the server's clock. */
export interface RateLimit {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetAt: number | null;
  /** Has whole seconds. */
  readonly date: number | null;
  readonly retryAfter: RetryTime | null;
  /** The document does not name the headers, so that they prove nothing: only pacing may use them. */
  readonly isUndocumented?: true;
}

/** How a header contradicts the interface document. */
export type CountProblem = 'negative' | 'not-whole' | 'zero' | 'above-limit';
export type ResetProblem = 'fraction' | 'no-timestamp' | 'wrong-unit' | 'past' | 'too-far';

/** A header as it was sent. */
export interface SentHeader<Problem> {
  /** All lines, joined with ", "; null: absent. */
  readonly text: string | null;
  /** The documented whole number; null: absent, not a whole number, or too large for a double. */
  readonly exact: number | null;
  /** Null: no problem, or the header is absent. */
  readonly problem: Problem | null;
}

/** The rate limit headers of a response: `RateLimit` for pacing, `sent` for rules. */
export interface RateLimitReading extends RateLimit {
  readonly sent: {
    readonly limit: SentHeader<CountProblem>;
    readonly remaining: SentHeader<CountProblem>;
    readonly reset: SentHeader<ResetProblem>;
    /** Milliseconds since the epoch, from a valid HTTP-date only. */
    readonly date: number | null;
    /** `read` null: not a time. The same value on several lines counts once. */
    readonly retryAfter: { readonly text: string; readonly read: RetryAfter | null };
  };
}

export const headerNames = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
} as const;

/** The header names in lower case. */
export const rateLimitHeaders: readonly string[] = Object.values(headerNames).map((name) =>
  name.toLowerCase(),
);

const linesOf = (headers: readonly Header[]) => {
  const valuesOf = (name: string) => headerValues(headers, name).map((value) => value.trim());
  return {
    limit: valuesOf('x-ratelimit-limit'),
    remaining: valuesOf('x-ratelimit-remaining'),
    reset: valuesOf('x-ratelimit-reset'),
    date: valuesOf('date'),
    retryAfter: valuesOf('retry-after'),
  };
};

const DAY_MS = 86_400_000;
/** Reset and Date are rounded to seconds. */
const graceSeconds = 2;

/**
 * Reads the rate limit headers. Pacing uses any plausible meaning of a header, rules use its problems. `now`: local time in milliseconds,
 * for a server that sends no Date.
 */
export const readRateLimit = (headers: readonly Header[], now: number): RateLimitReading => {
  const lines = linesOf(headers);
  const [limit, remaining] = [textOf(lines.limit), textOf(lines.remaining)];
  const sentDate = httpDate(lines.date[0] ?? '');
  const date = sentDate ?? readDate(lines.date[0] ?? '');
  const retryText = [...new Set(lines.retryAfter)].join(', ');
  const retryAfter = readRetryAfter(retryText);
  return {
    ...readCounts(limit, remaining),
    resetAt: readReset(lines.reset[0] ?? '', date ?? now),
    date,
    retryAfter: retryAfter?.time ?? readRetryAfter(lines.retryAfter[0] ?? '')?.time ?? null,
    sent: {
      limit: sentHeader(limit, limitProblem(limit)),
      remaining: sentHeader(remaining, remainingProblem(remaining, limit)),
      reset: sentHeader(textOf(lines.reset), resetProblem(textOf(lines.reset), sentDate)),
      date: sentDate,
      retryAfter: { text: retryText, read: retryAfter },
    },
  };
};

const textOf = (lines: readonly string[]): string | null => (lines.length === 0 ? null : lines.join(', '));

const isWhole = (text: string | null): text is string => text !== null && /^\d+$/.test(text);

const sentHeader = <Problem>(text: string | null, problem: Problem | null): SentHeader<Problem> => {
  const value = isWhole(text) ? Number(text) : null;
  return { text, exact: Number.isSafeInteger(value) ? value : null, problem };
};

const countProblem = (text: string | null): CountProblem | null => {
  if (text === null || isWhole(text)) return null;
  return /^-\d+$/.test(text) ? 'negative' : 'not-whole';
};

const limitProblem = (limit: string | null): CountProblem | null =>
  isWhole(limit) && BigInt(limit) === 0n ? 'zero' : countProblem(limit);

const remainingProblem = (remaining: string | null, limit: string | null): CountProblem | null =>
  isWhole(limit) && isWhole(remaining) && BigInt(remaining) > BigInt(limit)
    ? 'above-limit'
    : countProblem(remaining);

const resetProblem = (text: string | null, date: number | null): ResetProblem | null => {
  if (text === null) return null;
  if (!isWhole(text)) return /^\d+[.,]\d+$/.test(text) ? 'fraction' : 'no-timestamp';
  const reset = Number(text);
  if (date === null) return reset >= 1e9 && reset < 1e11 ? null : 'wrong-unit';
  const seconds = date / 1000;
  if (reset < seconds - graceSeconds) return 'past';
  return reset > seconds + DAY_MS / 1000 + 60 + graceSeconds ? 'too-far' : null;
};

/** Reads the numbers of requests, if they are plausible together. */
export const readCounts = (limitText: string | null, remainingText: string | null) => {
  const [limit, remaining] = [readCount(limitText), readCount(remainingText)];
  const isPlausible = remaining !== null && (limit === null || (limit > 0 && remaining <= limit));
  return { limit: limit === 0 ? null : limit, remaining: isPlausible ? remaining : null };
};

/** Reads the digits before a fraction, another limit or a window. Groups of thousands are accepted. */
const readCount = (value: string | null): number | null => {
  const text = value?.replaceAll(/(?<=\d),(?=\d{3}\b)/g, '') ?? '';
  const [, digits] = /^(\d{1,20})(?:\.\d+)?(?:\s*[,;/].*)?$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
};

/** Reads a Unix timestamp in seconds, or, if plausible, a timestamp in milliseconds, a number of seconds from now, or a date. */
export const readReset = (value: string, serverNow: number): number | null => {
  if (value === '') return null;
  const isPlausible = (at: number): boolean => at > serverNow - 5_000 && at <= serverNow + DAY_MS + 60_000;
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : null;
  const candidates =
    number === null ? [readDate(value) ?? Number.NaN] : [number * 1_000, number, serverNow + number * 1_000];
  return candidates.find(isPlausible) ?? null;
};

/** Returns milliseconds since the epoch, or null if the text does not look like a date with a year. */
const readDate = memoizedLast((value: string): number | null => {
  if (!/[a-z]{3}.*\d{4}|\d{4}-\d\d-\d\d/i.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : at;
});

const ofExchange = memoized(({ response, startedAt, durationMs }: RespondedExchange) =>
  readRateLimit(response.headers, startedAt + durationMs),
);

/** Returns the rate limit headers of a response. */
export const rateLimitOf = ({ exchange }: Pick<ParsedResponse, 'exchange'>): RateLimitReading =>
  ofExchange(exchange);

/** The wait that a response requires. */
export interface RetryWait {
  readonly form: RetryAfterForm;
  /** Tells whether it is a date, so that the server's clock matters. */
  readonly isDate: boolean;
  /** Counted from the response; negative if the date is in the past. */
  readonly seconds: number;
}

/** Returns the wait, or null without a readable `Retry-After`. */
export const retryWait = (response: Pick<ParsedResponse, 'exchange'>): RetryWait | null => {
  const { retryAfter, date } = rateLimitOf(response).sent;
  if (retryAfter.read === null) return null;
  const { form, time } = retryAfter.read;
  if (time.kind === 'after') return { form, isDate: false, seconds: time.ms / 1000 };
  // Without a Date, the run's clock is the best estimate.
  const { startedAt, durationMs } = response.exchange;
  return { form, isDate: true, seconds: (time.at - (date ?? startedAt + durationMs)) / 1000 };
};

const longWaitSeconds = 120;

/** Tells whether a wait is so long that it must be the daily limit. The document does not specify which limit the headers show. */
export const isDailyLimit = (response: Pick<ParsedResponse, 'exchange'>): boolean =>
  (retryWait(response)?.seconds ?? 0) > longWaitSeconds;

/** Returns when a `Retry-After` ends by the server's clock, in milliseconds. Null: not readable, or the server sends no Date. */
export const retryTime = ({ sent }: RateLimitReading): number | null => {
  const time = sent.retryAfter.read?.time;
  if (time === undefined) return null;
  if (time.kind === 'at') return time.at;
  return sent.date === null ? null : sent.date + time.ms;
};
