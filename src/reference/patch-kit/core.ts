import { memoizedByValue } from '../../util/memoize.ts';
import type { Call, Incoming, Operation, Parts } from '../parts.ts';
import { applyPatches, type Patch } from '../patch.ts';
import type { Reply } from '../reply.ts';

/** Selects the responses of a patch. An absent member selects all. */
export interface ResponseFilter {
  readonly operation?: Operation | readonly Operation[];
  readonly method?: string;
  readonly status?: number | readonly number[];
  readonly when?: (reply: Reply, call: Call) => boolean;
}

const among = <Value>(wanted: Value | readonly Value[] | undefined, value: Value): boolean =>
  wanted === undefined || (Array.isArray(wanted) ? wanted.includes(value) : wanted === value);

/** Returns whether a request is for the operation; without one, for any operation of the document. */
export const isFor = (call: Incoming, operation?: ResponseFilter['operation']): boolean =>
  call.route.operation !== null && among(operation, call.route.operation);

/** Returns whether a response is selected. Without `operation`, responses to unknown resources are selected too. */
export const selects = (filter: ResponseFilter, reply: Reply, call: Call): boolean =>
  (filter.operation === undefined || isFor(call, filter.operation)) &&
  among(filter.method, call.request.method) &&
  among(filter.status, reply.status) &&
  (filter.when?.(reply, call) ?? true);

/** Several patches as one, applied in turn. */
export const compose =
  (...patches: readonly Patch[]): Patch =>
  (parts) =>
    applyPatches(parts, patches);

/** Replaces one part; the new one can call the part so far: `replace('keyMatches', (before) => …)`. */
export const replace =
  <Name extends keyof Parts>(name: Name, make: (before: Parts[Name], parts: Parts) => Parts[Name]): Patch =>
  (parts) => ({ [name]: make(parts[name], parts) });

/** Wraps everything: gets the request before, and the finished response after. */
export const wrap = (around: (call: Call, next: () => Promise<Reply>) => Promise<Reply>): Patch =>
  replace('wrap', (before) => (call, next) => around(call, () => before(call, next)));

/** Replaces the handler of an operation: key and limits are checked before it, headers are added after it. */
export const handle = (
  operation: Operation,
  respond: (call: Call, before: Parts['handlers'][Operation]) => Promise<Reply> | Reply,
): Patch =>
  replace('handlers', (before) => ({
    ...before,
    [operation]: (call: Call) => respond(call, before[operation]),
  }));

/** Responds instead of the server, also instead of its rate limits; `next` returns the response of the server. */
export const replaceOperation = (
  operation: ResponseFilter['operation'],
  respond: (call: Call, next: () => Promise<Reply>) => Promise<Reply> | Reply,
): Patch => wrap(async (call, next) => (isFor(call, operation) ? respond(call, next) : next()));

/** Responds in front of the application, with none of its headers; null: the application responds. */
export const respondInFront = (respond: (call: Call) => Reply | null): Patch =>
  wrap(async (call, next) => respond(call) ?? next());

/** Responds instead of the application, within the rate limits, with a key or without; null: the application responds. */
export const respondFirst = (respond: (call: Call) => Reply | null): Patch =>
  replace('respond', (before) => async (call) => respond(call) ?? before(call));

/** As `respondFirst`, to requests with a valid key. */
export const respondToKey = (respond: (call: Call) => Reply | null): Patch =>
  respondFirst((call) => (call.grant === null ? null : respond(call)));

/**
 * Creates the patch once for each server, so that each server has its own variables of `make`. Otherwise all servers share them.
 */
export const withState =
  (make: () => Patch): Patch =>
  (parts) =>
    make()(parts);

/** Counts from 1 on: for state that is made in `withState`. */
export const counter = (): (() => number) => {
  let count = 0;
  return () => {
    count += 1;
    return count;
  };
};

/** Returns the state of the caller of a request, made at its first request: for use in `withState`. */
export const perCaller = <State>(make: () => State): ((call: Call) => State) => {
  const stateOf = memoizedByValue((_caller: string) => make());
  return (call) => stateOf(call.parts.caller(call));
};
