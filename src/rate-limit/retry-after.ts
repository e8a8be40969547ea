import { httpDate } from '../http/http-date.ts';
import { memoizedLast } from '../util/memoize.ts';

/** When to try again. `after`: milliseconds from the response. `at`: milliseconds since the epoch, by the server's clock. */
export type RetryTime =
  | { readonly kind: 'after'; readonly ms: number }
  | { readonly kind: 'at'; readonly at: number };

export interface RetryAfter {
  readonly form: RetryAfterForm;
  readonly time: RetryTime;
}

export const isStandardForm = (form: RetryAfterForm): boolean => form === 'seconds' || form === 'HTTP-date';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Larger numbers with a point or an exponent are not times. About 300 years. */
const LONGEST_DECIMAL_SECONDS = 1e10;

/** Milliseconds of each unit, by the first letters of its names. */
const units: readonly (readonly [name: RegExp, ms: number])[] = [
  [/^(ms|msecs?|millis|milliseconds?)$/, 1],
  [/^(s|secs?|seconds?)$/, 1_000],
  [/^(m|mins?|minutes?)$/, MINUTE_MS],
  [/^(h|hrs?|hours?)$/, HOUR_MS],
  [/^(d|days?)$/, 24 * HOUR_MS],
];

const after = (ms: number): RetryTime => ({ kind: 'after', ms });

const at = (time: number): RetryTime | null => (Number.isNaN(time) ? null : { kind: 'at', at: time });

const readSeconds = (text: string): RetryTime | null =>
  /^\d+$/.test(text) ? after(Number(text) * 1_000) : null;

const readStandardDate = (text: string): RetryTime | null => {
  const date = httpDate(text);
  return date === null ? null : at(date);
};

/** Accepts exponents, because some languages print `2.5e-05`. A value such as `1e99` is not a time. */
const readDecimal = (text: string): RetryTime | null =>
  /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number(text) <= LONGEST_DECIMAL_SECONDS
    ? after(Number(text) * 1_000)
    : null;

/** `4s`, `4 seconds`, `1m30.5s`, `1 minute 30 seconds`. */
const readWithUnit = (text: string): RetryTime | null => {
  if (!/^(\d+(\.\d+)? ?[a-z]+[ ,]*)+$/i.test(text)) return null;
  const parts = [...text.toLowerCase().matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/g)];
  const lengths = parts.map(([, number, unit = '']) => {
    const [, ms] = units.find(([name]) => name.test(unit)) ?? [];
    return ms === undefined ? Number.NaN : Number(number) * ms;
  });
  const total = lengths.reduce((sum, ms) => sum + ms, 0);
  return Number.isNaN(total) ? null : after(total);
};

/** `PT30S`, `P1DT2H`. */
const readDuration = (text: string): RetryTime | null => {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i.exec(text);
  if (found === null || !/\d/.test(text)) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  return after(((days * 24 + hours) * 60 + minutes) * MINUTE_MS + seconds * 1_000);
};

const time = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?';
const zone = '(?:Z|[A-Z]{2,4}|(?:GMT|UTC)?[+-]\\d{2}:?\\d{2})';
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const weekday = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?';
const isoDate = new RegExp(`^\\d{4}-\\d{2}-\\d{2}(?:[T ]${time} ?(${zone})?)?(?: UTC)?$`, 'i');
/** Dates of e-mails, and default date formats of programming languages. */
const wordDates: readonly RegExp[] = [
  new RegExp(`^${weekday}\\d{1,2}[ -]${month}[ -]\\d{4} ${time} ?(${zone})?(?: \\(.*\\))?$`, 'i'),
  new RegExp(`^${weekday}${month} {1,2}\\d{1,2},? \\d{4} ${time} ?(${zone})?(?: \\(.*\\))?$`, 'i'),
  new RegExp(`^${weekday}${month} {1,2}\\d{1,2} ${time} (${zone})? ?\\d{4}$`, 'i'),
];

/** Reads a date without a zone as UTC, in any time zone of this machine. */
const readIsoDate = (text: string): RetryTime | null => {
  const found = isoDate.exec(text);
  if (found === null) return null;
  const hasTime = text.includes(':');
  return at(Date.parse(hasTime && found[1] === undefined ? `${text}Z` : text));
};

const readWordDate = (text: string): RetryTime | null => {
  const found = wordDates.map((form) => form.exec(text)).find((match) => match !== null);
  if (found === undefined) return null;
  return at(Date.parse(found[1] === undefined ? `${text} GMT` : text));
};

/** RFC 9110 10.2.3 defines the first two formats. */
const readers = {
  seconds: readSeconds,
  'HTTP-date': readStandardDate,
  'decimal seconds': readDecimal,
  'duration with a unit': readWithUnit,
  'ISO 8601 duration': readDuration,
  'ISO 8601 date': readIsoDate,
  'other date': readWordDate,
};

/** The format of a `Retry-After`. */
export type RetryAfterForm = keyof typeof readers;

/**
 * Reads a `Retry-After`. The interface document does not specify its format. Returns null if it is not a time. A Unix timestamp is read
 * as seconds, because it looks like any other whole number.
 */
export const readRetryAfter = memoizedLast((value: string): RetryAfter | null => {
  const text = value.trim();
  for (const form of Object.keys(readers) as RetryAfterForm[]) {
    const time = readers[form](text);
    if (time !== null) return { form, time };
  }
  return null;
});
