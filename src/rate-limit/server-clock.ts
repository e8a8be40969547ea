/** Estimates the server's clock from Date headers, which have whole seconds. All times are milliseconds since the epoch. */
export interface ServerClock {
  /** Records the Date of a response. */
  observe(date: number, sentAt: number, receivedAt: number): void;
  /** Returns the local time at which the server's clock has certainly reached `serverTime`. */
  surelyAfter(serverTime: number): number;
  /** Returns the server's time at a local time, by its latest Date, because some servers write the Date when the connection begins. */
  latest(localTime: number): number;
  readonly known: () => boolean;
}

/** A larger contradiction between two responses means that the server's clock was set. */
const TOLERANCE_MS = 50;

/**
 * Narrows down the difference between the server's clock and ours. The Date of a response is the second in which it was made, between
 * the request and the response.
 */
export const createServerClock = (): ServerClock => {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let furthest = Number.NEGATIVE_INFINITY;
  const known = (): boolean => Number.isFinite(low);
  return {
    known,
    observe: (date, sentAt, receivedAt) => {
      const [from, to] = [date - receivedAt, date + 1_000 - sentAt];
      furthest = Math.max(furthest, from);
      const contradicts = from > high + TOLERANCE_MS || to < low - TOLERANCE_MS;
      low = contradicts ? from : Math.max(low, from);
      high = contradicts ? to : Math.max(low, Math.min(high, to));
    },
    surelyAfter: (serverTime) => serverTime - (known() ? low : 0),
    latest: (localTime) => localTime + (known() ? furthest : 0),
  };
};
