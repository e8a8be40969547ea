import type { Call } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { around, perServer } from '../patches.ts';
import { htmlPage } from './gen-answers.ts';

/** What the page of an HTTP server itself lacks: it knows neither documented statuses nor the limit. */
const ownPage = ['GEN-1', 'GEN-2', 'ERR-1', 'RATE-1'];

/** Answers creations with a refusal while their bodies are still unread: what is left is read as the next request of the connection. */
const leavingUnread = (
  name: string,
  description: string,
  isEarly: (call: Call, status: number) => boolean,
): Fault => ({
  name,
  requirement: 'GEN-4',
  companions: ownPage,
  description,
  patch: perServer(() => {
    const spoiled = new WeakSet<object>();
    return around(async (call, next) => {
      if (spoiled.delete(call.connection)) return htmlPage(400, 'Bad request syntax');
      const reply = await next();
      const left = call.request.method === 'POST' && call.request.body !== null;
      if (left && isEarly(call, reply.status)) spoiled.add(call.connection);
      return reply;
    });
  }),
});

/** Mistakes that show in the next request of a connection. */
export const connectionFaults: readonly Fault[] = [
  leavingUnread(
    'body-of-an-unauthenticated-creation-left-unread',
    '401 is answered before the body is read, and the connection kept: the body becomes part of the next request.',
    (_call, status) => status === 401,
  ),
  leavingUnread(
    'body-of-a-creation-without-a-key-left-unread',
    'Without Authorization 401 is answered before the body is read, and the connection kept.',
    ({ request }, status) => status === 401 && !request.headers.has('authorization'),
  ),
  leavingUnread(
    'body-of-another-media-type-left-unread',
    'A body that is not JSON is refused for its media type, and left unread on the connection.',
    ({ request }, status) => status >= 400 && !(request.headers.get('content-type') ?? '').includes('json'),
  ),
];
