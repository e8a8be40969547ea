import type { KeyGrant, Window } from '../keys.ts';
import type { LimiterFactory, WindowState } from '../limiter.ts';
import type { Call, LimitDecision } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { type ResponseFilter, replace } from './core.ts';
import { setHeader } from './responses.ts';

export const limitHeader = 'x-ratelimit-limit';
export const remainingHeader = 'x-ratelimit-remaining';
export const resetHeader = 'x-ratelimit-reset';
export const rateHeaders: readonly string[] = [limitHeader, remainingHeader, resetHeader];

/** Changes the value of a header, if it is there. */
export const editHeader = (
  name: string,
  edit: (value: string, call: Call) => string,
  filter: ResponseFilter = {},
): Patch => setHeader(name, (before, call) => (before === undefined ? before : edit(before, call)), filter);

/** Changes the number in a header. */
export const editNumber = (
  name: string,
  edit: (value: number, call: Call) => number,
  filter: ResponseFilter = {},
): Patch => editHeader(name, (value, call) => String(edit(Number(value), call)), filter);

/** Shows other counts; absent ones are unchanged. */
export const showCounts = (
  show: (windowState: WindowState, call: Call) => { readonly limit?: number; readonly remaining?: number },
): Patch =>
  replace('rateLimitHeaders', (before) => (windowState, call) => {
    const { limit, remaining } = show(windowState, call);
    return {
      ...before(windowState, call),
      ...(limit === undefined ? {} : { [limitHeader]: String(limit) }),
      ...(remaining === undefined ? {} : { [remainingHeader]: String(remaining) }),
    };
  });

/** Limits each key to a fraction of its plan, while the headers still show the limit of the plan. */
export const secretlyScaled =
  (factor: number, isScaled: (window: Window) => boolean = () => true): Patch =>
  (parts) => {
    const real = new WeakMap<Window, Window>();
    return {
      windows: (grant) =>
        parts.windows(grant).map((window) => {
          if (grant === null || !isScaled(window)) return window;
          const scaled = { ...window, limit: Math.max(1, Math.round(window.limit * factor)) };
          real.set(scaled, window);
          return scaled;
        }),
      rateLimitHeaders: (windowState, call) => {
        const window = real.get(windowState.window);
        if (window === undefined) return parts.rateLimitHeaders(windowState, call);
        const remaining = Math.max(0, windowState.remaining + window.limit - windowState.window.limit);
        return parts.rateLimitHeaders({ ...windowState, window, remaining }, call);
      },
    };
  };

/** Changes the windows of callers. */
export const editWindows = (edit: (window: Window, grant: KeyGrant | null) => Window): Patch =>
  replace('windows', (before) => (grant) => before(grant).map((window) => edit(window, grant)));

/** The longest of a caller's windows. */
export const longestWindow = (windowStates: readonly WindowState[]): WindowState =>
  windowStates.reduce((a, b) => (b.window.seconds > a.window.seconds ? b : a));

/** The shortest of a caller's windows. */
export const shortestWindow = (windowStates: readonly WindowState[]): WindowState =>
  windowStates.reduce((a, b) => (b.window.seconds < a.window.seconds ? b : a));

/** Counts minutes with another limiter; days are unchanged. */
export const minutesBy = (limiter: LimiterFactory): Patch =>
  replace('limiter', (before) => (window) => (window.seconds < 3_600 ? limiter : before)(window));

/** Changes what the limits decide about a request with a valid key. */
export const changeDecision = (judge: (decision: LimitDecision, call: Call) => LimitDecision): Patch =>
  replace('admit', (before) => (call) => {
    const decision = before(call);
    return call.grant === null ? decision : judge(decision, call);
  });

/** A 429 with these headers, independent of the limits. */
export const refusal = (
  windowState: WindowState,
  retryAt: number,
  shown: Partial<WindowState> = {},
): LimitDecision => ({ verdict: 'limited', windowState: { ...windowState, ...shown }, retryAt });

/** Writes Retry-After of a 429 in another way: `write` gets whole seconds. */
export const editRetryAfter = (write: (seconds: number, call: Call) => string): Patch =>
  editHeader('retry-after', (value, call) => write(Number(value), call), { status: 429 });
