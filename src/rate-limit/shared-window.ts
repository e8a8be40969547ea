import type { RateLimit } from './headers.ts';

export interface SharedResponse extends Pick<RateLimit, 'limit' | 'remaining' | 'resetAt'> {
  /** The request was the first one, or the first after a wait. */
  readonly begins: boolean;
  readonly sentAt: number;
  /** Reset is as far ahead as it can be. */
  readonly isFresh: boolean;
  /** More requests remain than the reserve for other clients. */
  readonly isEnough: boolean;
}

/** Reset has whole seconds and may be rounded down. */
const MARGIN_MS = 1_050;
/** Milliseconds within which a Reset counts as unchanged, with rounding. */
const STEADY_MS = 1_500;
/** Windows that reset as a whole are not shorter. */
const SHORTEST_WINDOW_MS = 3_000;
/** After a window has reset as a whole, at least this share remains. Other clients may have used the rest. */
const WHOLE = 0.6;
/** The own requests of this part of a minute must be freed first, so that the share of other clients does not matter. */
const HEAD_START_PART = 1 / 20;
/** A Reset within this part of a minute is tried before its meaning is known. */
const NEAR_PART = 1 / 6;
/** A wait of this part of a minute says nothing about the meaning of Reset. */
const LONG_WAIT_PART = 1 / 2;
/** Several runs that wait for the same Reset must not all start at once. */
const SPREAD_MS = 300;

/**
 * Tells when a limit that other clients share can be used again. Times are milliseconds since the epoch. Reset may be the end of a window, which frees the whole limit. It may also be only the time of the next free request, which another
 * client may use. Remaining after a Reset, and the time to the next Reset, show which. Until then, or if Reset does not free all, sending
 * nothing for a whole window certainly frees some requests.
 */
export const createSharedWindow = (options: { readonly minuteMs: number; readonly random: () => number }) => {
  const { minuteMs, random } = options;
  let reset: 'unknown' | 'frees all' | 'frees some' = 'unknown';
  let resetBefore: number | null = null;
  let [begunAt, sentLast] = [0, 0];
  let steady: { readonly resetAt: number; readonly since: number } | null = null;
  let spread = SPREAD_MS * random();

  const headStart = (): number => (steady === null ? 0 : HEAD_START_PART * minuteMs);

  const learn = ({ resetAt, remaining, limit, isEnough, sentAt }: SharedResponse): void => {
    if (resetBefore === null || resetAt === null) return;
    const isNext = resetAt - resetBefore >= SHORTEST_WINDOW_MS;
    // After a long wait, the own requests are free in any case, so Remaining does not show the meaning of Reset.
    if (sentAt - sentLast > LONG_WAIT_PART * minuteMs) reset = 'frees some';
    else if (isNext && (remaining ?? 0) >= WHOLE * (limit ?? 0)) reset = 'frees all';
    else if (!isNext && !isEnough) reset = 'frees some';
  };
  const begin = (response: SharedResponse): void => {
    const { resetAt, isEnough, isFresh, sentAt } = response;
    learn(response);
    begunAt = sentAt;
    steady = isFresh && resetAt !== null && isEnough ? { resetAt, since: sentAt } : null;
    spread = SPREAD_MS * random();
  };

  return {
    observe: (response: SharedResponse): void => {
      const { begins, resetAt } = response;
      if (begins) begin(response);
      else if (steady !== null && Math.abs((resetAt ?? 0) - steady.resetAt) > STEADY_MS) steady = null;
      resetBefore = resetAt ?? resetBefore;
      sentLast = Math.max(sentLast, response.sentAt);
    },
    /** Returns a local time. `shown`: the Reset of the window, with its margin; `receivedAt`: the time of the latest response. */
    renewsAt: (shown: number, receivedAt: number, windowMs: number): number => {
      if (reset === 'frees all') return shown + spread;
      // By then, all requests since the last wait are free, even if each is freed separately.
      if (reset === 'unknown' && shown - receivedAt <= NEAR_PART * minuteMs)
        return shown + (receivedAt - begunAt) + spread;
      return Math.max(shown, (steady?.since ?? receivedAt) + headStart() + windowMs + MARGIN_MS);
    },
    /** Returns the time without requests after which some are certainly allowed. Null: Reset is enough. */
    quietPeriod: (windowMs: number): number | null =>
      reset === 'frees all' ? null : headStart() + windowMs + MARGIN_MS,
  };
};
