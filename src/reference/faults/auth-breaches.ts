import { isJsonObject } from '../../json/json.ts';
import type { Arrival, Call, Operation } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { isFor, replace } from '../patches.ts';
import type { Reply } from '../reply.ts';

/** The value of the Authorization header, or null. */
export const authorization = ({ request }: Arrival): string | null => request.headers.get('authorization');

/** A request without an Authorization header. */
export const isKeyless = (arrival: Arrival): boolean => authorization(arrival) === null;

/** A request with some bearer token, whatever it is worth. */
export const hasToken = (arrival: Arrival): boolean => arrival.parts.credential(arrival) !== null;

/** The scheme of the Authorization header, in lower case, and what stands after it. */
export function schemeAndRest(arrival: Arrival): readonly [scheme: string, rest: string] {
  const [scheme = '', ...rest] = (authorization(arrival) ?? '').split(' ');
  return [scheme.toLowerCase(), rest.join(' ')];
}

/** Serves more requests than those with a valid key: `admits` compares a request that was to be refused with each key. */
export const admitting = (
  admits: (arrival: Arrival, key: string) => boolean,
  operations?: readonly Operation[],
): Patch =>
  replace('authenticate', (before) => (arrival) => {
    const grant = before(arrival);
    const { operation } = arrival.route;
    const concerned = operations === undefined || (operation !== null && operations.includes(operation));
    if (grant !== null || !concerned) return grant;
    return arrival.world.keys.find(({ key }) => admits(arrival, key)) ?? null;
  });

/** Compares what was presented with each key in another way. */
export const comparing = (matches: (presented: string, key: string) => boolean): Patch =>
  replace('keyMatches', () => matches);

/** Answers requests without a valid key in another way; null leaves the 401. */
export const refusing = (
  answer: (call: Call) => Reply | null | Promise<Reply | null>,
  operations?: Operation | readonly Operation[],
): Patch =>
  replace('respond', (before) => async (call) => {
    const other = call.grant === null && isFor(call, operations) ? await answer(call) : null;
    return other ?? before(call);
  });

/** Serves creations without a valid key, where they are valid and set a status. */
export const servingComplete = (admits: (call: Call) => boolean): Patch =>
  refusing(async (call) => {
    const { parts } = call;
    const body = admits(call) ? await call.body() : null;
    const parsed = body?.ok ? parts.parseBody(body.bytes, call) : null;
    const isComplete =
      parsed?.ok &&
      isJsonObject(parsed.value) &&
      parsed.value.status !== undefined &&
      parts.violations(parsed.value).length === 0;
    return isComplete ? parts.handlers.createPet(call) : null;
  }, 'createPet');
