import { minute } from '../keys.ts';
import { slidingWindow, windowFromFirst } from '../limiter.ts';
import { compose, perCaller, withState } from '../patch-kit/core.ts';
import { changeDecision, editHeader, minutesBy, refusal, resetHeader } from '../patch-kit/rate-limits.ts';
import { mixed } from './family.ts';

/** Mistakes in the end of a window that show if it is not used up at once. */
export const rateWindowFaults = mixed(
  {
    'refused-requests-count': [
      'RATE-8',
      'Refused requests count towards the sliding minute too, and delay the next success.',
      compose(
        minutesBy(slidingWindow),
        changeDecision((decision, call) => {
          const account = call.state.accounts.get(call.parts.caller(call));
          if (decision.verdict !== 'admitted')
            for (const limiter of account?.limiters ?? []) limiter.spend(call.at);
          return decision;
        }),
      ),
      { companions: ['RATE-13'] },
    ],
    'refusal-restarts-the-window': [
      'RATE-8',
      'The first refusal begins a new minute, but Retry-After is the end of the old one.',
      compose(
        minutesBy(windowFromFirst),
        withState(() => {
          const lock = perCaller(() => ({ end: 0 }));
          return changeDecision((decision, call) => {
            const { end } = lock(call);
            if (decision.verdict === 'admitted')
              return call.at < end ? refusal(decision.windowState, end, { remaining: 0 }) : decision;
            if (end <= call.at) lock(call).end = call.at + decision.windowState.window.seconds * 1000;
            return decision;
          });
        }),
      ),
      { companions: ['RATE-13'] },
    ],
    'reset-a-minute-from-now': [
      'RATE-2',
      'Reset is always a minute from now, but the window begins with its first request.',
      compose(
        minutesBy(windowFromFirst),
        editHeader(resetHeader, (_, call) => String(Math.ceil(call.at / 1000) + minute)),
      ),
    ],
  },
  { needs: 'rate-limit-key' },
);
