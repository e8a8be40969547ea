import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { withState, wrap } from './core.ts';
import { htmlPage } from './responses.ts';

/** Leaves bytes of a request on its connection: they spoil the next request. */
export const leaveOnConnection = (isLeft: (call: Call, status: number) => boolean): Patch =>
  withState(() => {
    const spoiled = new WeakSet<object>();
    return wrap(async (call, next) => {
      if (spoiled.delete(call.connection)) return htmlPage(400, 'Bad request syntax');
      const reply = await next();
      if (isLeft(call, reply.status)) spoiled.add(call.connection);
      return reply;
    });
  });
