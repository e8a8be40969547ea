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

/** Mistakes with methods that a resource does not have. */
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
];
