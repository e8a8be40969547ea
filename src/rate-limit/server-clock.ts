export type ServerClock = ReturnType<typeof createServerClock>;

/** A larger contradiction between two responses means that the server's clock was set. */
const TOLERANCE_MS = 50;

/**
 * Narrows down the difference between the server's clock and ours. All times are milliseconds since the epoch. The Date of a response is the second in which it was made, between
 * the request and the response, in whole seconds.
 */
export const createServerClock = () => {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let furthest = Number.NEGATIVE_INFINITY;
  const known = (): boolean => Number.isFinite(low);
  return {
    known,
    /** Records the Date of a response. */
    observe: (date: number, sentAt: number, receivedAt: number): void => {
      const [from, to] = [date - receivedAt, date + 1_000 - sentAt];
      furthest = Math.max(furthest, from);
      const contradicts = from > high + TOLERANCE_MS || to < low - TOLERANCE_MS;
      low = contradicts ? from : Math.max(low, from);
      high = contradicts ? to : Math.max(low, Math.min(high, to));
    },
    /** Returns the local time at which the server's clock has certainly reached `serverTime`. */
    surelyAfter: (serverTime: number): number => serverTime - (known() ? low : 0),
    /** Returns the server's time at a local time, by its latest Date, because some servers write the Date when the connection begins. */
    latest: (localTime: number): number => localTime + (known() ? furthest : 0),
  };
};
