/** The server's clock as far as its Date headers tell it, which have seconds only. All times in milliseconds since the epoch. */
export interface ServerClock {
  /** The Date of a response. */
  observe(date: number, sentAt: number, receivedAt: number): void;
  /** Our time from which on the server's clock has surely reached `serverTime`. */
  surelyAfter(serverTime: number): number;
  /** The server's time at ours by the most advanced of its Dates, as some were written when the connection began; ours until one was seen. */
  latest(ourTime: number): number;
  readonly known: () => boolean;
}

/** How far two answers may contradict each other before the server's clock is taken to have been set. */
const TOLERANCE_MS = 50;

/**
 * Narrows down the difference between the server's clock and ours: an answer's Date lies in the second in which the answer was
 * made, which was after its request was sent and before it was received.
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
    latest: (ourTime) => ourTime + (known() ? furthest : 0),
  };
};
