import type { Json } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { replace, wrap } from '../patch-kit/core.ts';
import { ConnectionDropped, jsonReply, type Reply, textReply } from '../reply.ts';

/** A server that does one thing for every request. A run must never call it conformant. */
export interface Degenerate {
  /** Words with hyphens, unique among degenerate servers. */
  readonly name: string;
  /** One sentence: what the server does. */
  readonly description: string;
  /** The exit code of a run: 1 if a MUST fails, 3 if it cannot be tested. */
  readonly expectedExit: 1 | 3;
  /** Turns the conforming server into it. Rate limits and their headers are correct unless the description says otherwise. */
  readonly patch: Patch;
}

/** Returns the same response to every request, with the headers that every response has. */
const always = (respond: (call: Call) => Reply | Promise<Reply>): Patch =>
  replace('respond', () => async (call) => respond(call));

/** Returns only this response, without other headers. */
const barely = (reply: Reply): Patch => wrap(async () => reply);

const pet = { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' };

const error = (status: number): Json => ({ code: 'error', message: 'No', status: BigInt(status) });
const page = '<!doctype html><title>Welcome</title><h1>It works!</h1>';

/** Returns the body of the request. */
async function echo(call: Call, status: number): Promise<Reply> {
  const body = await call.body();
  const bytes = body.ok ? body.bytes : new Uint8Array();
  return { status, headers: { 'content-type': 'application/json' }, body: { bytes } };
}

const byAnswer: readonly (readonly [name: string, description: string, patch: Patch])[] = [
  ['always-an-empty-array', 'Every response is 200 with [].', always(() => jsonReply(200, []))],
  ['always-an-empty-object', 'Every response is 200 with {}.', always(() => jsonReply(200, {}))],
  ['always-null', 'Every response is 200 with null.', always(() => jsonReply(200, null))],
  ['always-one-animal', 'Every response is 200 with the same valid Pet.', always(() => jsonReply(200, pet))],
  [
    'always-a-created-animal',
    'Every response is 201 with the same valid Pet.',
    always(() => jsonReply(201, pet)),
  ],
  [
    'always-a-list-of-one',
    'Every response is 200 with the same list of one valid Pet.',
    always(() => jsonReply(200, [pet])),
  ],
  [
    'always-empty',
    'Every response is 200 without a body.',
    always(() => ({ status: 200, headers: {}, body: null })),
  ],
  ['always-204', 'Every response is 204.', always(() => ({ status: 204, headers: {}, body: null }))],
  ['always-400', 'Every response is 400 with a valid Error.', always(() => jsonReply(400, error(400)))],
  ['always-404', 'Every response is 404 with a valid Error.', always(() => jsonReply(404, error(404)))],
  ['always-500', 'Every response is 500 with a valid Error.', always(() => jsonReply(500, error(500)))],
  [
    'always-html',
    'Every response is 200 with the same page.',
    always(() => textReply(200, 'text/html', page)),
  ],
  [
    'always-429',
    'Every response is 429, without any header or body.',
    barely({ status: 429, headers: {}, body: null }),
  ],
  [
    'always-redirected',
    'Every response is 302, to a login page.',
    always(() => ({ status: 302, headers: { location: '/login' }, body: null })),
  ],
  ['echo', 'Every response is 200 with the body of the request.', always((call) => echo(call, 200))],
  ['echo-created', 'Every response is 201 with the body of the request.', always((call) => echo(call, 201))],
];

/** Every degenerate server. */
export const degenerates: readonly Degenerate[] = [
  ...byAnswer.map(([name, description, patch]) => ({ name, description, expectedExit: 1 as const, patch })),
  {
    name: 'always-html-alone',
    description: 'Every response is 200 with the same page, without rate limit headers.',
    expectedExit: 3,
    patch: barely(textReply(200, 'text/html', page)),
  },
  {
    name: 'drops-every-connection',
    description: 'Every connection is accepted and dropped.',
    expectedExit: 1,
    patch: wrap(() => Promise.reject(new ConnectionDropped())),
  },
  {
    name: 'never-answers',
    description: 'Every response takes an hour.',
    expectedExit: 1,
    patch: wrap(async (call, next) => {
      await call.state.clock.sleep(3_600_000);
      return next();
    }),
  },
  {
    name: 'requires-no-key',
    description: 'All is as it should be, but that everybody is served, with any key and without.',
    expectedExit: 1,
    patch: replace('authenticate', (before) => (arrival) => before(arrival) ?? arrival.state.keys[0] ?? null),
  },
  {
    name: 'accepts-no-key',
    description: 'All is as it should be, but that every key is refused with 401.',
    expectedExit: 3,
    patch: replace('authenticate', () => () => null),
  },
  {
    name: 'always-401',
    description: 'Every response is the same 401 with a valid Error.',
    expectedExit: 3,
    patch: always(() => jsonReply(401, error(401))),
  },
  {
    name: 'always-403',
    description: 'Every response is 403 with a valid Error.',
    expectedExit: 3,
    patch: always(() => jsonReply(403, error(403))),
  },
];
