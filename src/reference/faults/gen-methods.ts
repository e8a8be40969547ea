import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { respondFirst, respondToKey } from '../patch-kit/core.ts';
import { failWith } from '../patch-kit/failures.ts';
import { textReply } from '../reply.ts';
import { family } from './family.ts';

type Failure = Parameters<typeof failWith>[0];

const failIf = (when: (call: Call) => boolean, failure: Failure = 'crash'): Patch =>
  respondToKey((call) => (when(call) ? failWith(failure) : null));

const hasProblem = ({ route }: Call, problem: 'method-not-allowed' | 'unknown-resource'): boolean =>
  route.operation === null && route.problem === problem;

const onOtherMethods = (wanted: (method: string) => boolean, failure: Failure): Patch =>
  failIf((call) => hasProblem(call, 'method-not-allowed') && wanted(call.request.method), failure);

/** A method without a handler, on paths that have handlers for other methods. */
const onMethod = (method: string, paths: RegExp): Patch =>
  failIf(({ request, url }) => request.method === method && paths.test(url.pathname));

/** Mistakes with methods that a resource does not have, and with resources that do not exist. */
export const methodCrashFaults = family('GEN-4', {
  'other-methods-crash': [
    'The server calls the handler of a method that has none, which is undefined: 500.',
    onOtherMethods(() => true, 'crash'),
  ],
  'unknown-paths-not-implemented': [
    'An unknown path gets 501 instead of 404.',
    respondToKey((call) =>
      hasProblem(call, 'unknown-resource') ? textReply(501, 'text/plain', 'Not Implemented') : null,
    ),
    // A petId that no route accepts is an unknown path.
    { companions: ['GET-3'] },
  ],
  'put-without-a-body-drops-the-connection': [
    'The server reads the body of a PUT before it refuses it: without a body it ends the worker.',
    onOtherMethods((method) => method === 'PUT', 'drop'),
  ],
  'delete-unavailable': [
    'The proxy has no upstream for DELETE: 503.',
    onOtherMethods((method) => method === 'DELETE', 'unavailable'),
  ],
  'head-crashes': [
    'The server routes HEAD as GET, but calls the handler without a response: 500.',
    onMethod('HEAD', /^/),
  ],
  'head-of-orders-crashes': [
    'The writer of HEAD /store/orders fails without a body: 500.',
    onMethod('HEAD', /orders$/),
  ],
  'head-of-an-unknown-animal-crashes': [
    'The server fails to write the 404 for HEAD, which has a body: 500.',
    onMethod('HEAD', /^\/v1\/pets\/\d/),
  ],
  'options-crashes': [
    'OPTIONS has no handler, and the server calls undefined: 500.',
    onMethod('OPTIONS', /^/),
  ],
  'options-of-an-animal-crashes': [
    'OPTIONS on the path of an animal has no handler, and the server calls undefined: 500.',
    onMethod('OPTIONS', /^\/v1\/pets\/./),
  ],
  'preflight-without-a-key-crashes': [
    'The server reads the key of a CORS preflight, which has none: 500.',
    respondFirst(({ grant, request }) =>
      grant === null && request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
        ? failWith('crash')
        : null,
    ),
  ],
  'post-on-an-animal-crashes': [
    'POST on the path of an animal has no handler, and the server calls undefined: 500.',
    onMethod('POST', /^\/v1\/pets\/./),
  ],
  'post-on-orders-crashes': ['POST /store/orders is a stub that throws: 500.', onMethod('POST', /orders$/)],
  'patch-on-an-animal-crashes': [
    'PATCH finds no animal, and merges the body into undefined: 500.',
    onMethod('PATCH', /^\/v1\/pets\/./),
  ],
  'path-in-capitals-crashes': [
    'The router ignores the case of a path, the table of handlers does not: 500.',
    failIf(({ url }) => url.pathname.endsWith('/PETS')),
  ],
  'unknown-path-crashes': [
    'The server catches "no route" like any other exception: an unknown path gets 500.',
    failIf((call) => hasProblem(call, 'unknown-resource') && /^\/v1(?:\/[^/%]+){3}/.test(call.url.pathname)),
  ],
});
