import { minute } from '../keys.ts';
import { type WindowState, windowFromFirst } from '../limiter.ts';
import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, perCaller, replace, withState } from '../patch-kit/core.ts';
import { changeDecision, minutesBy, refusal } from '../patch-kit/rate-limits.ts';
import { family } from './family.ts';

const second = 1000;

/** Shows another reset time, in milliseconds, to callers with a key. */
const resetAt = (time: (windowState: WindowState, call: Call) => number): Patch =>
  replace(
    'rateLimitHeaders',
    (before) => (windowState, call) =>
      before(call.grant === null ? windowState : { ...windowState, resetAt: time(windowState, call) }, call),
  );

/** Refuses a key whose Remaining is 0, until `seconds` after its window has ended. */
const lockedAtZero = (seconds: number): Patch =>
  withState(() => {
    const lock = perCaller(() => ({ end: 0 }));
    return changeDecision((decision, call) => {
      const { windowState, verdict } = decision;
      const { end } = lock(call);
      if (verdict === 'admitted' && call.at < end)
        return refusal(windowState, end, { remaining: 0, resetAt: end });
      if (verdict === 'admitted' && windowState.remaining === 0)
        lock(call).end = windowState.resetAt + seconds * second;
      return decision;
    });
  });

/** RATE-13: the limit resets at Reset. The correct `Retry-After` of each 429 hides a wrong Reset. */
export const rateResetFaults = family(
  'RATE-13',
  {
    'reset-always-a-second-away': [
      'X-RateLimit-Reset is always one second away.',
      resetAt((_, { at }) => at + second),
    ],
    'reset-is-now': [
      'X-RateLimit-Reset is the time of the response.',
      resetAt((_, { at }) => Math.floor(at / second) * second),
    ],
    'reset-ten-seconds-early': [
      'X-RateLimit-Reset is ten seconds before the limit resets, but never in the past.',
      resetAt((windowState, { at }) => Math.max(at, windowState.resetAt - 10 * second)),
    ],
    'reset-at-half-the-time': [
      'X-RateLimit-Reset is at half of the remaining time.',
      resetAt((windowState, { at }) => at + (windowState.resetAt - at) / 2),
    ],
    'reset-early-on-the-free-plan': [
      'X-RateLimit-Reset is always two seconds away for Free keys.',
      resetAt((windowState, { at, grant }) =>
        grant?.plan === 'free' ? at + 2 * second : windowState.resetAt,
      ),
    ],
    'reset-is-now-once-nothing-remains': [
      'X-RateLimit-Reset is the time of the response when Remaining is 0.',
      resetAt((windowState, { at }) => (windowState.remaining === 0 ? at : windowState.resetAt)),
    ],
    'reset-on-the-full-minute': [
      'X-RateLimit-Reset is the next full minute, but the window begins with its first request.',
      compose(
        minutesBy(windowFromFirst),
        resetAt((_, { at }) => (Math.floor(at / second / minute) + 1) * minute * second),
      ),
    ],
    'locked-once-nothing-remains': [
      'A key that used up its limit is refused until a minute after X-RateLimit-Reset.',
      lockedAtZero(minute),
      { companions: ['RATE-8', 'RATE-6'] },
    ],
    'reset-never-moves': [
      'X-RateLimit-Reset stays the end of the first window, but Remaining rises again.',
      withState(() => {
        const first = new Map<string, number>();
        return resetAt(({ resetAt: end, window }, call) => {
          const place = `${call.parts.caller(call)} ${window.seconds}`;
          first.set(place, first.get(place) ?? end);
          return first.get(place) ?? end;
        });
      }),
      { requirement: 'RATE-2', companions: ['RATE-10'] },
    ],
  },
  { needs: 'rate-limit-key' },
);
