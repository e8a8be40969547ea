import { validateHeaderName, validateHeaderValue } from 'node:http';
import { onAbort } from '../time/abort.ts';
import type { VirtualClock } from '../time/virtual-clock.ts';
import { responseOf } from './body-limit.ts';
import { decodeContent, isCoded, upTo } from './content-coding.ts';
import {
  type Header,
  isMalformed,
  type Transport,
  type TransportFailure,
  type TransportResult,
  type WireRequest,
  type WireResponse,
} from './exchange.ts';

const failed = (kind: TransportFailure['kind'], message: string): TransportResult => ({
  ok: false,
  failure: { kind, message, reused: false },
});

/** A server in this process; `connection` is the same object for requests with one connection id. One that rejects has dropped the connection. */
type Handler = (request: WireRequest, connection: object) => Promise<WireResponse>;

/**
 * A transport to a server in the same process: no sockets, time-outs by the given clock, which is held meanwhile. GET and HEAD come
 * without a body, as a server behind node:http would see them.
 *
 * @throws TypeError (from `send`) for a request that HTTP cannot carry
 */
export const createPlainTransport = (handle: Handler, clock: VirtualClock): Transport => {
  const connections = new Map<string, object>();
  const connectionOf = (connectionId: string | undefined): object => {
    const connection = (connectionId === undefined ? undefined : connections.get(connectionId)) ?? {};
    if (connectionId !== undefined) connections.set(connectionId, connection);
    return connection;
  };
  return {
    send: async (wire, { timeoutMs, maxBodyBytes = Number.POSITIVE_INFINITY, connectionId, signal }) => {
      if (signal?.aborted) return failed('aborted', 'the run was ended before the answer came');
      checkHeaders(wire);
      const release = clock.hold();
      const bodiless = wire.method === 'GET' || wire.method === 'HEAD';
      const request = bodiless ? { ...wire, body: null } : wire;
      const handled = resultOf(() => handle(request, connectionOf(connectionId)), maxBodyBytes, clock);
      const result = handled.finally(release);
      return withinTime(result, clock, timeoutMs, signal);
    },
    close: async () => connections.clear(),
  };
};

/** The same to a web-standard fetch handler. */
export const createInProcessTransport = (fetch: FetchHandler, clock: VirtualClock): Transport =>
  createPlainTransport(handlerOf(fetch), clock);

type FetchHandler = (request: Request, connection: object) => Response | Promise<Response>;

const handlerOf =
  (fetch: FetchHandler): Handler =>
  async ({ url, method, headers, body, framing }, connection) => {
    if (isMalformed(framing)) throw new Error('A malformed message is never made a Request.');
    const lines = headers.map(([name, value]): [string, string] => [name, value]);
    const request = new Request(url, {
      method,
      headers: lines,
      body: body === null ? null : Buffer.from(body),
    });
    const response = await fetch(request, connection);
    return {
      status: response.status,
      headers: [...response.headers] as Header[],
      body: new Uint8Array(await response.arrayBuffer()),
    };
  };

const checkHeaders = ({ headers }: WireRequest): void => {
  for (const [name, value] of headers) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      throw new TypeError(
        `the request cannot be sent: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
};

const resultOf = async (
  handle: () => Promise<WireResponse>,
  maxBytes: number,
  clock: VirtualClock,
): Promise<TransportResult> => {
  let response: WireResponse;
  try {
    response = await handle();
  } catch {
    return failed('reset', 'the server closed the connection without answering');
  }
  const { status, headers } = response;
  const body = upTo(maxBytes, { bytes: response.body, cut: false });
  const decoded = isCoded(headers) ? await clock.during(decodeContent(headers, body, maxBytes)) : body;
  if (decoded === null) return failed('malformed', 'the body is not encoded as its Content-Encoding says');
  return { ok: true, response: responseOf(status, headers, decoded, maxBytes), reused: false };
};

const withinTime = (
  result: Promise<TransportResult>,
  clock: VirtualClock,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<TransportResult> =>
  new Promise((resolve, reject) => {
    const settle = (settled: TransportResult): void => {
      callOff();
      stopListening();
      resolve(settled);
    };
    const abort = (): void => settle(failed('aborted', 'the run was ended before the answer came'));
    const late = (): void => settle(failed('timeout', `no answer within ${timeoutMs} ms`));
    const callOff = clock.after(timeoutMs, late);
    const stopListening = onAbort(signal, abort);
    result.then(settle, reject);
  });
