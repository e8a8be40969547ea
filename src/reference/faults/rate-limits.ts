import { day, minute, planWindows } from '../keys.ts';
import type { Fault, Patch } from '../patch.ts';
import { perServer, replace, together } from '../patches.ts';
import { problem } from './create-patches.ts';
import { judgeAdmission, refusal, secretlyScaled } from './rate-patches.ts';

const needs = 'rate-limit-key';
const second = 1000;

/** Requests are refused while requests remain, for a second. `make`: judges the requests of one key, by number and time. */
const refusedEarly = (make: () => (nth: number, at: number) => boolean): Patch =>
  perServer(() => {
    const keys = new Map<string, { readonly isRefused: ReturnType<typeof make>; nth: number }>();
    return judgeAdmission((admission, call) => {
      const caller = call.parts.caller(call);
      const key = keys.get(caller) ?? { isRefused: make(), nth: 0 };
      keys.set(caller, key);
      key.nth += 1;
      const refused = admission.verdict === 'admitted' && key.isRefused(key.nth, call.at);
      return refused ? refusal(admission.standing, call.at + second) : admission;
    });
  });

/** How much is served, to whom, and when again: RATE-5, RATE-6, RATE-8, RATE-9, RATE-11. */
export const rateLimitFaults: readonly Fault[] = [
  {
    name: 'never-limited',
    requirement: 'RATE-5',
    companions: ['RATE-11'],
    needs,
    description: 'Requests are counted and never refused.',
    patch: judgeAdmission((admission, call) => ({ ...admission, verdict: 'admitted', retryAt: call.at })),
  },
  {
    name: 'limit-shown-and-never-counted',
    requirement: 'RATE-5',
    companions: ['RATE-4', 'RATE-11'],
    needs,
    description: 'The headers show a limit of which everything remains, and no request is counted.',
    patch: replace('counts', () => () => false),
  },
  {
    name: 'rate-headers-are-constants',
    requirement: 'RATE-5',
    companions: ['RATE-4', 'RATE-11'],
    needs,
    description: 'Remaining is one below the limit and Reset is a minute away, always: nothing is counted.',
    patch: together(
      replace('counts', () => () => false),
      replace(
        'rateLimitHeaders',
        (before) => (standing, call) =>
          before({ ...standing, remaining: standing.window.limit - 1, resetAt: call.at + 60 * second }, call),
      ),
    ),
  },
  {
    name: 'limited-at-120-percent',
    requirement: 'RATE-5',
    companions: ['RATE-11'],
    needs,
    description: 'A fifth more than the limit is served.',
    patch: secretlyScaled(1.2),
  },
  {
    name: 'limited-at-twice-the-limit',
    requirement: 'RATE-5',
    companions: ['RATE-11'],
    needs,
    description: 'Twice the limit is served, while the headers show the plan.',
    patch: secretlyScaled(2),
  },
  {
    name: 'free-plan-has-business-limits',
    requirement: 'RATE-5',
    companions: ['RATE-3', 'RATE-11'],
    needs,
    description: 'A Free key gets the limits of Business, whose minute has the figure of its own day.',
    patch: replace(
      'windows',
      (before) => (grant) => (grant?.plan === 'free' ? planWindows.business : before(grant)),
    ),
  },
  {
    name: 'instances-count-apart',
    requirement: 'RATE-5',
    companions: ['RATE-4', 'RATE-6', 'RATE-11'],
    needs,
    description: 'Three instances behind a balancer count by themselves: three times the limit is served.',
    patch: perServer(() => {
      let turn = 0;
      return replace('caller', (before) => (call) => {
        turn = (turn + 1) % 3;
        return call.grant === null ? before(call) : `${before(call)} ${turn}`;
      });
    }),
  },
  {
    name: 'every-second-request-slips-through',
    requirement: 'RATE-5',
    companions: ['RATE-11'],
    needs,
    description: 'Over the limit every second request is served all the same.',
    patch: perServer(() => {
      let refused = 0;
      return judgeAdmission((admission, call) => {
        if (admission.verdict === 'admitted') return admission;
        refused += 1;
        return refused % 2 === 0 ? { ...admission, verdict: 'admitted', retryAt: call.at } : admission;
      });
    }),
  },
  {
    name: 'limited-at-half',
    requirement: 'RATE-6',
    companions: ['RATE-10', 'RATE-11'],
    needs,
    description: 'Half of the limit is served, while the headers say that the other half remains.',
    patch: secretlyScaled(0.5),
  },
  {
    name: 'limited-at-eighty-percent',
    requirement: 'RATE-6',
    companions: ['RATE-10', 'RATE-11'],
    needs,
    description: 'A fifth less than the limit is served, while the headers say that it remains.',
    patch: secretlyScaled(0.8),
  },
  {
    name: 'every-twentieth-request-refused',
    requirement: 'RATE-6',
    companions: ['RATE-8', 'RATE-10'],
    needs,
    description: 'Every twentieth request gets 429, whatever remains.',
    patch: refusedEarly(() => (nth) => nth % 20 === 0),
  },
  {
    name: 'every-twentieth-request-refused-while-the-day-is-shown',
    requirement: 'RATE-6',
    companions: ['RATE-8', 'RATE-10'],
    needs,
    description: 'The headers show the limit of the day, and every twentieth request gets 429.',
    patch: together(
      replace(
        'shown',
        () => (standings) => standings.reduce((a, b) => (b.window.seconds > a.window.seconds ? b : a)),
      ),
      refusedEarly(() => (nth) => nth % 20 === 0),
    ),
  },
  {
    name: 'ten-a-second-at-most',
    requirement: 'RATE-6',
    companions: ['RATE-10'],
    needs,
    description: 'More than ten requests in a second get 429, though requests remain.',
    patch: refusedEarly(() => {
      let current = 0;
      let used = 0;
      return (_nth, at) => {
        const now = Math.floor(at / second);
        used = now === current ? used + 1 : 1;
        current = now;
        return used > 10;
      };
    }),
  },
  {
    name: 'never-recovers',
    requirement: 'RATE-8',
    companions: ['RATE-13'],
    needs,
    description: 'A key that has once met its limit is refused for ever, with a new Retry-After each time.',
    patch: perServer(() => {
      const lost = new Set<string>();
      return judgeAdmission((admission, call) => {
        const caller = call.parts.caller(call);
        if (admission.verdict !== 'admitted') lost.add(caller);
        if (!lost.has(caller) || admission.verdict !== 'admitted') return admission;
        return refusal(admission.standing, admission.standing.resetAt, { remaining: 0 });
      });
    }),
  },
  {
    name: 'recovers-a-window-late',
    requirement: 'RATE-8',
    companions: ['RATE-13'],
    needs,
    description: 'A key stays locked for a window longer than Retry-After says.',
    patch: perServer(() => {
      const lockedUntil = new Map<string, number>();
      return judgeAdmission((admission, call) => {
        const caller = call.parts.caller(call);
        const { standing, retryAt, verdict } = admission;
        if (verdict !== 'admitted') lockedUntil.set(caller, retryAt + standing.window.seconds * second);
        const locked = call.at < (lockedUntil.get(caller) ?? 0);
        return verdict === 'admitted' && locked
          ? refusal(standing, standing.resetAt, { remaining: 0 })
          : admission;
      });
    }),
  },
  {
    name: 'keys-share-one-bucket',
    requirement: 'RATE-9',
    companions: ['RATE-3', 'RATE-5', 'RATE-6', 'RATE-11'],
    needs,
    description: 'All keys are charged to one account, as if they were one caller behind an address.',
    patch: replace('caller', (before) => (call) => (call.grant === null ? before(call) : 'everybody')),
  },
  {
    name: 'keys-share-one-counter',
    requirement: 'RATE-9',
    companions: [],
    needs,
    description:
      'One counter has the requests of all keys, and each key is held to the limit of its own plan.',
    patch: judgeAdmission((admission, call) => {
      const { parts, world, at } = call;
      if (admission.verdict !== 'admitted' || !parts.counts(call)) return admission;
      for (const [caller, { limiters }] of world.accounts)
        if (caller.startsWith('key ') && caller !== parts.caller(call))
          for (const limiter of limiters) limiter.spend(at);
      return admission;
    }),
  },
  {
    name: 'one-exhausted-key-locks-all',
    requirement: 'RATE-9',
    companions: ['RATE-6'],
    needs,
    description: 'While one key is over its limit every other one is refused too.',
    patch: perServer(() => {
      let lockedUntil = 0;
      return judgeAdmission((admission, call) => {
        if (admission.verdict !== 'admitted') lockedUntil = Math.max(lockedUntil, admission.retryAt);
        const locked = admission.verdict === 'admitted' && call.at < lockedUntil;
        return locked ? refusal(admission.standing, lockedUntil, { remaining: 0 }) : admission;
      });
    }),
  },
  {
    name: 'exhausted-key-makes-all-503',
    requirement: 'RATE-9',
    companions: ['GEN-1', 'GEN-4'],
    needs,
    description: 'While one key is over its limit every other one gets 503.',
    patch: perServer(() => {
      let lockedUntil = 0;
      return together(
        judgeAdmission((admission) => {
          if (admission.verdict !== 'admitted') lockedUntil = Math.max(lockedUntil, admission.retryAt);
          return admission;
        }),
        replace(
          'respond',
          (before) => async (call) =>
            call.grant !== null && call.at < lockedUntil ? problem(503, 'unavailable')(call) : before(call),
        ),
      );
    }),
  },
  {
    name: 'no-day-limit',
    requirement: 'RATE-11',
    companions: [],
    needs: 'exhaust-daily',
    description: 'Only the minute is limited, not the day.',
    patch: replace('windows', (before) => (grant) => {
      const shorter = before(grant).filter(({ seconds }) => seconds < day);
      return shorter.length > 0 ? shorter : before(grant).map((window) => ({ ...window, seconds: minute }));
    }),
  },
  {
    name: 'day-limited-at-150-percent',
    requirement: 'RATE-11',
    companions: [],
    needs: 'exhaust-daily',
    description: 'Half as much again as the limit of the day is served.',
    patch: secretlyScaled(1.5, ({ seconds }) => seconds === day),
  },
  {
    name: 'day-limited-at-110-percent',
    requirement: 'RATE-11',
    companions: [],
    needs: 'exhaust-daily',
    description: 'A tenth more than the limit of the day is served.',
    patch: secretlyScaled(1.1, ({ seconds }) => seconds === day),
  },
  {
    name: 'over-day-limit-is-403',
    requirement: 'RATE-11',
    companions: ['GEN-1'],
    needs: 'exhaust-daily',
    description: 'A request over the limit of the day gets 403, one over that of the minute 429.',
    patch: replace(
      'rateLimited',
      (before) => (admission, call) =>
        admission.standing.window.seconds === day
          ? problem(403, 'quota_exceeded')(call)
          : before(admission, call),
    ),
  },
];
