import type { Fault, Patch } from '../patch.ts';
import { replace } from '../patches.ts';
import { type Failure, failWith } from './gen-answers.ts';

const onOtherMethods = (wanted: (method: string) => boolean, failure: Exclude<Failure, 'hang'>): Patch =>
  replace('respond', (before) => async (call) => {
    const isOther = call.route.operation === null && call.route.problem === 'method-not-allowed';
    return call.grant !== null && isOther && wanted(call.request.method) ? failWith(failure) : before(call);
  });

const failing = (name: string, description: string, patch: Patch): Fault => ({
  name,
  requirement: 'GEN-4',
  companions: [],
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

/** Mistakes with methods that a resource does not have, and with resources that there are not. */
export const methodCrashFaults: readonly Fault[] = [
  failing(
    'other-methods-crash',
    'Handlers are looked up by method: where there is none undefined is called, 500.',
    onOtherMethods(() => true, 'Internal Server Error'),
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
    'unknown-path-crashes',
    'What tells that no route was found is caught as any other exception: an unknown path gets 500.',
    onUnknownPaths('Internal Server Error'),
  ),
];
