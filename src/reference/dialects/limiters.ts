import { day, type Window } from '../keys.ts';
import { fixedWindow, type LimiterFactory, slidingWindow, tokenBucket, windowFromFirst } from '../limiter.ts';
import type { Patch } from '../patch.ts';
import { replace } from '../patch-kit/core.ts';
import { choices } from './choices.ts';

/** The requests of the previous window count in part: by the share of it that a sliding window still covers. */
const weightedWindows: LimiterFactory = (window) => {
  const size = window.seconds * 1000;
  let current = Number.NEGATIVE_INFINITY;
  let before = 0;
  let used = 0;
  const enter = (now: number): void => {
    const index = Math.floor(now / size);
    if (index === current) return;
    before = index === current + 1 ? used : 0;
    current = index;
    used = 0;
  };
  /** When at most `limit - 1` requests still count: in this window or in the next one. */
  const servedFrom = (): number => {
    const room = window.limit - 1 - used;
    if (room >= 0) return (current + 1 - room / before) * size;
    return (current + 2 - (window.limit - 1) / used) * size;
  };
  return {
    windowState: (now) => {
      enter(now);
      const weight = current + 1 - now / size;
      const remaining = Math.max(0, Math.floor(window.limit - used - before * weight));
      if (remaining > 0) return { window, remaining, resetAt: (current + 1) * size, servedAt: now };
      const servedAt = Math.ceil(servedFrom()) + 1;
      return { window, remaining, resetAt: servedAt, servedAt };
    },
    spend: (now) => {
      enter(now);
      used += 1;
    },
  };
};

/** Reset is the time of the next token, and not of the full bucket. */
const tokenByToken: LimiterFactory = (window) => {
  const bucket = tokenBucket(window);
  const oneToken = Math.ceil((window.seconds * 1000) / window.limit);
  return {
    ...bucket,
    windowState: (now) => {
      const windowState = bucket.windowState(now);
      const { remaining, servedAt } = windowState;
      const resetAt = remaining > 0 ? Math.min(windowState.resetAt, now + oneToken) : servedAt;
      return { ...windowState, resetAt };
    },
  };
};

/** Reset is the time at which the newest request leaves the window. */
const slidingToTheNewest: LimiterFactory = (window) => {
  const limiter = slidingWindow(window);
  let newest: number | null = null;
  return {
    windowState: (now) => {
      const isCounted = newest !== null && newest > now - window.seconds * 1000;
      const begins = isCounted && newest !== null ? newest : now;
      return { ...limiter.windowState(now), resetAt: begins + window.seconds * 1000 };
    },
    spend: (now) => {
      newest = now;
      limiter.spend(now);
    },
  };
};

const nineHours = 9 * 3_600_000;

/** Days begin at midnight in Tokyo. */
const daysElsewhere: LimiterFactory = (window) => {
  if (window.seconds !== day) return fixedWindow(window);
  const limiter = fixedWindow(window);
  return {
    windowState: (now) => {
      const { resetAt, servedAt, ...windowState } = limiter.windowState(now + nineHours);
      return { ...windowState, resetAt: resetAt - nineHours, servedAt: servedAt - nineHours };
    },
    spend: (now) => limiter.spend(now + nineHours),
  };
};

const slidingDays: LimiterFactory = (window: Window) =>
  window.seconds === day ? slidingWindow(window) : fixedWindow(window);

const limiter = (factory: LimiterFactory): Patch => replace('limiter', () => factory);

/** How requests are counted: each dialect enforces a limit per minute and per day (RATE-5). */
export const limiterDialects = choices(
  'limiter',
  {
    'sliding-window': ['Each request counts for the following minute and day.', limiter(slidingWindow)],
    'sliding-window-of-the-newest': [
      'Each request counts for the following minute; Reset is the end of the newest.',
      limiter(slidingToTheNewest),
    ],
    'token-bucket': ['The limit refills evenly; Reset is when it is full.', limiter(tokenBucket)],
    'token-by-token': ['The limit refills evenly; Reset is the next token.', limiter(tokenByToken)],
    'window-from-the-first-request': ['A window begins with its first request.', limiter(windowFromFirst)],
    'weighted-windows': ['Requests of the previous window count in part.', limiter(weightedWindows)],
    'days-of-another-zone': ['Days begin at midnight in Tokyo.', limiter(daysElsewhere)],
    'days-sliding': ['Minutes begin on the minute, days are sliding.', limiter(slidingDays)],
  },
  { needs: 'rate-limit-key' },
);
