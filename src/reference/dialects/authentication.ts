import type { Patch } from '../patch.ts';
import { replace, respondFirst } from '../patch-kit/core.ts';
import { withHeaders } from '../reply.ts';
import { choices, independent } from './choices.ts';

const challenge = (value: string): Patch =>
  replace('unauthenticated', (before) => async (call) => {
    const reply = await before(call);
    return withHeaders(reply, { 'www-authenticate': value });
  });

/** Unknown resources get 404 without a key too. */
const unknownBeforeTheKey = respondFirst((call) =>
  call.route.operation === null && call.grant === null ? call.parts.fail(call.route.problem, call) : null,
);

const optionsAnswered = respondFirst(({ request }) =>
  request.method === 'OPTIONS' ? { status: 204, headers: { allow: 'GET, POST, OPTIONS' }, body: null } : null,
);

const headRefused: Patch = replace('route', (before) => (method, path) => {
  const route = before(method, path);
  return method === 'HEAD' && route.operation !== null
    ? { operation: null, problem: 'method-not-allowed', allow: 'GET' }
    : route;
});

const readPath = (read: (path: string) => string): Patch =>
  replace('route', (before) => (method, path) => before(method, read(path)));

/** Choices about challenges, and about requests that are not for an operation of the document (AUTH-6). */
export const authenticationDialects = [
  ...choices('challenge', {
    'challenge-bare': ['The challenge of a 401 is Bearer.', challenge('Bearer')],
    'challenge-in-lower-case': [
      'The challenge of a 401 is bearer realm="pets".',
      challenge('bearer realm="pets"'),
    ],
    'challenge-with-an-error': [
      'The challenge of a 401 has an error and its description.',
      challenge('Bearer realm="pets", error="invalid_token", error_description="No such key"'),
    ],
    'challenge-with-a-scope': [
      'The challenge of a 401 has a scope and a charset.',
      challenge('Bearer scope="pets:read pets:write", charset="UTF-8"'),
    ],
  }),
  ...independent({
    'unknown-resources-without-a-key': [
      'A resource that does not exist gets 404 without a key too.',
      unknownBeforeTheKey,
    ],
    'one-space-before-the-key': [
      'A key after more than one space gets 401.',
      replace(
        'credential',
        (before) => (arrival) =>
          (arrival.request.headers.get('authorization') ?? '').includes('  ') ? null : before(arrival),
      ),
    ],
    'options-without-a-key': ['OPTIONS returns 204, without a key too.', optionsAnswered],
    'head-refused': ['HEAD returns 405.', headRefused],
    'paths-with-a-slash-at-the-end': [
      'The server ignores slashes at the end of a path.',
      readPath((path) => path.replace(/(?<!\/)\/+$/, '')),
    ],
    'paths-without-case': ['The server ignores the case of paths.', readPath((path) => path.toLowerCase())],
  }),
];
