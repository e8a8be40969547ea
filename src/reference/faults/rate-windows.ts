import { minute } from '../keys.ts';
import { slidingWindow, windowFromFirst } from '../limiter.ts';
import type { Fault } from '../patch.ts';
import { perServer, together } from '../patches.ts';
import { judgeAdmission, minutesBy, onceExhausted, refusal, resetHeader, rewrite } from './rate-patches.ts';

/** Where a window ends, seen by those who do not use it up all at once: RATE-2, RATE-8. */
export const rateWindowFaults: readonly Fault[] = [
  onceExhausted({
    name: 'refused-requests-count',
    requirement: 'RATE-8',
    description: 'A refused request is put into the log of the last minute too, and keeps the next one out.',
    patch: together(
      minutesBy(slidingWindow),
      judgeAdmission((admission, call) => {
        const account = call.world.accounts.get(call.parts.caller(call));
        if (admission.verdict !== 'admitted')
          for (const limiter of account?.limiters ?? []) limiter.spend(call.at);
        return admission;
      }),
    ),
  }),
  onceExhausted({
    name: 'refusal-restarts-the-window',
    requirement: 'RATE-8',
    description:
      'The first refusal begins a new minute of its own, while Retry-After tells the end of the old one.',
    patch: together(
      minutesBy(windowFromFirst),
      perServer(() => {
        const locks = new Map<string, number>();
        return judgeAdmission((admission, call) => {
          const caller = call.parts.caller(call);
          const until = locks.get(caller) ?? 0;
          if (admission.verdict === 'admitted')
            return call.at < until ? refusal(admission.standing, until, { remaining: 0 }) : admission;
          if (until <= call.at) locks.set(caller, call.at + admission.standing.window.seconds * 1000);
          return admission;
        });
      }),
    ),
  }),
  onceExhausted({
    name: 'reset-a-minute-from-now',
    requirement: 'RATE-2',
    description: 'Reset is always a minute from now, while the window began with its first request.',
    patch: together(
      minutesBy(windowFromFirst),
      rewrite(resetHeader, (_, call) => String(Math.ceil(call.at / 1000) + minute)),
    ),
  }),
];
