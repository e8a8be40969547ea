/** When a limit that is shared with others can be used again. Times in milliseconds since the epoch. */
export interface SharedWindow {
  observe(response: SharedResponse): void;
  /**
   * `shown`: the Reset of the window, with its margin; `receivedAt`: when the last response came.
   * @returns our time
   */
  renewsAt(shown: number, receivedAt: number, windowMs: number): number;
  /** How long nothing must be sent before requests are certainly allowed again; null: Reset is enough. */
  quietPeriod(windowMs: number): number | null;
}

interface SharedResponse {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetAt: number | null;
  /** The request was the first after a wait, or of all. */
  readonly begins: boolean;
  readonly sentAt: number;
  /** Reset is as far ahead as it can be. */
  readonly isFresh: boolean;
  /** More requests remain than are reserved for others. */
  readonly isEnough: boolean;
}

/** Reset is in whole seconds, and may be rounded down. */
const MARGIN_MS = 1_050;
/** Within this a Reset is the same as before, however it is rounded. */
const STEADY_MS = 1_500;
/** No window that is renewed as a whole is shorter. */
const SHORTEST_WINDOW_MS = 3_000;
/** Others may have used some of a window that was renewed as a whole, before it shows. */
const WHOLE = 0.6;
/** How much of the own earlier requests must be freed before others' share of it does not matter: those of this part of a minute. */
const HEAD_START_PART = 1 / 20;
/** A Reset within this part of a minute is tried before it is known what it means. */
const NEAR_PART = 1 / 6;
/** A wait of this part of a minute tells nothing of Reset. */
const LONG_WAIT_PART = 1 / 2;
/** Several runs that wait for one Reset do not all begin at once. */
const SPREAD_MS = 300;

/**
 * Reset may be the end of a window, after which the whole limit remains again, or only the time of the next request, which others may use.
 * What remains after a Reset, and the time to the next one, show which. Until then, and if Reset does not free all, sending nothing for a
 * whole window certainly frees some.
 */
export const createSharedWindow = (options: {
  readonly minuteMs: number;
  readonly random: () => number;
}): SharedWindow => {
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
    // The silence of a whole window frees all that is its own in any case.
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
    observe: (response) => {
      const { begins, resetAt } = response;
      if (begins) begin(response);
      else if (steady !== null && Math.abs((resetAt ?? 0) - steady.resetAt) > STEADY_MS) steady = null;
      resetBefore = resetAt ?? resetBefore;
      sentLast = Math.max(sentLast, response.sentAt);
    },
    renewsAt: (shown, receivedAt, windowMs) => {
      if (reset === 'frees all') return shown + spread;
      // By then all requests since the last wait are freed, if each is by itself.
      if (reset === 'unknown' && shown - receivedAt <= NEAR_PART * minuteMs)
        return shown + (receivedAt - begunAt) + spread;
      return Math.max(shown, (steady?.since ?? receivedAt) + headStart() + windowMs + MARGIN_MS);
    },
    quietPeriod: (windowMs) => (reset === 'frees all' ? null : headStart() + windowMs + MARGIN_MS),
  };
};
