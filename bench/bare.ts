import { type Dispatcher, Pool } from 'undici';
import type { Transport, WireRequest } from '../src/http/exchange.ts';

/** Wraps a transport to record its requests, except chunked or malformed ones, which plain undici cannot send. */
export const recordRequests =
  (requests: WireRequest[]) =>
  (transport: Transport): Transport => ({
    send: (request, options) => {
      if (request.framing === undefined) requests.push(request);
      return transport.send(request, options);
    },
    close: () => transport.close(),
  });

/** Sends requests with plain undici and reads each response to its end. */
export const sendBare = async (requests: readonly WireRequest[], concurrency: number): Promise<void> => {
  const [first] = requests;
  if (first === undefined) return;
  const { origin } = new URL(first.url);
  const pool = new Pool(origin, { connections: concurrency });
  const queue = requests.values();
  const send = async (): Promise<void> => {
    for (const { method, url, headers, body } of queue) {
      const response = await pool.request({
        method: method as Dispatcher.HttpMethod,
        path: url.slice(origin.length),
        headers: headers.flat(),
        body,
      });
      await response.body.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, send));
  await pool.close();
};
