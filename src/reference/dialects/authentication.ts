import type { Dialect, Patch } from '../patch.ts';
import { replace } from '../patches.ts';

const challenge = (name: string, value: string): Dialect => ({
  name,
  choice: 'challenge',
  description: `401 carries the challenge ${value}.`,
  patch: replace('unauthenticated', (before) => async (call) => {
    const reply = await before(call);
    return { ...reply, headers: { ...reply.headers, 'www-authenticate': value } };
  }),
});

/** Resources that are none of the document's are told to be unknown without a key too. */
const unknownBeforeTheKey: Patch = replace(
  'respond',
  (before) => async (call) =>
    call.route.operation === null && call.grant === null
      ? call.parts.fail(call.route.problem, call)
      : before(call),
);

const optionsAnswered: Patch = replace(
  'respond',
  (before) => async (call) =>
    call.request.method === 'OPTIONS'
      ? { status: 204, headers: { allow: 'GET, POST, OPTIONS' }, body: null }
      : before(call),
);

const headRefused: Patch = replace('route', (before) => (method, path) => {
  const route = before(method, path);
  return method === 'HEAD' && route.operation !== null
    ? { operation: null, problem: 'method-not-allowed', allow: 'GET' }
    : route;
});

const readPath = (read: (path: string) => string): Patch =>
  replace('route', (before) => (method, path) => before(method, read(path)));

/** Choices about challenges, and about what is no operation of the document (AUTH-6). */
export const authenticationDialects: readonly Dialect[] = [
  challenge('challenge-bare', 'Bearer'),
  challenge('challenge-in-lower-case', 'bearer realm="pets"'),
  challenge(
    'challenge-with-an-error',
    'Bearer realm="pets", error="invalid_token", error_description="No such key"',
  ),
  challenge('challenge-with-a-scope', 'Bearer scope="pets:read pets:write", charset="UTF-8"'),
  {
    name: 'unknown-resources-without-a-key',
    description: 'A resource that does not exist is answered with 404 without a key too.',
    patch: unknownBeforeTheKey,
  },
  {
    name: 'options-without-a-key',
    description: 'OPTIONS is answered with 204, without a key too.',
    patch: optionsAnswered,
  },
  { name: 'head-refused', description: 'HEAD is answered with 405.', patch: headRefused },
  {
    name: 'paths-with-a-slash-at-the-end',
    description: 'Slashes at the end of a path do not count.',
    patch: readPath((path) => path.replace(/(?<!\/)\/+$/, '')),
  },
  {
    name: 'paths-without-case',
    description: 'Paths may be written in capitals.',
    patch: readPath((path) => path.toLowerCase()),
  },
];
