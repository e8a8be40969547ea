import { minute } from '../keys.ts';
import { slidingWindow, windowFromFirst } from '../limiter.ts';
import { compose, perCaller, withState } from '../patch-kit/core.ts';
import { editHeader, judgeAdmission, minutesBy, refusal, resetHeader } from '../patch-kit/rate-limits.ts';
import { mixed } from './family.ts';

/** Mistakes in the end of a window that show if it is not used up at once. */
export const rateWindowFaults = mixed(
  {
    'refused-requests-count': [
      'RATE-8',
      'Refused requests count towards the sliding minute too, and delay the next success.',
      compose(
        minutesBy(slidingWindow),
        judgeAdmission((admission, call) => {
          const account = call.state.accounts.get(call.parts.caller(call));
          if (admission.verdict !== 'admitted')
            for (const limiter of account?.limiters ?? []) limiter.spend(call.at);
          return admission;
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
          return judgeAdmission((admission, call) => {
            const { end } = lock(call);
            if (admission.verdict === 'admitted')
              return call.at < end ? refusal(admission.windowState, end, { remaining: 0 }) : admission;
            if (end <= call.at) lock(call).end = call.at + admission.windowState.window.seconds * 1000;
            return admission;
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
