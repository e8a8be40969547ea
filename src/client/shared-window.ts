/** When a limit that is shared with others can be used again. Times in milliseconds since the epoch. */
export interface SharedWindow {
  heard(response: SharedResponse): void;
  /**
   * `shown`: the Reset of the window, with its margin; `heardAt`: when the last response came.
   * @returns our time
   */
  renewsAt(shown: number, heardAt: number, windowMs: number): number;
  /** How long nothing must be sent before some are surely left; null: until Reset is enough. */
  silenceMs(windowMs: number): number | null;
}

interface SharedResponse {
  readonly resetAt: number | null;
  /** It is a 429. */
  readonly limited: boolean;
  /** The request was the first one after a wait, or of all. */
  readonly begins: boolean;
  readonly sentAt: number;
  /** Reset is as far ahead as it can be. */
  readonly isFresh: boolean;
  /** More is left than is kept for others. */
  readonly isEnough: boolean;
}

/** Reset has whole seconds, and may be rounded down. */
const MARGIN_MS = 1_050;
/** Within this a Reset is the same as before, however it is rounded. */
const STEADY_MS = 1_500;
/** No window that is renewed as a whole is shorter. */
const SHORTEST_WINDOW_MS = 3_000;
/** How much of the own earlier requests must be freed before others' share of it does not matter: those of this part of a minute. */
const HEAD_START_PART = 1 / 20;
/** Several runs that wait for one Reset do not all begin at once. */
const SPREAD_MS = 300;

/**
 * Where Reset is the end of a window, everything is left again from then on. It may also be no more than the time of the next request, and
 * others may take that one: this is known once little was left after a Reset which then moved on by little. From then on
 * the own silence of a whole window is what surely frees some.
 */
export const createSharedWindow = (options: {
  readonly minuteMs: number;
  readonly random: () => number;
}): SharedWindow => {
  let freesAll = true;
  let resetBefore: number | null = null;
  let steady: { readonly resetAt: number; readonly since: number } | null = null;
  let spread = SPREAD_MS * options.random();

  const headStart = (): number => (steady === null ? 0 : HEAD_START_PART * options.minuteMs);

  const begin = ({ resetAt, isEnough, limited, isFresh, sentAt }: SharedResponse): void => {
    const moved = resetBefore === null || resetAt === null ? null : resetAt - resetBefore;
    if ((!isEnough || limited) && moved !== null && moved < SHORTEST_WINDOW_MS) freesAll = false;
    steady = isFresh && resetAt !== null && isEnough ? { resetAt, since: sentAt } : null;
    spread = SPREAD_MS * options.random();
  };

  return {
    heard: (response) => {
      const { begins, resetAt } = response;
      if (begins) begin(response);
      else if (steady !== null && Math.abs((resetAt ?? 0) - steady.resetAt) > STEADY_MS) steady = null;
      resetBefore = resetAt ?? resetBefore;
    },
    renewsAt: (shown, heardAt, windowMs) => {
      const silence = (steady?.since ?? heardAt) + headStart() + windowMs + MARGIN_MS;
      return freesAll ? shown + spread : Math.max(shown, silence);
    },
    silenceMs: (windowMs) => (freesAll ? null : headStart() + windowMs + MARGIN_MS),
  };
};
