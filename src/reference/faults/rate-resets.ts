import { minute } from '../keys.ts';
import { type Standing, windowFromFirst } from '../limiter.ts';
import type { Call } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { perServer, replace, together } from '../patches.ts';
import { judgeAdmission, minutesBy, onceExhausted, refusal } from './rate-patches.ts';

const second = 1000;

/** Shows another time of the reset, in milliseconds, to callers with a key. */
const resetAt = (time: (standing: Standing, call: Call) => number): Patch =>
  replace(
    'rateLimitHeaders',
    (before) => (standing, call) =>
      before(call.grant === null ? standing : { ...standing, resetAt: time(standing, call) }, call),
  );

const early = (name: string, description: string, patch: Patch, companions: readonly string[] = []): Fault =>
  onceExhausted({ name, requirement: 'RATE-13', description, companions, patch });

/** A key whose Remaining is 0 is refused from then on, until `seconds` after its window has ended. */
const lockedOnceDry = (seconds: number): Patch =>
  perServer(() => {
    const lockedUntil = new Map<string, number>();
    return judgeAdmission((admission, call) => {
      const caller = call.parts.caller(call);
      const { standing, verdict } = admission;
      const until = lockedUntil.get(caller) ?? 0;
      if (verdict === 'admitted' && call.at < until)
        return refusal(standing, until, { remaining: 0, resetAt: until });
      if (verdict === 'admitted' && standing.remaining === 0)
        lockedUntil.set(caller, standing.resetAt + seconds * second);
      return admission;
    });
  });

/** RATE-13: at Reset the limit resets. Each 429 has a correct `Retry-After`, so it hides a wrong Reset. */
export const rateResetFaults: readonly Fault[] = [
  early(
    'reset-always-a-second-away',
    'X-RateLimit-Reset is always one second away, however long the window lasts.',
    resetAt((_, { at }) => at + second),
  ),
  early(
    'reset-is-now',
    'X-RateLimit-Reset is the time of the response.',
    resetAt((_, { at }) => Math.floor(at / second) * second),
  ),
  early(
    'reset-ten-seconds-early',
    'X-RateLimit-Reset is ten seconds before the limit resets, but never in the past.',
    resetAt((standing, { at }) => Math.max(at, standing.resetAt - 10 * second)),
  ),
  early(
    'reset-at-half-the-time',
    'X-RateLimit-Reset is at half the time that is left.',
    resetAt((standing, { at }) => at + (standing.resetAt - at) / 2),
  ),
  early(
    'reset-early-on-the-free-plan',
    'X-RateLimit-Reset is always two seconds away for keys of the Free plan.',
    resetAt((standing, { at, grant }) => (grant?.plan === 'free' ? at + 2 * second : standing.resetAt)),
  ),
  early(
    'reset-is-now-once-nothing-remains',
    'X-RateLimit-Reset is the time of the response as soon as Remaining is 0.',
    resetAt((standing, { at }) => (standing.remaining === 0 ? at : standing.resetAt)),
  ),
  early(
    'reset-on-the-full-minute',
    'X-RateLimit-Reset is the next full minute, while the window began with its first request.',
    together(
      minutesBy(windowFromFirst),
      resetAt((_, { at }) => (Math.floor(at / second / minute) + 1) * minute * second),
    ),
  ),
  early(
    'locked-once-nothing-remains',
    'A key that has used up its limit is refused for a minute longer than X-RateLimit-Reset said.',
    lockedOnceDry(minute),
    ['RATE-8', 'RATE-6'],
  ),
  onceExhausted({
    name: 'reset-never-moves',
    requirement: 'RATE-2',
    description: 'X-RateLimit-Reset stays the end of the first window, although Remaining rises again.',
    companions: ['RATE-10'],
    patch: perServer(() => {
      const first = new Map<string, number>();
      return resetAt(({ resetAt: end, window }, call) => {
        const place = `${call.parts.caller(call)} ${window.seconds}`;
        first.set(place, first.get(place) ?? end);
        return first.get(place) ?? end;
      });
    }),
  }),
];
