import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { onAbort } from '../time/abort.ts';
import { isStream, responseOf, STREAM_MS } from './body-limit.ts';
import { type Connection, createConnectionPool, type PoolOptions } from './connections.ts';
import { decodeContent, isCoded, type LimitedBytes } from './content-coding.ts';
import {
  type FailureDetail,
  type Header,
  type HeaderLines,
  headerValue,
  type Transport,
  type TransportFailure,
  type TransportOptions,
  type TransportResult,
  type WireRequest,
} from './exchange.ts';
import { failureFacts } from './failure.ts';
import { splitBody } from './framing.ts';
import { headerLines } from './header-lines.ts';
import { verbatimMessage } from './verbatim.ts';

/**
 * Creates a transport over HTTP/1.1, with or without TLS. It follows no redirects, does not retry, and sends path and headers unchanged.
 * It keeps at most `concurrency` idle connections. The time-out covers the whole response. Only the beginning of a stream is read.
 *
 * @throws TypeError (from `send`) for a request that HTTP cannot carry, which is a bug of the caller
 */
export const createHttpTransport = (options: PoolOptions): Transport => {
  const pool = createConnectionPool(options);
  return {
    send: async (request, sending) => {
      const { origin, path } = splitUrl(request.url);
      const { timeoutMs, connectionId = null } = sending;
      const wanted = { origin, connectionId, connection: sending.connection ?? 'any', timeoutMs };
      const connection = await pool.acquire(wanted);
      try {
        const result = await pool.withRelief(connection, exchangeOn(connection, path, request, sending));
        pool.record(connection, request.method, result);
        const isReusable =
          result.ok &&
          connection.connected &&
          (connectionId !== null || !mayHaveLeftBodyUnread(request, result.response.status));
        if (isReusable) pool.release(connection);
        else pool.close(connection);
        return result;
      } catch (error) {
        pool.close(connection);
        throw error;
      }
    },
    close: pool.closeAll,
  };
};

/**
 * A server that rejects a request early may read the rest of the body as the next request. Its response to that must not be taken for
 * the response to the following request.
 */
const mayHaveLeftBodyUnread = (request: WireRequest, status: number): boolean =>
  request.body !== null && request.body.length > 0 && status >= 400 && status !== 400 && status !== 422;

/** Splits a URL without the normalization of `URL`, because paths are sent unchanged. */
const splitUrl = (url: string): { origin: string; path: string } => {
  const [, origin, rest] = /^(https?:\/\/[^/?#]+)(.*)$/is.exec(url) ?? [];
  if (origin === undefined || rest === undefined) throw new TypeError(`not an absolute http URL: ${url}`);
  return { origin, path: rest.startsWith('/') ? rest : `/${rest}` };
};

/** The state of a response in progress. */
interface PartialResponse {
  readonly connection: Connection;
  readonly maxBodyBytes: number;
  readonly awaitsEnd: boolean;
  /** Ends the response after `ms`, with the part that has arrived. */
  readonly endAfter: (ms: number) => void;
  readonly settle: (result: TransportResult) => void;
  readonly reject: (error: Error) => void;
  /** 0: no response has begun. */
  status: number;
  lines: HeaderLines;
  readonly chunks: Buffer[];
  bodyBytes: number;
  isComplete: boolean;
}

const exchangeOn = (
  connection: Connection,
  path: string,
  request: WireRequest,
  { timeoutMs, maxBodyBytes = Number.POSITIVE_INFINITY, awaitsEnd = false, signal }: TransportOptions,
): Promise<TransportResult> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      stopListening();
    };
    const response: PartialResponse = {
      connection,
      maxBodyBytes,
      awaitsEnd,
      endAfter: (ms) => {
        clearTimeout(timer);
        timer = setTimeout(() => completeEarly(response), Math.min(ms, timeoutMs));
      },
      settle: (result) => {
        stop();
        resolve(result);
      },
      reject: (error) => {
        stop();
        reject(error);
      },
      status: 0,
      lines: { headers: [] },
      chunks: [],
      bodyBytes: 0,
      isComplete: false,
    };
    // Sockets need real time, so there is no clock parameter.
    let timer = setTimeout(() => timeOut(response, timeoutMs), timeoutMs);
    const abort = (): void => cancel(response, 'aborted', { code: 'run-ended' });
    const stopListening = onAbort(signal, abort);
    if (signal?.aborted) return abort();
    connection.verbatim.message = verbatimMessage(connection.origin, path, request);
    const content = connection.verbatim.message === null ? message(request) : {};
    const method = request.method as Dispatcher.HttpMethod;
    connection.client.dispatch({ path, method, ...content }, handlerOf(response));
  });

const handlerOf = (response: PartialResponse): Dispatcher.DispatchHandler => ({
  onRequestStart: (controller) => takeLines(controller, response),
  onResponseStart: (_controller, statusCode) => {
    if (statusCode < 200) return;
    response.status = statusCode;
    if (isStream(response.lines.headers)) response.endAfter(STREAM_MS);
  },
  onResponseData: (_controller, chunk) => {
    if (response.bodyBytes > response.maxBodyBytes) return;
    response.chunks.push(chunk);
    response.bodyBytes += chunk.length;
    if (response.bodyBytes > response.maxBodyBytes && !response.awaitsEnd) completeEarly(response);
  },
  onResponseEnd: () => complete(response),
  onResponseError: (_controller, error) => endWithError(response, error),
});

/**
 * Takes the header lines from undici as soon as it has them, and leaves it none: it would copy all of them into an object, which is most
 * of the work for a response with thousands of lines.
 */
const takeLines = (controller: Dispatcher.DispatchController, response: PartialResponse): void => {
  Object.defineProperty(controller, 'rawHeaders', {
    configurable: true,
    set: (raw: Buffer[]) => {
      response.lines = headerLines(raw);
      raw.length = 0;
    },
  });
};

const complete = (response: PartialResponse, isPart = false): void => {
  const { connection, chunks, bodyBytes, maxBodyBytes } = response;
  const { headers } = response.lines;
  response.isComplete = true;
  const reused = connection.served > 0;
  connection.served += 1;
  const bytes = onePiece(chunks, Math.min(bodyBytes, maxBodyBytes));
  const body = { bytes, cut: isPart || bodyBytes > maxBodyBytes };
  if (!isCoded(headers)) finish(response, body, reused);
  else void decodeContent(headers, body, maxBodyBytes).then((decoded) => finish(response, decoded, reused));
};

const finish = (response: PartialResponse, body: LimitedBytes | null, reused: boolean): void => {
  const { status, lines, maxBodyBytes, settle } = response;
  if (body === null)
    fail(response, 'malformed', {
      code: 'not-decoded',
      coding: headerValue(lines.headers, 'content-encoding'),
    });
  else settle({ ok: true, response: responseOf(status, lines, body, maxBodyBytes), reused });
};

/** Closes the connection, because the rest of the body is not read. */
const completeEarly = (response: PartialResponse): void => {
  complete(response, true);
  disconnect(response);
};

const disconnect = ({ connection }: PartialResponse): void => {
  connection.connected = false;
  void connection.client.destroy().catch(() => undefined);
};

/** After a response has begun, a close by the server is not the close of an idle connection. */
const fail = (
  { connection, status, settle }: PartialResponse,
  kind: TransportFailure['kind'],
  detail: FailureDetail,
): void => settle({ ok: false, failure: { kind, detail, reused: connection.served > 0 && status === 0 } });

const cancel = (response: PartialResponse, kind: TransportFailure['kind'], detail: FailureDetail): void => {
  fail(response, kind, detail);
  void response.connection.client.destroy().catch(() => undefined);
};

const timeOut = (response: PartialResponse, timeoutMs: number): void => {
  const withinMs = timeoutMs;
  const code = response.status === 0 ? 'no-response' : 'incomplete-response';
  if (response.connection.connected) cancel(response, 'timeout', { code, withinMs });
  else cancel(response, 'unreachable', { code: 'no-connection', withinMs });
};

const endWithError = (response: PartialResponse, error: Error): void => {
  const { connection, lines, bodyBytes, status, reject } = response;
  // The connection may close while a cut body is still being decoded.
  if (response.isComplete) return;
  if (isMiscounted(error) && lengthOf(lines.headers) === bodyBytes) {
    connection.connected = false;
    complete(response);
  } else if (error instanceof TypeError || isOurFault(error)) {
    reject(new TypeError(`the request cannot be sent: ${error.message}`));
  } else {
    const { kind, detail } = failureFacts((status === 0 && connection.refusal) || error, {
      headers: status !== 0,
      bodyBytes,
    });
    fail(response, kind, detail);
  }
};

/** Long enough that even a busy server reads the first piece alone. */
const PAUSE_MS = 300;

async function* delayedChunks(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(PAUSE_MS);
    yield piece;
  }
}

/** Returns headers and body for undici. A body in pieces needs an explicit Content-Length. */
const message = ({ headers, body, framing }: WireRequest) => {
  const lines = headers.flat();
  if (framing === undefined || body === null) return { headers: lines, body };
  const pieces = splitBody(body);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return {
    headers: [...lines, 'Content-Length', String(length)],
    body: Readable.from(delayedChunks(pieces)),
  };
};

/**
 * undici miscounts a Content-Length with trailing spaces, which RFC 9112 5 allows. It then reports a length mismatch and closes the
 * connection.
 */
const isMiscounted = (error: Error): boolean =>
  'code' in error && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

const lengthOf = (headers: readonly Header[]): number | null => {
  const value = headerValue(headers, 'content-length');
  return value === null ? null : Number(value);
};

const isOurFault = (error: Error): boolean => 'code' in error && error.code === 'UND_ERR_INVALID_ARG';

const onePiece = (chunks: readonly Buffer[], length: number): Uint8Array => {
  const [only] = chunks;
  return only?.length === length ? only : Buffer.concat(chunks, length);
};
