import { isMalformed } from '../malformed-path.ts';
import type { Call } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { around, editReply, perServer } from '../patches.ts';
import type { Reply } from '../reply.ts';
import { failWith, htmlPage } from './gen-answers.ts';

const dated = (reply: Reply, call: Call): Reply => ({
  ...reply,
  headers: { date: new Date(call.at).toUTCString(), ...reply.headers },
});

const badRequest = (call: Call): Reply => dated(htmlPage(400, 'Bad Request'), call);

const isMalformedPath = ({ url }: Call): boolean => isMalformed(url.pathname);

/** Refuses like a gateway, with none of the API's headers, in place of the application. */
const refuseInFront = (isRefused: (call: Call) => boolean): Patch =>
  around(async (call, next) => (isRefused(call) ? badRequest(call) : next()));

const petId = ({ route }: Call): string => (route.operation === 'getPet' ? route.petId : '0');

/** The application refuses a path that cannot be decoded: `edit` changes its 404. */
const refusedByApplication = (edit: (reply: Reply) => Reply): Patch =>
  editReply({ status: 404, when: (_reply, call) => isMalformedPath(call) }, edit);

/** Mistakes that look like a refusal in front of the application, or follow one. */
export const frontFaults: readonly Fault[] = [
  {
    name: 'ids-that-are-words-refused-in-front',
    requirement: 'GET-3',
    companions: ['GEN-2', 'ERR-1', 'RATE-1', 'AUTH-4'],
    description:
      'The pattern of a route refuses a petId with letters: 400 with an HTML page and no other header.',
    patch: refuseInFront((call) => /^[a-z]+$/i.test(petId(call))),
  },
  {
    name: 'limits-out-of-bounds-refused-in-front',
    requirement: 'ERR-1',
    companions: ['GEN-2', 'RATE-1', 'AUTH-4'],
    description:
      'A schema in the gateway refuses a limit out of bounds: 400 with an HTML page and no other header.',
    patch: refuseInFront(({ url }) => {
      const limit = url.searchParams.get('limit') ?? '1';
      return /^-?\d+$/.test(limit) && (Number(limit) < 1 || Number(limit) > 100);
    }),
  },
  {
    name: 'quotes-in-queries-refused-without-rate-limit-headers',
    requirement: 'RATE-1',
    companions: [],
    description:
      'A filter for quotation marks in queries refuses with a proper Error, before the limits are looked at.',
    patch: around(async (call, next) =>
      call.url.search.includes('%27')
        ? dated(
            {
              ...call.parts.fail('invalid-parameter', call),
              headers: { 'content-type': 'application/json' },
            },
            call,
          )
        : next(),
    ),
  },
  {
    name: 'undecodable-ids-refused-with-a-page',
    requirement: 'GET-3',
    companions: ['GEN-2', 'ERR-1'],
    description:
      'The application refuses a petId that it cannot decode with an HTML page; the rate limit headers are there.',
    patch: refusedByApplication((reply) => ({
      ...reply,
      ...htmlPage(400, 'Bad Request'),
      headers: { ...reply.headers, 'content-type': 'text/html' },
    })),
  },
  {
    name: 'undecodable-ids-refused-without-reset',
    requirement: 'RATE-1',
    companions: [],
    description: 'For a petId that cannot be decoded the limit is shown without the time of its reset.',
    patch: refusedByApplication(({ headers: { 'x-ratelimit-reset': _, ...headers }, ...reply }) => ({
      ...reply,
      headers,
    })),
  },
  {
    name: 'undecodable-ids-redirected',
    requirement: 'GET-3',
    companions: [],
    description: 'A path that cannot be decoded is redirected to the start page.',
    patch: around(async (call, next) =>
      isMalformedPath(call) ? dated({ status: 302, headers: { location: '/' }, body: null }, call) : next(),
    ),
  },
  {
    name: 'undecodable-ids-end-the-server',
    requirement: 'GEN-4',
    companions: [],
    description:
      'A path that cannot be decoded is refused with 400, and ends the process: nothing responds after it.',
    patch: perServer(() => {
      let hasEnded = false;
      return around(async (call, next) => {
        if (hasEnded) return failWith('drop');
        hasEnded = isMalformedPath(call);
        return hasEnded ? badRequest(call) : next();
      });
    }),
  },
  {
    name: 'nul-in-ids-fails-in-front',
    requirement: 'GEN-4',
    companions: ['GET-3'],
    description: 'The gateway cannot forward a path with NUL: 502 with a page of its own.',
    patch: around(async (call, next) =>
      call.url.pathname.includes('%00') ? dated(htmlPage(502, 'Bad Gateway'), call) : next(),
    ),
  },
];
