import { minute } from '../keys.ts';
import type { Operation } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { editReply, perServer, removeHeaders, replace, together } from '../patches.ts';
import { problem } from './create-patches.ts';
import { htmlPage } from './gen-answers.ts';
import { judgeAdmission, onceExhausted, rateHeaders } from './rate-patches.ts';

/** A key that has met its limit is answered so from the end of the wait on. */
const lockedOut = (status: number, code: string): Patch =>
  perServer(() => {
    const waitsUntil = new Map<string, number>();
    return together(
      judgeAdmission((admission, call) => {
        if (admission.verdict !== 'admitted') waitsUntil.set(call.parts.caller(call), admission.retryAt);
        return admission;
      }),
      replace('respond', (before) => async (call) => {
        const until = waitsUntil.get(call.parts.caller(call));
        return until !== undefined && call.at >= until ? problem(status, code)(call) : before(call);
      }),
    );
  });

const minutesLast = (seconds: number): Patch =>
  replace(
    'windows',
    (before) => (grant) =>
      before(grant).map((window) =>
        grant !== null && window.seconds === minute ? { ...window, seconds } : window,
      ),
  );

const refused = (operation: Operation) => ({ operation, status: 429 }) as const;

const htmlPageFor = (operation: Operation): Patch =>
  editReply(refused(operation), ({ headers }) => {
    const page = htmlPage(429, 'Too Many Requests');
    return { ...page, headers: { ...headers, ...page.headers } };
  });

/** What shows beyond the first 429 of a list: in its second window, after the wait, and to creations. */
export const rateBeyondFaults: readonly Fault[] = [
  onceExhausted({
    name: 'key-revoked-once-exhausted',
    requirement: 'RATE-8',
    companions: ['AUTH-6'],
    description: 'A key that has met its limit is revoked: after the wait it gets 401.',
    patch: lockedOut(401, 'unauthorized'),
  }),
  onceExhausted({
    name: 'key-blocked-once-exhausted',
    requirement: 'RATE-8',
    companions: ['GEN-1'],
    description: 'A key that has met its limit is blocked: after the wait it gets 403.',
    patch: lockedOut(403, 'blocked'),
  }),
  onceExhausted({
    name: 'reset-of-the-window-after',
    requirement: 'RATE-2',
    description: 'X-RateLimit-Reset is the end of the window after the one under way.',
    patch: replace('rateLimitHeaders', (before) => (standing, call) => {
      const resetAt = standing.resetAt + (call.grant === null ? 0 : standing.window.seconds * 1000);
      return before({ ...standing, resetAt }, call);
    }),
  }),
  onceExhausted({
    name: 'minutes-of-a-second',
    requirement: 'RATE-5',
    description: 'The limit per minute is one per second: the unit of the window is mistaken.',
    patch: minutesLast(1),
  }),
  onceExhausted({
    name: 'minutes-of-ten-seconds',
    requirement: 'RATE-5',
    description: 'What a minute allows is allowed every ten seconds.',
    patch: minutesLast(10),
  }),
  onceExhausted({
    name: 'no-retry-after-for-creations',
    requirement: 'RATE-7',
    description: 'A 429 to a creation carries no Retry-After, those to reads do.',
    patch: removeHeaders(['retry-after'], refused('createPet')),
  }),
  onceExhausted({
    name: 'html-429-for-creations',
    requirement: 'GEN-2',
    description: 'A 429 to a creation has the HTML page of a proxy for a body.',
    patch: htmlPageFor('createPet'),
  }),
  onceExhausted({
    name: 'no-retry-after-for-single-animals',
    requirement: 'RATE-7',
    description: 'A 429 to GET /pets/{petId} carries no Retry-After, the others do.',
    patch: removeHeaders(['retry-after'], refused('getPet')),
  }),
  onceExhausted({
    name: 'no-rate-headers-on-429s-for-single-animals',
    requirement: 'RATE-1',
    description: 'A 429 to GET /pets/{petId} carries no rate limit headers, the others do.',
    patch: removeHeaders(rateHeaders, refused('getPet')),
  }),
  onceExhausted({
    name: 'html-429-for-orders',
    requirement: 'GEN-2',
    description: 'A 429 to GET /store/orders has the HTML page of a proxy for a body.',
    patch: htmlPageFor('listOrders'),
  }),
  onceExhausted({
    name: 'creations-never-refused',
    requirement: 'RATE-5',
    description: 'Creations count like reads, and are served when nothing remains.',
    patch: judgeAdmission((admission, call) =>
      call.route.operation === 'createPet' && admission.verdict === 'limited'
        ? { ...admission, verdict: 'admitted', retryAt: call.at }
        : admission,
    ),
  }),
  onceExhausted({
    name: 'creation-over-limit-is-403',
    requirement: 'RATE-5',
    companions: ['GEN-1'],
    description: 'A creation over the limit gets 403, a read 429.',
    patch: editReply(refused('createPet'), ({ headers: { 'retry-after': _wait, ...headers } }, call) => ({
      ...problem(403, 'quota_exceeded')(call),
      headers,
    })),
  }),
];
