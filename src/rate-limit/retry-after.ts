import { httpDate } from '../http/http-date.ts';
import { memoizedLast } from '../util/memoize.ts';

/** When to try again. `after`: milliseconds from the response. `at`: milliseconds since the epoch, by the server's clock. */
export type RetryTime =
  | { readonly kind: 'after'; readonly ms: number }
  | { readonly kind: 'at'; readonly at: number };

/** The format of a `Retry-After`. RFC 9110 10.2.3 defines the first two. */
export type RetryAfterForm =
  | 'seconds'
  | 'HTTP-date'
  | 'decimal seconds'
  | 'duration with a unit'
  | 'ISO 8601 duration'
  | 'ISO 8601 date'
  | 'other date';

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

const after = (form: RetryAfterForm, ms: number): RetryAfter => ({ form, time: { kind: 'after', ms } });

const at = (form: RetryAfterForm, time: number): RetryAfter | null =>
  Number.isNaN(time) ? null : { form, time: { kind: 'at', at: time } };

const readSeconds = (text: string): RetryAfter | null =>
  /^\d+$/.test(text) ? after('seconds', Number(text) * 1_000) : null;

const readStandardDate = (text: string): RetryAfter | null => {
  const date = httpDate(text);
  return date === null ? null : at('HTTP-date', date);
};

/** Accepts exponents, because some languages print `2.5e-05`. A value such as `1e99` is not a time. */
const readDecimal = (text: string): RetryAfter | null =>
  /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number(text) <= LONGEST_DECIMAL_SECONDS
    ? after('decimal seconds', Number(text) * 1_000)
    : null;

/** `4s`, `4 seconds`, `1m30.5s`, `1 minute 30 seconds`. */
const readWithUnit = (text: string): RetryAfter | null => {
  if (!/^(\d+(\.\d+)? ?[a-z]+[ ,]*)+$/i.test(text)) return null;
  const parts = [...text.toLowerCase().matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/g)];
  const lengths = parts.map(([, number, unit = '']) => {
    const [, ms] = units.find(([name]) => name.test(unit)) ?? [];
    return ms === undefined ? Number.NaN : Number(number) * ms;
  });
  const total = lengths.reduce((sum, ms) => sum + ms, 0);
  return Number.isNaN(total) ? null : after('duration with a unit', total);
};

/** `PT30S`, `P1DT2H`. */
const readDuration = (text: string): RetryAfter | null => {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i.exec(text);
  if (found === null || !/\d/.test(text)) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  return after('ISO 8601 duration', ((days * 24 + hours) * 60 + minutes) * MINUTE_MS + seconds * 1_000);
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
const readIsoDate = (text: string): RetryAfter | null => {
  const found = isoDate.exec(text);
  if (found === null) return null;
  const hasTime = text.includes(':');
  return at('ISO 8601 date', Date.parse(hasTime && found[1] === undefined ? `${text}Z` : text));
};

const readWordDate = (text: string): RetryAfter | null => {
  const found = wordDates.map((form) => form.exec(text)).find((match) => match !== null);
  if (found === undefined) return null;
  return at('other date', Date.parse(found[1] === undefined ? `${text} GMT` : text));
};

const readers = [
  readSeconds,
  readStandardDate,
  readDecimal,
  readWithUnit,
  readDuration,
  readIsoDate,
  readWordDate,
];

/**
 * Reads a `Retry-After`. The interface document does not specify its format. Returns null if it is not a time. A Unix timestamp is read
 * as seconds, because it looks like any other whole number.
 */
export const readRetryAfter = memoizedLast((value: string): RetryAfter | null => {
  const text = value.trim();
  for (const read of readers) {
    const found = read(text);
    if (found !== null) return found;
  }
  return null;
});
