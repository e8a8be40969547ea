import type { Json } from '../json/json.ts';
import type { Call } from '../reference/parts.ts';
import type { Patch } from '../reference/patch.ts';
import { around, replace } from '../reference/patches.ts';
import { ConnectionDropped, jsonReply, type Reply, textReply } from '../reference/reply.ts';

/** A server that does next to nothing, and that a careless suite would take for a good one. */
export interface DegenerateServer {
  /** Words with hyphens. */
  readonly name: string;
  /** One sentence: what it answers. */
  readonly description: string;
  /** How `run` must end: 1 where the server can be judged, 3 where it cannot. */
  readonly exit: 1 | 3;
  readonly patch: Patch;
}

/** Answers everything with this, and with the headers that every response has: only the answer itself gives it away. */
const always = (reply: Reply | ((call: Call) => Promise<Reply>)): Patch =>
  replace('respond', () => async (call) => (typeof reply === 'function' ? reply(call) : reply));

/** Answers everything with this and nothing more. */
const barely = (reply: Reply): Patch => around(async () => reply);

const error = (status: number, code: string): Reply =>
  jsonReply(status, { code, message: 'No.', status: BigInt(status) });
const pet: Json = { id: 1n, name: 'Bella', categoryId: 1n, status: 'available' };
const htmlPage = (status: number): Reply =>
  textReply(status, 'text/html; charset=utf-8', '<!doctype html><title>Welcome</title><p>It works.');

const echo = async (call: Call): Promise<Reply> => {
  const body = await call.body();
  const bytes = body.ok ? body.bytes : new Uint8Array();
  return { status: 200, headers: { 'content-type': 'application/json' }, body: { bytes } };
};

/** One of each kind. */
export const degenerateServers: readonly DegenerateServer[] = [
  {
    name: 'always-an-empty-list',
    description: 'Answers everything with 200 and an empty list.',
    exit: 1,
    patch: always(jsonReply(200, [])),
  },
  {
    name: 'always-one-list',
    description: 'Answers everything with 200 and a list of one animal.',
    exit: 1,
    patch: always(jsonReply(200, [pet])),
  },
  {
    name: 'always-one-pet',
    description: 'Answers everything with 200 and one animal.',
    exit: 1,
    patch: always(jsonReply(200, pet)),
  },
  {
    name: 'always-created',
    description: 'Answers everything with 201 and one animal.',
    exit: 1,
    patch: always(jsonReply(201, pet)),
  },
  {
    name: 'always-bad-request',
    description: 'Answers everything with 400 and an Error.',
    exit: 1,
    patch: always(error(400, 'bad_request')),
  },
  {
    name: 'always-not-found',
    description: 'Answers everything with 404 and an Error.',
    exit: 1,
    patch: always(error(404, 'not_found')),
  },
  {
    name: 'always-forbidden',
    description: 'Answers everything with 403 and an Error.',
    exit: 3,
    patch: always(error(403, 'forbidden')),
  },
  {
    name: 'always-too-many-requests',
    description: 'Answers everything with 429 and nothing else.',
    exit: 1,
    patch: barely({ status: 429, headers: {}, body: null }),
  },
  {
    name: 'always-unavailable',
    description: 'Answers everything with 503 and an HTML page.',
    exit: 1,
    patch: barely(htmlPage(503)),
  },
  {
    name: 'html-everywhere',
    description: 'Answers everything with 200 and an HTML page.',
    exit: 1,
    patch: barely(htmlPage(200)),
  },
  {
    name: 'no-content-everywhere',
    description: 'Answers everything with 204.',
    exit: 1,
    patch: always({ status: 204, headers: {}, body: null }),
  },
  {
    name: 'redirect-everywhere',
    description: 'Answers everything with 302 to a login page.',
    exit: 1,
    patch: barely({ status: 302, headers: { location: '/login' }, body: null }),
  },
  {
    name: 'echo',
    description: 'Answers everything with 200 and the body that was sent.',
    exit: 1,
    patch: always(echo),
  },
  {
    name: 'requires-no-key',
    description: 'Serves everybody, with a key or without.',
    exit: 1,
    patch: replace(
      'authenticate',
      () =>
        ({ world }) =>
          world.keys[0] ?? null,
    ),
  },
  {
    name: 'accepts-no-key',
    description: 'Answers 401 to every key.',
    exit: 3,
    patch: replace('authenticate', () => () => null),
  },
  {
    name: 'drops-every-connection',
    description: 'Closes every connection without an answer.',
    exit: 3,
    patch: around(async () => {
      throw new ConnectionDropped();
    }),
  },
];
