import type { Call, Operation } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { ConnectionDropped, type Reply } from '../reply.ts';
import { handle } from './core.ts';
import { htmlPage } from './responses.ts';

/** Selects requests. */
export type Condition = (call: Call) => boolean | Promise<boolean>;

/** How a server fails; all but `hang` at once. */
const failures = {
  crash: () => htmlPage(500, 'Internal Server Error'),
  unavailable: () => htmlPage(503, 'Service Unavailable'),
  drop: () => {
    throw new ConnectionDropped();
  },
} as const;

/** Responds like a server that fails, or drops the connection. */
export const failWith = (failure: keyof typeof failures): Reply => failures[failure]();

/** What a handler does if it fails; `hang`: it responds after a minute. */
export type Failure = keyof typeof failures | 'hang';

const minute = 60_000;

/** Fails on some requests for an operation with a valid key, instead of its handler. */
export const failOn = (operation: Operation, when: Condition, failure: Failure = 'crash'): Patch =>
  handle(operation, async (call, before) => {
    if (!(await when(call))) return before(call);
    if (failure !== 'hang') return failWith(failure);
    await call.state.clock.sleep(minute);
    return before(call);
  });

/** Responds in another way to some requests for an operation with a valid key, instead of its handler. */
export const respondWhen = (
  operation: Operation,
  when: (call: Call) => boolean,
  respond: (call: Call) => Reply | Promise<Reply>,
): Patch => handle(operation, (call, before) => (when(call) ? respond(call) : before(call)));

/** Fails with 500 on some requests for an operation, without a wait for anything else. */
export const crashWhen = (operation: Operation, when: (call: Call) => boolean): Patch =>
  respondWhen(operation, when, () => failWith('crash'));
