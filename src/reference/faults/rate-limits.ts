import { hashOf } from '../../util/hash.ts';
import { day, minute, planWindows } from '../keys.ts';
import type { Patch } from '../patch.ts';
import { compose, counter, perCaller, replace, respondToKey, withState } from '../patch-kit/core.ts';
import {
  changeDecision,
  longestWindow,
  refusal,
  secretlyScaled,
  showCounts,
} from '../patch-kit/rate-limits.ts';
import { errorReply } from '../patch-kit/responses.ts';
import { family } from './family.ts';

const needs = 'rate-limit-key';
const second = 1000;

const countsNothing = replace('counts', () => () => false);

/** Counts a request when its response is ready: requests at the same time see the same count. */
const countedAtTheEnd: Patch = compose(
  countsNothing,
  showCounts(({ remaining }) => ({ remaining: Math.max(0, remaining - 1) })),
  replace('respond', (before) => async (call) => {
    const { state, parts } = call;
    const reply = await before(call);
    await state.clock.sleep(20);
    const account = state.accounts.get(parts.caller(call));
    for (const limiter of account?.limiters ?? []) limiter.spend(parts.time(state.clock.now()));
    return reply;
  }),
);

/** RATE-5: requests over the limit are refused. */
const tooManyFaults = family(
  'RATE-5',
  {
    'never-limited': [
      'Requests are counted and never refused.',
      changeDecision((decision, call) => ({ ...decision, verdict: 'admitted', retryAt: call.at })),
    ],
    'limit-shown-and-never-counted': [
      'The headers show a limit, but the server counts no request.',
      countsNothing,
      { companions: ['RATE-4', 'RATE-11'] },
    ],
    'rate-headers-are-constants': [
      'Remaining is always one below the limit, and Reset always a minute away: the server counts nothing.',
      compose(
        countsNothing,
        replace(
          'rateLimitHeaders',
          (before) => (windowState, call) =>
            before(
              { ...windowState, remaining: windowState.window.limit - 1, resetAt: call.at + 60 * second },
              call,
            ),
        ),
      ),
      { companions: ['RATE-4', 'RATE-11'] },
    ],
    'requests-counted-when-they-end': [
      'A request counts only when its response is ready: several at the same time pass the limit.',
      countedAtTheEnd,
    ],
    'limited-at-120-percent': ['A fifth more requests than the limit succeed.', secretlyScaled(1.2)],
    'limited-at-twice-the-limit': ['Twice the limit of requests succeed.', secretlyScaled(2)],
    'free-plan-has-business-limits': [
      'A Free key gets the limits of Business; a Business minute equals a Free day.',
      replace(
        'windows',
        (before) => (grant) => (grant?.plan === 'free' ? planWindows.business : before(grant)),
      ),
      { companions: ['RATE-3', 'RATE-11'] },
    ],
    'instances-count-apart': [
      'Three instances behind a balancer count separately: three times the limit succeeds.',
      withState(() => {
        const requests = counter();
        return replace('caller', (before) => (call) => {
          const turn = requests() % 3;
          return call.grant === null ? before(call) : `${before(call)} ${turn}`;
        });
      }),
      { companions: ['RATE-4', 'RATE-6', 'RATE-11'] },
    ],
    'instances-count-apart-in-no-order': [
      'Three instances behind a balancer that picks one at random count separately: more than the limit succeeds.',
      withState(() => {
        const requests = counter();
        return replace('caller', (before) => (call) => {
          const instance = hashOf(String(requests())) % 3;
          return call.grant === null ? before(call) : `${before(call)} ${instance}`;
        });
      }),
      { companions: ['RATE-4', 'RATE-6', 'RATE-11'] },
    ],
    'every-second-request-slips-through': [
      'Every second request over the limit succeeds.',
      withState(() => {
        const refusals = counter();
        return changeDecision((decision, call) =>
          decision.verdict !== 'admitted' && refusals() % 2 === 0
            ? { ...decision, verdict: 'admitted', retryAt: call.at }
            : decision,
        );
      }),
    ],
  },
  { companions: ['RATE-11'], needs },
);

/** Refuses requests for a second while requests remain. `make`: judges the requests of one key, by number and time. */
const refusedEarly = (make: () => (nth: number, at: number) => boolean): Patch =>
  withState(() => {
    const keys = perCaller(() => ({ isRefused: make(), requests: counter() }));
    return changeDecision((decision, call) => {
      const { isRefused, requests } = keys(call);
      const nth = requests();
      return decision.verdict === 'admitted' && isRefused(nth, call.at)
        ? refusal(decision.windowState, call.at + second)
        : decision;
    });
  });

const everyTwentieth = refusedEarly(() => (nth) => nth % 20 === 0);

/** RATE-6: requests within the limit are not refused. */
const tooFewFaults = family(
  'RATE-6',
  {
    'limited-at-half': [
      'Half of the limit succeeds, while the headers show that the other half remains.',
      secretlyScaled(0.5),
      { companions: ['RATE-10', 'RATE-11'] },
    ],
    'limited-at-eighty-percent': [
      'A fifth less than the limit succeeds, while the headers show that it remains.',
      secretlyScaled(0.8),
      { companions: ['RATE-10', 'RATE-11'] },
    ],
    'every-twentieth-request-refused': ['Every twentieth request gets 429.', everyTwentieth],
    'every-twentieth-request-refused-while-the-day-is-shown': [
      'The headers show the limit of the day, and every twentieth request gets 429.',
      compose(
        replace('shown', () => longestWindow),
        everyTwentieth,
      ),
    ],
    'ten-a-second-at-most': [
      'More than ten requests in a second get 429, though requests remain.',
      refusedEarly(() => {
        let current = 0;
        let used = 0;
        return (_nth, at) => {
          const now = Math.floor(at / second);
          used = now === current ? used + 1 : 1;
          current = now;
          return used > 10;
        };
      }),
      { companions: ['RATE-10'] },
    ],
  },
  { companions: ['RATE-8', 'RATE-10'], needs },
);

/** RATE-8: after Retry-After, requests succeed. */
const neverAgainFaults = family(
  'RATE-8',
  {
    'never-recovers': [
      'A key that reached its limit is refused for ever, with a new Retry-After each time.',
      withState(() => {
        const key = perCaller(() => ({ isLost: false }));
        return changeDecision((decision, call) => {
          if (decision.verdict !== 'admitted') key(call).isLost = true;
          if (!key(call).isLost || decision.verdict !== 'admitted') return decision;
          return refusal(decision.windowState, decision.windowState.resetAt, { remaining: 0 });
        });
      }),
    ],
    'recovers-a-window-late': [
      'A key stays locked for a window longer than Retry-After says.',
      withState(() => {
        const lock = perCaller(() => ({ end: 0 }));
        return changeDecision((decision, call) => {
          const { windowState, retryAt, verdict } = decision;
          if (verdict !== 'admitted') lock(call).end = retryAt + windowState.window.seconds * second;
          return verdict === 'admitted' && call.at < lock(call).end
            ? refusal(windowState, windowState.resetAt, { remaining: 0 })
            : decision;
        });
      }),
    ],
  },
  { companions: ['RATE-13'], needs },
);

/** RATE-9: each key has its own limit. */
const sharedFaults = family(
  'RATE-9',
  {
    'keys-share-one-bucket': [
      'All keys share one limit, as if they were one caller.',
      replace('caller', (before) => (call) => (call.grant === null ? before(call) : 'everybody')),
      { companions: ['RATE-3', 'RATE-5', 'RATE-6', 'RATE-11'] },
    ],
    'keys-share-one-counter': [
      'One counter has the requests of all keys, and each key has the limit of its plan.',
      changeDecision((decision, call) => {
        const { parts, state, at } = call;
        if (decision.verdict !== 'admitted' || !parts.counts(call)) return decision;
        for (const [caller, { limiters }] of state.accounts)
          if (caller.startsWith('key ') && caller !== parts.caller(call))
            for (const limiter of limiters) limiter.spend(at);
        return decision;
      }),
    ],
    'one-exhausted-key-locks-all': [
      'While one key is over its limit, every other key gets 429.',
      withState(() => {
        let lockedUntil = 0;
        return changeDecision((decision, call) => {
          if (decision.verdict !== 'admitted') lockedUntil = Math.max(lockedUntil, decision.retryAt);
          return decision.verdict === 'admitted' && call.at < lockedUntil
            ? refusal(decision.windowState, lockedUntil, { remaining: 0 })
            : decision;
        });
      }),
      { companions: ['RATE-6'] },
    ],
    'exhausted-key-makes-all-503': [
      'While one key is over its limit, every other key gets 503.',
      withState(() => {
        let lockedUntil = 0;
        return compose(
          changeDecision((decision) => {
            if (decision.verdict !== 'admitted') lockedUntil = Math.max(lockedUntil, decision.retryAt);
            return decision;
          }),
          respondToKey((call) => (call.at < lockedUntil ? errorReply(503, 'unavailable')(call) : null)),
        );
      }),
      { companions: ['GEN-1', 'GEN-4', 'LIST-1'] },
    ],
  },
  { needs },
);

/** RATE-11: a day has a limit too. */
const dayFaults = family(
  'RATE-11',
  {
    'no-day-limit': [
      'Only the minute has a limit, not the day.',
      replace('windows', (before) => (grant) => {
        const shorter = before(grant).filter(({ seconds }) => seconds < day);
        return shorter.length > 0 ? shorter : before(grant).map((window) => ({ ...window, seconds: minute }));
      }),
    ],
    'day-limited-at-150-percent': [
      '150 % of the limit of the day succeeds.',
      secretlyScaled(1.5, ({ seconds }) => seconds === day),
    ],
    'day-limited-at-110-percent': [
      '110 % of the limit of the day succeeds.',
      secretlyScaled(1.1, ({ seconds }) => seconds === day),
    ],
    'over-day-limit-is-403': [
      'A request over the limit of the day gets 403; over the limit of the minute it gets 429.',
      replace(
        'rateLimited',
        (before) => (decision, call) =>
          decision.windowState.window.seconds === day
            ? errorReply(403, 'quota_exceeded')(call)
            : before(decision, call),
      ),
      { companions: ['GEN-1'] },
    ],
  },
  { needs: 'exhaust-daily' },
);

/** Mistakes in what is limited: how much, for whom, and how long. */
export const rateLimitFaults = [
  ...tooManyFaults,
  ...tooFewFaults,
  ...neverAgainFaults,
  ...sharedFaults,
  ...dayFaults,
];
