import type { Fault, Patch } from '../patch.ts';
import { perServer } from '../patches.ts';
import { judgeAdmission, refusal, remainingHeader, renumber, showCounts } from './rate-patches.ts';

const second = 1000;

/** Refuses a key for ever, politely: each 429 says when to try again, and that nothing remains. */
const refusedFrom = (first: number, seconds: number): Patch =>
  perServer(() => {
    const requests = new Map<string, number>();
    return judgeAdmission((admission, call) => {
      const caller = call.parts.caller(call);
      const number = (requests.get(caller) ?? 0) + 1;
      requests.set(caller, number);
      if (number < first) return admission;
      const resetAt = call.at + seconds * second;
      return refusal(admission.standing, resetAt, { remaining: 0, resetAt });
    });
  });

const vain = (name: string, description: string, patch: Patch, companions: readonly string[]): Fault => ({
  name,
  requirement: 'RATE-8',
  companions,
  description,
  patch,
});

/** What is shown as remaining is one too many: the last of them is refused. */
const oneTooMany = (name: string, description: string, patch: Patch): Fault => ({
  name,
  requirement: 'RATE-6',
  companions: ['RATE-10'],
  needs: 'rate-limit-key',
  description,
  patch,
});

/**
 * RATE-8, without leave to use up a limit: a key that goes on being refused, although each Retry-After was waited out. RATE-6: a limit that
 * is met by a request that was said to remain.
 */
export const rateRefusalFaults: readonly Fault[] = [
  vain(
    'refused-from-the-start',
    'Every request with a valid key gets 429, each with a Retry-After of ten seconds.',
    refusedFrom(1, 10),
    ['RATE-13'],
  ),
  vain(
    'refused-for-ever-after-two-hundred',
    'From its two hundredth request on a key gets 429 for ever, each with a Retry-After of a minute.',
    refusedFrom(200, 60),
    ['RATE-6', 'RATE-13'],
  ),
  vain(
    'refused-for-ever-with-no-wait',
    'From its fiftieth request on a key gets 429 for ever, each with a Retry-After of a second.',
    refusedFrom(50, 1),
    ['RATE-6', 'RATE-13'],
  ),
  oneTooMany(
    'remaining-before-the-request',
    'X-RateLimit-Remaining is what remained before the request itself was counted.',
    renumber(remainingHeader, (remaining) => remaining + 1, { status: [200, 201, 400, 404] }),
  ),
  oneTooMany(
    'remaining-one-too-high',
    'X-RateLimit-Remaining is always one too high, but for a whole window.',
    showCounts(({ window, remaining }) => ({ remaining: Math.min(window.limit, remaining + 1) })),
  ),
];
