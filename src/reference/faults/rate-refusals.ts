import type { Patch } from '../patch.ts';
import { counter, perCaller, withState } from '../patch-kit/core.ts';
import {
  changeDecision,
  editNumber,
  refusal,
  remainingHeader,
  showCounts,
} from '../patch-kit/rate-limits.ts';
import { family } from './family.ts';

const second = 1000;

/** Refuses a key for ever: each 429 shows when to try again, and that nothing remains. */
const refusedFrom = (first: number, seconds: number): Patch =>
  withState(() => {
    const requests = perCaller(counter);
    return changeDecision((decision, call) => {
      if (requests(call)() < first) return decision;
      const resetAt = call.at + seconds * second;
      return refusal(decision.windowState, resetAt, { remaining: 0, resetAt });
    });
  });

/**
 * RATE-8, without permission to use up a limit: a key is refused again after each Retry-After. RATE-6: a request is
 * refused although Remaining was above 0.
 */
export const rateRefusalFaults = [
  ...family(
    'RATE-8',
    {
      'refused-from-the-start': [
        'Every request with a valid key gets 429 with a Retry-After of ten seconds.',
        refusedFrom(1, 10),
        { companions: ['RATE-13'] },
      ],
      'refused-for-ever-after-two-hundred': [
        'From its 200th request on, a key always gets 429 with a Retry-After of a minute.',
        refusedFrom(200, 60),
      ],
      'refused-for-ever-with-no-wait': [
        'From its 50th request on, a key always gets 429 with a Retry-After of a second.',
        refusedFrom(50, 1),
      ],
    },
    { companions: ['RATE-6', 'RATE-13'] },
  ),
  ...family(
    'RATE-6',
    {
      'remaining-before-the-request': [
        'X-RateLimit-Remaining does not count the request itself.',
        editNumber(remainingHeader, (remaining) => remaining + 1, { status: [200, 201, 400, 404] }),
      ],
      'remaining-one-too-high': [
        'X-RateLimit-Remaining is one too high, except at the start of a window.',
        showCounts(({ window, remaining }) => ({ remaining: Math.min(window.limit, remaining + 1) })),
      ],
    },
    { companions: ['RATE-10'], needs: 'rate-limit-key' },
  ),
];
