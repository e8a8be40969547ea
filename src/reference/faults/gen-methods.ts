import type { Fault, Patch } from '../patch.ts';
import { replace } from '../patches.ts';
import { textReply } from '../reply.ts';
import { type Failure, failWith } from './gen-answers.ts';

const onOtherMethods = (wanted: (method: string) => boolean, failure: Exclude<Failure, 'hang'>): Patch =>
  replace('respond', (before) => async (call) => {
    const isOther = call.route.operation === null && call.route.problem === 'method-not-allowed';
    return call.grant !== null && isOther && wanted(call.request.method) ? failWith(failure) : before(call);
  });

const failing = (
  name: string,
  description: string,
  patch: Patch,
  companions: readonly string[] = [],
): Fault => ({
  name,
  requirement: 'GEN-4',
  companions,
  description,
  patch,
});

/** A path of three segments or more, which is no operation's. */
const onUnknownPaths = (failure: Exclude<Failure, 'hang'>): Patch =>
  replace('respond', (before) => async (call) => {
    const { grant, route, url } = call;
    const isUnknown = route.operation === null && route.problem === 'unknown-resource';
    return grant !== null && isUnknown && /^\/v1(?:\/[^/%]+){3}/.test(url.pathname)
      ? failWith(failure)
      : before(call);
  });

/** A method without a handler, on paths that have handlers for other methods. */
const onMethod = (method: string, paths: RegExp): Patch =>
  replace('respond', (before) => async (call) => {
    const { grant, request, url } = call;
    const fails = grant !== null && request.method === method && paths.test(url.pathname);
    return fails ? failWith('Internal Server Error') : before(call);
  });

/** What a stub returns whose route is there already. */
const onUnknownPathsNotImplemented: Patch = replace('respond', (before) => async (call) => {
  const { grant, route } = call;
  const isUnknown = route.operation === null && route.problem === 'unknown-resource';
  return grant !== null && isUnknown ? textReply(501, 'text/plain', 'Not Implemented') : before(call);
});

/** Mistakes with methods that a resource does not have, and with resources that there are not. */
export const methodCrashFaults: readonly Fault[] = [
  failing(
    'other-methods-crash',
    'Handlers are looked up by method: where there is none undefined is called, 500.',
    onOtherMethods(() => true, 'Internal Server Error'),
  ),
  failing(
    'unknown-paths-not-implemented',
    'GET on a path that does not exist gets 501 in place of 404.',
    onUnknownPathsNotImplemented,
    // A petId that no route takes is an unknown path.
    ['GET-3'],
  ),
  failing(
    'put-without-a-body-drops-the-connection',
    'PUT is taken for a creation before it is refused: without a body it ends the worker.',
    onOtherMethods((method) => method === 'PUT', 'drop'),
  ),
  failing(
    'delete-unavailable',
    'The proxy knows no upstream for DELETE: 503.',
    onOtherMethods((method) => method === 'DELETE', 'Service Unavailable'),
  ),
  failing(
    'head-crashes',
    'HEAD is routed as GET, and the handler for GET is called without the response it writes to: 500.',
    onMethod('HEAD', /^/),
  ),
  failing(
    'head-of-orders-crashes',
    'HEAD of the orders is cut by a writer of bodies that cannot write none: 500.',
    onMethod('HEAD', /orders$/),
  ),
  failing(
    'head-of-an-unknown-animal-crashes',
    'The 404 for HEAD has a body, and the server fails when it writes it: 500.',
    onMethod('HEAD', /^\/v1\/pets\/\d/),
  ),
  failing(
    'options-crashes',
    'No handler for OPTIONS is registered, and undefined is called: 500.',
    onMethod('OPTIONS', /^/),
  ),
  failing(
    'post-on-an-animal-crashes',
    'POST on the path of an animal finds no handler, and undefined is called: 500.',
    onMethod('POST', /^\/v1\/pets\/./),
  ),
  failing(
    'post-on-orders-crashes',
    'POST on the orders is routed to a stub that throws: 500.',
    onMethod('POST', /orders$/),
  ),
  failing(
    'patch-on-an-animal-crashes',
    'PATCH looks the animal up, finds none, and merges the body into undefined: 500.',
    onMethod('PATCH', /^\/v1\/pets\/./),
  ),
  failing(
    'path-in-capitals-crashes',
    'The router ignores the case of a path, the table of handlers does not: 500.',
    replace(
      'respond',
      (before) => async (call) =>
        call.grant !== null && call.url.pathname.endsWith('/PETS')
          ? failWith('Internal Server Error')
          : before(call),
    ),
  ),
  failing(
    'unknown-path-crashes',
    'What tells that no route was found is caught as any other exception: an unknown path gets 500.',
    onUnknownPaths('Internal Server Error'),
  ),
];
