import { validateHeaderName, validateHeaderValue } from 'node:http';
import { onAbort } from '../time/abort.ts';
import type { VirtualClock } from '../time/virtual-clock.ts';
import { responseOf } from './body-limit.ts';
import { decodeContent, isCoded, upTo } from './content-coding.ts';
import {
  type FailureDetail,
  headerValue,
  type Transport,
  type TransportFailure,
  type TransportResult,
  type WireRequest,
  type WireResponse,
} from './exchange.ts';

const failed = (kind: TransportFailure['kind'], detail: FailureDetail): TransportResult => ({
  ok: false,
  failure: { kind, detail, reused: false },
});

/** A server in this process. Requests with the same connection id get the same `connection`. A rejection means a dropped connection. */
type Handler = (request: WireRequest, connection: object) => Promise<WireResponse>;

/**
 * Creates a transport to a server in this process, without sockets. The clock times requests out, and is held while the server works.
 * GET and HEAD arrive without a body, as through node:http.
 *
 * @throws TypeError (from `send`) for a request that HTTP cannot carry
 */
export const createInProcessTransport = (handle: Handler, clock: VirtualClock): Transport => {
  const connections = new Map<string, object>();
  const connectionOf = (connectionId: string | undefined): object => {
    const connection = (connectionId === undefined ? undefined : connections.get(connectionId)) ?? {};
    if (connectionId !== undefined) connections.set(connectionId, connection);
    return connection;
  };
  return {
    send: async (wire, { timeoutMs, maxBodyBytes = Number.POSITIVE_INFINITY, connectionId, signal }) => {
      if (signal?.aborted) return failed('aborted', { code: 'run-ended' });
      checkHeaders(wire);
      const release = clock.hold();
      const hasNoBody = wire.method === 'GET' || wire.method === 'HEAD';
      const request = hasNoBody ? { ...wire, body: null } : wire;
      const handled = resultOf(() => handle(request, connectionOf(connectionId)), maxBodyBytes, clock);
      const result = handled.finally(release);
      return withinTime(result, clock, timeoutMs, signal);
    },
    close: async () => connections.clear(),
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
    return failed('reset', { code: 'closed', bodyBytes: null });
  }
  const { status, headers } = response;
  const body = upTo(maxBytes, { bytes: response.body, cut: false });
  const decoded = isCoded(headers) ? await clock.during(decodeContent(headers, body, maxBytes)) : body;
  if (decoded === null)
    return failed('malformed', { code: 'not-decoded', coding: headerValue(headers, 'content-encoding') });
  return { ok: true, response: responseOf(status, { headers }, decoded, maxBytes), reused: false };
};

const withinTime = (
  result: Promise<TransportResult>,
  clock: VirtualClock,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<TransportResult> =>
  new Promise((resolve, reject) => {
    const settle = (settled: TransportResult): void => {
      cancelTimer();
      stopListening();
      resolve(settled);
    };
    const abort = (): void => settle(failed('aborted', { code: 'run-ended' }));
    const late = (): void => settle(failed('timeout', { code: 'no-response', withinMs: timeoutMs }));
    const cancelTimer = clock.after(timeoutMs, late);
    const stopListening = onAbort(signal, abort);
    result.then(settle, reject);
  });
