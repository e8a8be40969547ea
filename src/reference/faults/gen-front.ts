import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { respondInFront, withState } from '../patch-kit/core.ts';
import { failWith } from '../patch-kit/failures.ts';
import { isMalformedPath, petIdOf } from '../patch-kit/paths.ts';
import { htmlPage, mergeReply, removeHeaders } from '../patch-kit/responses.ts';
import { type Reply, withHeaders } from '../reply.ts';
import { mixed } from './family.ts';

/** Responds like a gateway, with none of the API's headers, in place of the application. */
const inFront = (when: (call: Call) => boolean, respond: (call: Call) => Reply): Patch =>
  respondInFront((call) => {
    if (!when(call)) return null;
    const reply = respond(call);
    return { ...reply, headers: { date: new Date(call.at).toUTCString(), ...reply.headers } };
  });

const badRequest = (): Reply => htmlPage(400, 'Bad Request');

/** The application itself refuses a path that cannot be decoded. */
const ofUndecodableIds = { status: 404, when: (_reply: Reply, call: Call) => isMalformedPath(call) };

/** Mistakes that look like a refusal in front of the application, or follow one. */
export const frontFaults = mixed({
  'ids-that-are-words-refused-in-front': [
    'GET-3',
    'A route pattern refuses a petId with letters: 400 with an HTML page and no other header.',
    inFront((call) => /^[a-z]+$/i.test(petIdOf(call)), badRequest),
    { companions: ['GEN-2', 'ERR-1', 'RATE-1', 'AUTH-4'] },
  ],
  'limits-out-of-bounds-refused-in-front': [
    'ERR-1',
    'A gateway schema refuses a limit out of bounds: 400 with an HTML page and no other header.',
    inFront(({ url }) => {
      const limit = url.searchParams.get('limit') ?? '1';
      return /^-?\d+$/.test(limit) && (Number(limit) < 1 || Number(limit) > 100);
    }, badRequest),
    { companions: ['GEN-2', 'RATE-1', 'AUTH-4'] },
  ],
  'quotes-in-queries-refused-without-rate-limit-headers': [
    'RATE-1',
    'A filter refuses quotation marks in queries with a valid Error, before the rate limit is checked.',
    inFront(
      ({ url }) => url.search.includes('%27'),
      (call) =>
        withHeaders(call.parts.fail('invalid-parameter', call), { 'content-type': 'application/json' }),
    ),
  ],
  'undecodable-ids-refused-with-a-page': [
    'GET-3',
    'The application refuses a petId that it cannot decode with an HTML page; the rate limit headers are present.',
    mergeReply(ofUndecodableIds, { ...badRequest(), headers: { 'content-type': 'text/html' } }),
    { companions: ['GEN-2', 'ERR-1'] },
  ],
  'undecodable-ids-refused-without-reset': [
    'RATE-1',
    'The refusal of a petId that cannot be decoded has no X-RateLimit-Reset.',
    removeHeaders(['x-ratelimit-reset'], ofUndecodableIds),
  ],
  'undecodable-ids-redirected': [
    'GET-3',
    'A path that cannot be decoded is redirected to the start page.',
    inFront(isMalformedPath, () => ({ status: 302, headers: { location: '/' }, body: null })),
  ],
  'undecodable-ids-end-the-server': [
    'GEN-4',
    'A path that cannot be decoded gets 400, and ends the process: no later request gets a response.',
    withState(() => {
      let hasEnded = false;
      return inFront(
        (call) => hasEnded || isMalformedPath(call),
        () => {
          if (hasEnded) return failWith('drop');
          hasEnded = true;
          return badRequest();
        },
      );
    }),
  ],
  'nul-in-ids-fails-in-front': [
    'GEN-4',
    'The gateway cannot forward a path with NUL: 502 with its own page.',
    inFront(
      ({ url }) => url.pathname.includes('%00'),
      () => htmlPage(502, 'Bad Gateway'),
    ),
    { companions: ['GET-3'] },
  ],
});
