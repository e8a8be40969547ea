import type { Plan } from '../../document/plans.ts';
import { planWindows } from '../keys.ts';
import type { Call } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { perServer, replace } from '../patches.ts';
import { limitHeader, renumber, showCounts } from './rate-patches.ts';

const figure = (
  name: string,
  description: string,
  patch: Fault['patch'],
  companions: readonly string[] = [],
): Fault => ({
  name,
  requirement: 'RATE-3',
  companions,
  description,
  patch,
});

/** Where Remaining says more than remains, a 429 comes while requests remain, and shows some. */
const misleading = ['RATE-6', 'RATE-10'];
const still = (name: string, description: string, patch: Fault['patch']): Fault => ({
  name,
  requirement: 'RATE-4',
  companions: misleading,
  description,
  patch,
});

/** Everybody is given another plan. */
const otherPlan: Readonly<Record<Plan, Plan>> = {
  free: 'pro',
  pro: 'business',
  business: 'pro',
  enterprise: 'enterprise',
};

/** RATE-3: Limit is the plan's figure; RATE-4: Remaining falls. */
export const rateCountFaults: readonly Fault[] = [
  figure(
    'windows-of-another-plan',
    'The plans are mixed up: a key gets the limits of another one.',
    replace(
      'windows',
      (before) => (grant) => (grant === null ? before(grant) : planWindows[otherPlan[grant.plan]]),
    ),
  ),
  figure(
    'limit-per-hour',
    'X-RateLimit-Limit is what the minute would give in an hour.',
    renumber(limitHeader, (limit) => limit * 60),
  ),
  figure(
    'limit-shown-one-too-high',
    'X-RateLimit-Limit is one more than the plan gives.',
    renumber(limitHeader, (limit) => limit + 1),
  ),
  figure(
    'limit-counts-down',
    'X-RateLimit-Limit falls with X-RateLimit-Remaining.',
    showCounts(({ remaining }) => ({ limit: remaining })),
    ['RATE-2', 'RATE-4'],
  ),
  figure(
    'limit-doubled-on-creations',
    'A creation shows twice the limit of the plan.',
    renumber(limitHeader, (limit) => limit * 2, { operation: 'createPet' }),
  ),
  figure(
    'limit-of-all-windows-added',
    'X-RateLimit-Limit is the sum of the limits of the minute and the day.',
    showCounts((_standing, { grant, parts }) => ({
      limit: parts.windows(grant).reduce((sum, { limit }) => sum + limit, 0),
    })),
  ),
  still(
    'remaining-is-the-limit',
    'X-RateLimit-Remaining is always the limit.',
    showCounts(({ window }) => ({ remaining: window.limit })),
  ),
  still(
    'remaining-after-one',
    'Each request counts from the start: X-RateLimit-Remaining is always one below the limit.',
    showCounts(({ window }) => ({ remaining: window.limit - 1 })),
  ),
  still(
    'remaining-rises',
    'X-RateLimit-Remaining is the number of requests that were made.',
    showCounts(({ window, remaining }) => ({ remaining: window.limit - remaining })),
  ),
  still(
    'remaining-from-a-cache',
    'X-RateLimit-Remaining is read once in a window and shown until the next.',
    perServer(() => {
      const cache = new Map<string, number>();
      return showCounts(({ remaining, resetAt, window }, call) => {
        const place = `${call.parts.caller(call)} ${window.seconds} ${resetAt}`;
        const first = cache.get(place) ?? remaining;
        cache.set(place, first);
        return { remaining: first };
      });
    }),
  ),
  still(
    'remaining-jumps-back',
    'Every second answer shows the limit as X-RateLimit-Remaining: one of two instances does not count.',
    perServer(() => {
      let answers = 0;
      return showCounts(({ window, remaining }) => {
        answers += 1;
        return { remaining: answers % 2 === 0 ? window.limit : remaining };
      });
    }),
  ),
  still(
    'instances-begin-apart',
    'Two instances count by themselves, one of them a quarter of the requests, and its windows end seven seconds later.',
    perServer(() => {
      const later = new WeakSet<Call>();
      let calls = 0;
      return (parts) => ({
        admit: (call) => {
          calls += 1;
          if (calls % 4 === 0) later.add(call);
          return parts.admit(call);
        },
        caller: (call) => (later.has(call) ? `${parts.caller(call)} later` : parts.caller(call)),
        rateLimitHeaders: (standing, call) =>
          parts.rateLimitHeaders(
            later.has(call) ? { ...standing, resetAt: standing.resetAt + 7_000 } : standing,
            call,
          ),
      });
    }),
  ),
  {
    name: 'free-plan-not-counted',
    requirement: 'RATE-4',
    companions: ['RATE-5', 'RATE-11'],
    needs: 'rate-limit-key',
    description: 'The requests of the Free plan are not counted: its limit is never met.',
    patch: replace('counts', (before) => (call) => call.grant?.plan !== 'free' && before(call)),
  },
  still(
    'remaining-half',
    'X-RateLimit-Remaining is a constant from the configuration, half of the limit.',
    showCounts(({ window }) => ({ remaining: Math.ceil(window.limit / 2) })),
  ),
];
