import type { Call, Incoming, Operation } from '../parts.ts';
import type { Patch } from '../patch.ts';
import type { Reply } from '../reply.ts';
import { isFor, replace } from './core.ts';
import { validIn } from './creations.ts';

/** The value of the Authorization header, or null. */
export const authorization = ({ request }: Incoming): string | null => request.headers.get('authorization');

/** A request without an Authorization header. */
export const isKeyless = (arrival: Incoming): boolean => authorization(arrival) === null;

/** A request with some bearer token, valid or not. */
export const hasToken = (arrival: Incoming): boolean => arrival.parts.credential(arrival) !== null;

/** The scheme of the Authorization header, in lower case, and the text after it. */
export function schemeAndRest(arrival: Incoming): readonly [scheme: string, rest: string] {
  const [scheme = '', ...rest] = (authorization(arrival) ?? '').split(' ');
  return [scheme.toLowerCase(), rest.join(' ')];
}

/** Also admits requests without a valid key: `admits` compares such a request with each key. */
export const admitting = (
  admits: (arrival: Incoming, key: string) => boolean,
  operations?: Operation | readonly Operation[],
): Patch =>
  replace('authenticate', (before) => (arrival) => {
    const grant = before(arrival);
    if (grant !== null || (operations !== undefined && !isFor(arrival, operations))) return grant;
    return arrival.state.keys.find(({ key }) => admits(arrival, key)) ?? null;
  });

/** Compares the presented token with each key in another way. */
export const comparing = (matches: (presented: string, key: string) => boolean): Patch =>
  replace('keyMatches', () => matches);

/** Responds in another way to requests without a valid key; null leaves the 401. */
export const refusing = (
  respond: (call: Call) => Reply | null | Promise<Reply | null>,
  operations?: Operation | readonly Operation[],
): Patch =>
  replace('respond', (before) => async (call) => {
    const reply = call.grant === null && isFor(call, operations) ? await respond(call) : null;
    return reply ?? before(call);
  });

/** As `refusing`, for some requests. */
export const refusingWhen = (
  when: (call: Call) => boolean,
  respond: (call: Call) => Reply,
  operations?: Operation | readonly Operation[],
): Patch => refusing((call) => (when(call) ? respond(call) : null), operations);

/** Serves creations without a valid key if they are valid and have a status. */
export const servingComplete = (admits: (call: Call) => boolean): Patch =>
  refusing(async (call) => {
    const body = admits(call) ? await call.body() : null;
    const isComplete = body !== null && validIn(body, call)?.status !== undefined;
    return isComplete ? call.parts.handlers.createPet(call) : null;
  }, 'createPet');
