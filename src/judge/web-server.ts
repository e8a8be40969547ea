import type { Header, WireRequest } from '../http/exchange.ts';
import { rateLimitHeaders } from '../rate-limit/headers.ts';
import type { WebServer } from '../reference/reference.ts';
import { toResponse } from '../reference/reply.ts';
import type { Clock } from '../time/clock.ts';
import { isOfBrowser, type Recorder, type Visit } from './recorder.ts';

/** A longer body is cut: the server refuses it anyway. */
const longestBody = 4 * 1024 * 1024;

const readBody = async ({ body }: Request): Promise<Uint8Array | null> => {
  if (body === null) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (length < longestBody) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, longestBody);
};

/** Lets pages of any origin call the server, and read the headers that a client needs. */
const crossOrigin: readonly Header[] = [
  ['access-control-allow-origin', '*'],
  ['access-control-allow-headers', ['authorization', 'content-type', '*'].join()],
  ['access-control-allow-methods', '*'],
  ['access-control-expose-headers', ['retry-after', 'date', ...rateLimitHeaders].join()],
];

const withCrossOrigin = (request: Request, response: Response): Response => {
  if (request.headers.has('origin'))
    for (const [name, value] of crossOrigin) response.headers.set(name, value);
  return response;
};

/** A server on a socket whose requests are recorded. `onEnd` is for `listen`. */
export const recordedServer = (
  recorder: Recorder,
  clock: Clock,
): WebServer & { readonly onEnd: (request: Request, isWritten: boolean) => void } => {
  const visits = new WeakMap<Request, Visit>();
  return {
    keys: [],
    fetch: async (request, connection = {}) => {
      const startedAt = clock.now();
      const wire: WireRequest = {
        method: request.method,
        url: request.url,
        headers: [...request.headers],
        body: null,
      };
      if (isOfBrowser(wire)) return withCrossOrigin(request, new Response(null, { status: 204 }));
      const visit = recorder.visit({ ...wire, body: await readBody(request) }, connection, startedAt);
      visits.set(request, visit);
      return withCrossOrigin(request, toResponse(await visit.reply));
    },
    refuse: async () => new Response(null, { status: 400 }),
    onEnd: (request, isWritten) => visits.get(request)?.end(isWritten),
  };
};
