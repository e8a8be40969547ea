import type { Plan } from '../../openapi/plans.ts';
import { planWindows } from '../keys.ts';
import type { Call } from '../parts.ts';
import { compose, counter, replace, withState } from '../patch-kit/core.ts';
import { editNumber, limitHeader, showCounts } from '../patch-kit/rate-limits.ts';
import { family } from './family.ts';

const otherPlan: Readonly<Record<Plan, Plan>> = {
  free: 'pro',
  pro: 'business',
  business: 'pro',
  enterprise: 'enterprise',
};

/** RATE-3: Limit is the limit of the plan. */
const limitFaults = family('RATE-3', {
  'windows-of-another-plan': [
    'The plans are mixed up: a key gets the limits of another plan.',
    replace(
      'windows',
      (before) => (grant) => (grant === null ? before(grant) : planWindows[otherPlan[grant.plan]]),
    ),
  ],
  'limit-per-hour': [
    'X-RateLimit-Limit is the limit of the minute for an hour.',
    editNumber(limitHeader, (limit) => limit * 60),
  ],
  'limit-shown-one-too-high': [
    'X-RateLimit-Limit is one too high.',
    editNumber(limitHeader, (limit) => limit + 1),
  ],
  'limit-counts-down': [
    'X-RateLimit-Limit falls with X-RateLimit-Remaining.',
    showCounts(({ remaining }) => ({ limit: remaining })),
    { companions: ['RATE-2', 'RATE-4'] },
  ],
  'limit-doubled-on-creations': [
    'A creation shows twice the limit of the plan.',
    editNumber(limitHeader, (limit) => limit * 2, { operation: 'createPet' }),
  ],
  'limit-of-all-windows-added': [
    'X-RateLimit-Limit is the sum of the limits of the minute and the day.',
    showCounts((_standing, { grant, parts }) => ({
      limit: parts.windows(grant).reduce((sum, { limit }) => sum + limit, 0),
    })),
  ],
});

/** RATE-4: Remaining falls. */
const remainingFaults = family(
  'RATE-4',
  {
    'remaining-is-the-limit': [
      'X-RateLimit-Remaining is always the limit.',
      showCounts(({ window }) => ({ remaining: window.limit })),
    ],
    'remaining-after-one': [
      'Each request counts from the start: X-RateLimit-Remaining is always one below the limit.',
      showCounts(({ window }) => ({ remaining: window.limit - 1 })),
    ],
    'remaining-rises': [
      'X-RateLimit-Remaining is the number of requests sent.',
      showCounts(({ window, remaining }) => ({ remaining: window.limit - remaining })),
    ],
    'remaining-rises-in-short-windows': [
      'X-RateLimit-Remaining is the number of requests sent, with 5,000 requests in each 3 s.',
      compose(
        replace('windows', () => () => [{ limit: 5_000, seconds: 3 }]),
        showCounts(({ window, remaining }) => ({ remaining: window.limit - remaining })),
      ),
      { companions: ['RATE-3', 'RATE-6', 'RATE-10'] },
    ],
    'remaining-from-a-cache': [
      'X-RateLimit-Remaining is cached for a window.',
      withState(() => {
        const cache = new Map<string, number>();
        return showCounts(({ remaining, resetAt, window }, call) => {
          const place = `${call.parts.caller(call)} ${window.seconds} ${resetAt}`;
          const first = cache.get(place) ?? remaining;
          cache.set(place, first);
          return { remaining: first };
        });
      }),
    ],
    'remaining-jumps-back': [
      'One of two instances does not count: every second response shows the limit as X-RateLimit-Remaining.',
      withState(() => {
        const responses = counter();
        return showCounts(({ window, remaining }) => ({
          remaining: responses() % 2 === 0 ? window.limit : remaining,
        }));
      }),
    ],
    'instances-begin-apart': [
      'Two instances count separately: one gets a quarter of the requests, and its windows end 7 s later.',
      withState(() => {
        const later = new WeakSet<Call>();
        const requests = counter();
        return (parts) => ({
          admit: (call) => {
            if (requests() % 4 === 0) later.add(call);
            return parts.admit(call);
          },
          caller: (call) => (later.has(call) ? `${parts.caller(call)} later` : parts.caller(call)),
          rateLimitHeaders: (windowState, call) =>
            parts.rateLimitHeaders(
              later.has(call) ? { ...windowState, resetAt: windowState.resetAt + 7_000 } : windowState,
              call,
            ),
        });
      }),
    ],
    'free-plan-not-counted': [
      'The server does not count requests of the Free plan: they never reach a limit.',
      replace('counts', (before) => (call) => call.grant?.plan !== 'free' && before(call)),
      { companions: ['RATE-5', 'RATE-11'], needs: 'rate-limit-key' },
    ],
    'remaining-half': [
      'X-RateLimit-Remaining is a constant: half of the limit.',
      showCounts(({ window }) => ({ remaining: Math.ceil(window.limit / 2) })),
    ],
  },
  // If Remaining is too high, a 429 comes while requests remain, and shows some.
  { companions: ['RATE-6', 'RATE-10'] },
);

export const rateCountFaults = [...limitFaults, ...remainingFaults];
