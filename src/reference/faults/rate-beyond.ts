import { minute } from '../keys.ts';
import type { Operation } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, perCaller, replace, respondFirst, withState } from '../patch-kit/core.ts';
import { changeDecision, editWindows, rateHeaders } from '../patch-kit/rate-limits.ts';
import { asPage, editReply, errorReply, removeHeaders } from '../patch-kit/responses.ts';
import { mixed } from './family.ts';

/** Responds like this to a key that has reached its limit, from the end of the wait on. */
const lockedOut = (status: number, code: string): Patch =>
  withState(() => {
    const wait = perCaller(() => ({ end: Number.POSITIVE_INFINITY }));
    return compose(
      changeDecision((decision, call) => {
        if (decision.verdict !== 'admitted') wait(call).end = decision.retryAt;
        return decision;
      }),
      respondFirst((call) => (call.at >= wait(call).end ? errorReply(status, code)(call) : null)),
    );
  });

const minutesLast = (seconds: number): Patch =>
  editWindows((window, grant) =>
    grant !== null && window.seconds === minute ? { ...window, seconds } : window,
  );

const refused = (operation: Operation) => ({ operation, status: 429 }) as const;

/** Mistakes after the first 429 of a list: in the next window, after the wait, and in other operations. */
export const rateBeyondFaults = mixed(
  {
    'key-revoked-once-exhausted': [
      'RATE-8',
      'A key that reached its limit is revoked: after the wait it gets 401.',
      lockedOut(401, 'unauthorized'),
      { companions: ['AUTH-6'] },
    ],
    'key-blocked-once-exhausted': [
      'RATE-8',
      'A key that reached its limit is blocked: after the wait it gets 403.',
      lockedOut(403, 'blocked'),
      { companions: ['GEN-1'] },
    ],
    'reset-of-the-window-after': [
      'RATE-2',
      'X-RateLimit-Reset is the end of the next window.',
      replace('rateLimitHeaders', (before) => (windowState, call) => {
        const resetAt = windowState.resetAt + (call.grant === null ? 0 : windowState.window.seconds * 1000);
        return before({ ...windowState, resetAt }, call);
      }),
    ],
    'minutes-of-a-second': [
      'RATE-5',
      'The limit per minute applies to each second: the unit of the window is wrong.',
      minutesLast(1),
    ],
    'minutes-of-ten-seconds': [
      'RATE-5',
      'The limit per minute applies to every ten seconds.',
      minutesLast(10),
    ],
    'no-retry-after-for-creations': [
      'RATE-7',
      'A 429 to a creation has no Retry-After; a 429 to a read has it.',
      removeHeaders(['retry-after'], refused('createPet')),
    ],
    'html-429-for-creations': [
      'GEN-2',
      'The body of a 429 to a creation is the HTML page of a proxy.',
      asPage(refused('createPet'), 'Too Many Requests'),
    ],
    'no-retry-after-for-single-animals': [
      'RATE-7',
      'A 429 to GET /pets/{petId} has no Retry-After; others have it.',
      removeHeaders(['retry-after'], refused('getPet')),
    ],
    'no-rate-headers-on-429s-for-single-animals': [
      'RATE-1',
      'A 429 to GET /pets/{petId} has no rate limit headers; others have them.',
      removeHeaders(rateHeaders, refused('getPet')),
    ],
    'html-429-for-orders': [
      'GEN-2',
      'The body of a 429 to GET /store/orders is the HTML page of a proxy.',
      asPage(refused('listOrders'), 'Too Many Requests'),
    ],
    'creations-never-refused': [
      'RATE-5',
      'Creations count like reads, but succeed when no requests remain.',
      changeDecision((decision, call) =>
        call.route.operation === 'createPet' && decision.verdict === 'limited'
          ? { ...decision, verdict: 'admitted', retryAt: call.at }
          : decision,
      ),
    ],
    'creation-over-limit-is-403': [
      'RATE-5',
      'A creation over the limit gets 403, a read 429.',
      editReply(refused('createPet'), ({ headers: { 'retry-after': _wait, ...headers } }, call) => ({
        ...errorReply(403, 'quota_exceeded')(call),
        headers,
      })),
      { companions: ['GEN-1'] },
    ],
  },
  { needs: 'rate-limit-key' },
);
