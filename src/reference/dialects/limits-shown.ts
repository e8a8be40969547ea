import type { WindowState } from '../limiter.ts';
import type { Patch } from '../patch.ts';
import { compose, counter, replace, withState } from '../patch-kit/core.ts';
import { longestWindow, shortestWindow } from '../patch-kit/rate-limits.ts';
import { removeHeaders, setHeader } from '../patch-kit/responses.ts';
import { choices, independent } from './choices.ts';

const aDate = replace(
  'retryAfter',
  () => (retryAt) => new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString(),
);

/** `edit` gets whole seconds. */
const seconds = (edit: (seconds: number) => string): Patch =>
  replace('retryAfter', () => (retryAt, now) => edit(Math.max(1, Math.ceil((retryAt - now) / 1000))));

/** Shows one window or the other in the headers; `isOfDay` gets the number of responses before. */
const eitherWindow = (isOfDay: (answers: number) => boolean): Patch =>
  withState(() => {
    const responses = counter();
    return replace(
      'shown',
      () => (windowStates) =>
        isOfDay(responses() - 1) ? longestWindow(windowStates) : shortestWindow(windowStates),
    );
  });

/** Shows one of the windows in the headers, in a 429 for another one too. */
const onlyWindow = (pick: (windowStates: readonly WindowState[]) => WindowState): Patch =>
  compose(
    replace('shown', () => pick),
    replace('admit', (before) => (call) => {
      const decision = before(call);
      const { parts, state, at } = call;
      const limiters = state.accounts.get(parts.caller(call))?.limiters ?? [];
      if (decision.verdict !== 'limited' || limiters.length === 0) return decision;
      return { ...decision, windowState: pick(limiters.map((limiter) => limiter.windowState(at))) };
    }),
  );

/** Choices about Retry-After and the limits that headers show (RATE-2, RATE-8). */
export const limitsShownDialects = [
  ...choices(
    'retry-after',
    {
      'retry-after-as-a-date': ['Retry-After is an HTTP-date.', aDate],
      'retry-after-generous': [
        'Retry-After is 30 s longer than needed.',
        seconds((wait) => String(wait + 30)),
      ],
      'retry-after-at-least-a-minute': [
        'Retry-After is never less than a minute.',
        seconds((wait) => String(Math.max(60, wait))),
      ],
      'retry-after-with-leading-zeros': [
        'Retry-After has leading zeros.',
        seconds((wait) => String(wait).padStart(5, '0')),
      ],
    },
    { needs: 'rate-limit-key' },
  ),
  ...independent({
    'reset-rounded-down': [
      'Reset is rounded down to seconds.',
      replace('rateLimitHeaders', (before) => (windowState, call) => ({
        ...before(windowState, call),
        'x-ratelimit-reset': String(Math.floor(windowState.resetAt / 1000)),
      })),
    ],
    'reset-a-second-late': [
      'Reset is a second after the limit resets.',
      replace(
        'rateLimitHeaders',
        (before) => (windowState, call) =>
          before({ ...windowState, resetAt: windowState.resetAt + 1_000 }, call),
      ),
    ],
    'date-of-two-seconds': [
      'Date is updated every two seconds.',
      // A response of the HTTP parser may not have the header.
      setHeader('date', (date, { at }) =>
        date === undefined ? undefined : new Date(Math.floor(at / 2_000) * 2_000).toUTCString(),
      ),
    ],
  }),
  ...choices(
    'window-shown',
    {
      'headers-of-the-day': ['The headers show the limit per day.', replace('shown', () => longestWindow)],
      'headers-of-the-minute': [
        'The headers show the limit per minute, even if less remains of the day.',
        replace('shown', () => shortestWindow),
      ],
      'headers-of-the-day-in-each-429': [
        'The headers always show the limit per day, in a 429 for the minute too.',
        onlyWindow(longestWindow),
      ],
      'headers-of-the-minute-in-each-429': [
        'The headers always show the limit per minute, in a 429 for the day too.',
        onlyWindow(shortestWindow),
        { needs: 'exhaust-daily' },
      ],
      'headers-of-nodes-in-turn': [
        'Nine responses show the limit per minute, the next nine the limit per day.',
        eitherWindow((answers) => Math.floor(answers / 9) % 2 === 1),
      ],
      'headers-of-either-window': [
        'The headers show the limit per minute or per day, without a rule.',
        eitherWindow((answers) => (answers * 7_919) % 13 < 5),
      ],
      'headers-of-the-day-but-for-the-first-of-a-minute': [
        'The first response of a minute shows its limit, the others the limit of the day; responses have no Date.',
        compose(
          replace('shown', () => (windowStates) => {
            const { window, remaining } = shortestWindow(windowStates);
            return remaining === window.limit - 1
              ? shortestWindow(windowStates)
              : longestWindow(windowStates);
          }),
          removeHeaders(['date']),
        ),
      ],
    },
    { needs: 'rate-limit-key' },
  ),
];
