import { lowerCaseBearer } from '../client/credentials.ts';
import type { Probe } from '../oracle/probe.ts';
import { type Reading, serverTime } from '../oracle/reading.ts';

/** What an answer said of the limit. */
export interface Said {
  /** Exchanges are numbered in the order in which they are sent. */
  readonly id: number;
  /** No exchange above this number was sent before the answer had arrived. */
  readonly horizon: number;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since the Unix epoch, by the server. */
  readonly reset: number;
  /** The same; null: it did not tell the time. */
  readonly serverNow: number | null;
  /** By the run's clock, in milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A header as a whole number; null: it is absent, none, or larger than a double tells from the next. */
export const wholeHeader = (reading: Reading, name: string): number | null => {
  const text = reading.header(name).join(', ');
  const value = /^\d+$/.test(text) ? Number(text) : null;
  return Number.isSafeInteger(value) ? value : null;
};

/** Null: a header is absent or malformed. */
export const saidBy = (reading: Reading, horizon: number): Said | null => {
  const { id, startedAt, durationMs } = reading.exchange;
  const limit = wholeHeader(reading, 'x-ratelimit-limit');
  const remaining = wholeHeader(reading, 'x-ratelimit-remaining');
  const reset = wholeHeader(reading, 'x-ratelimit-reset');
  const now = serverTime(reading);
  if (limit === null || remaining === null || reset === null) return null;
  const serverNow = now === null ? null : now / 1000;
  return { id, horizon, limit, remaining, reset, serverNow, startedAt, endedAt: startedAt + durationMs };
};

/**
 * Whether an answer surely shows the key's own limit. Who is refused for the credential may be counted by address, and so may what is
 * answered in front of authentication: a path that no route takes (that of a negative petId, say), a body that is too large. A server
 * that fails is at fault for that.
 * Who counts by the whole Authorization header takes the scheme in lower case for another caller.
 */
export const isOfTheKey = ({ status }: Reading, { space, request }: Probe): boolean =>
  request.credential !== lowerCaseBearer &&
  status !== 401 &&
  status !== 403 &&
  status !== 404 &&
  status < 500 &&
  (space === 'documented' || status < 300);

/** Whether a request was sent after an answer had arrived. */
export const isAfter = (later: { readonly id: number }, earlier: Said): boolean => later.id > earlier.horizon;
