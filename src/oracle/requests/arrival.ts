import { type Exchange, headerValues } from '../../http/exchange.ts';
import type { Operation } from '../../openapi/document.ts';
import { type RateLimitReading, readRateLimit } from '../../rate-limit/headers.ts';
import { memoized } from '../../util/memoize.ts';

/** A request of a client as it arrived, with the response that it got. Times are milliseconds since the epoch, by our clock. */
export interface Arrival {
  /** `startedAt`: when the request arrived. `durationMs`: until the response began. */
  readonly exchange: Exchange;
  /** Null: not an operation of the document. */
  readonly operation: Operation | null;
  /** The connection; null: not known. */
  readonly connection: string | null;
  /** The earliest time at which it may have been sent: before it arrived, if this machine was busy. */
  readonly sentAfter: number;
  /** When the client had the whole response, or had closed the connection. */
  readonly endedAt: number;
  /** The client read the response to its end. */
  readonly isRead: boolean;
  /** It got the response for a banned key. */
  readonly isBanned: boolean;
}

/** A request is not accused of being this much too early: clocks and schedulers are not exact. */
export const toleranceMs = 50;

export const arrivedAt = ({ exchange }: Arrival): number => exchange.startedAt;

export const respondedAt = ({ exchange }: Arrival): number => exchange.startedAt + exchange.durationMs;

export const statusOf = ({ exchange }: Arrival): number | null => exchange.response?.status ?? null;

export const isLimited = (arrival: Arrival): boolean => statusOf(arrival) === 429;

/** The bearer token of a request, or null if it has none or several. The name of the scheme is case-insensitive (RFC 9110 11.1). */
export const bearerToken = ({ exchange }: Pick<Arrival, 'exchange'>): string | null =>
  /^bearer +(\S+)$/i.exec(headerValues(exchange.wire.headers, 'authorization').join(', ').trim())?.[1] ??
  null;

/** The rate limit headers of a response; null: there is no response. */
export const limitOf: (arrival: Arrival) => RateLimitReading | null = memoized((arrival: Arrival) =>
  arrival.exchange.response === null
    ? null
    : readRateLimit(arrival.exchange.response.headers, respondedAt(arrival)),
);

/** When the wait of a 429 ends; null: it has no readable `Retry-After`. Of two readings of a date, the earlier one counts. */
export const quietUntil = (arrival: Arrival): number | null => {
  const limit = limitOf(arrival);
  const time = limit?.sent.retryAfter.read?.time;
  if (!isLimited(arrival) || time === undefined) return null;
  if (time.kind === 'after') return respondedAt(arrival) + time.ms;
  const date = limit?.sent.date ?? null;
  return date === null ? time.at : Math.min(time.at, respondedAt(arrival) + time.at - date);
};

/** Requests of one client, in the order of arrival. */
export type Arrivals = readonly Arrival[];

/** Tells whether the client ever had two requests open at the same time. */
export const isConcurrent: (arrivals: Arrivals) => boolean = memoized((arrivals: Arrivals) => {
  let openUntil = Number.NEGATIVE_INFINITY;
  return arrivals.some((arrival) => {
    const overlaps = arrivedAt(arrival) < openUntil;
    openUntil = Math.max(
      openUntil,
      arrival.exchange.response === null ? arrival.endedAt : respondedAt(arrival),
    );
    return overlaps;
  });
});

const reusesConnections: (arrivals: Arrivals) => boolean = memoized((arrivals: Arrivals) => {
  const known = arrivals.flatMap(({ connection }) => connection ?? []);
  return new Set(known).size < known.length;
});

/** Tells whether the client went back to a connection after it had used another one: it has several at a time. */
const alternates: (arrivals: Arrivals) => boolean = memoized((arrivals: Arrivals) => {
  const used = new Set<string>();
  let last: string | null = null;
  return arrivals.some(({ connection }) => {
    const isBack = connection !== null && connection !== last && used.has(connection);
    if (connection !== null) used.add(connection);
    last = connection;
    return isBack;
  });
});

/** The machine of a client may be so busy that a request is on its way for so long. */
export const onItsWayMs = 400;

/** The client could send the request on its connection before it knew an earlier response on another one. */
const wasReadyBefore = (request: Arrival, earlier: Arrival, all: Arrivals): boolean => {
  const { connection } = request;
  if (connection === null || connection === earlier.connection) return false;
  const before = all.findLast(
    (each) => each.connection === connection && arrivedAt(each) < arrivedAt(request),
  );
  return before === undefined || before.endedAt <= earlier.endedAt + toleranceMs;
};

/**
 * Tells whether a request may have been sent before the client knew an earlier response. A client that never has two requests open sends
 * the next one when it has the response. The others get the tolerance, on any connection, and more of it for the first request on another
 * connection.
 */
export const mayBeInFlight = (request: Arrival, earlier: Arrival, all: Arrivals): boolean => {
  if (arrivedAt(request) < respondedAt(earlier)) return true;
  const isOther = reusesConnections(all) && request.connection !== earlier.connection;
  if (!isConcurrent(all) && !isOther) return false;
  if (request.sentAfter <= earlier.endedAt + toleranceMs) return true;
  const isSoon = request.sentAfter <= earlier.endedAt + onItsWayMs;
  return isSoon && (isConcurrent(all) || alternates(all)) && wasReadyBefore(request, earlier, all);
};
