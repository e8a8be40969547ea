import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { onAbort } from '../time/abort.ts';
import { type Connection, createConnectionPool, type PoolOptions } from './connections.ts';
import { decodeContent, isCoded, type LimitedBytes } from './content-coding.ts';
import {
  type Answer,
  type Header,
  responseOf,
  type Sending,
  type Transport,
  type TransportFailure,
  type WireRequest,
} from './exchange.ts';
import { describeFailure } from './failure.ts';
import { headerValue } from './headers.ts';
import { piecesOf } from './split-body.ts';
import { verbatimMessage } from './verbatim.ts';

/**
 * A transport over HTTP/1.1, in the clear or over TLS. It follows no redirect, repeats nothing and sends path and headers as given.
 * Connections are kept for reuse, at most `concurrency` of them. One is warm that has served
 * just now, others served on after the like, and this server was never seen to close such a connection. The time-out covers the whole
 * answer. A server may serve one connection at a time: while a new one waits for a second, none is kept that has nothing
 * to do.
 *
 * @throws TypeError (from `send`) for a request that HTTP cannot carry: that is the caller's fault, never the target's
 */
export const createHttpTransport = (options: PoolOptions): Transport => {
  const pool = createConnectionPool(options);
  return {
    send: async (request, sending) => {
      const { origin, path } = splitUrl(request.url);
      const { timeoutMs, connectionId = null } = sending;
      const wanted = { origin, connectionId, connection: sending.connection ?? 'any', timeoutMs };
      const connection = await pool.take(wanted);
      try {
        const answer = await pool.relieved(connection, exchangeOn(connection, path, request, sending));
        pool.learn(connection, request.method, answer);
        const mayServeOn =
          answer.ok &&
          connection.connected &&
          (connectionId !== null || !mayHaveLeftBodyUnread(request, answer.response.status));
        if (mayServeOn) pool.giveBack(connection);
        else pool.retire(connection);
        return answer;
      } catch (error) {
        pool.retire(connection);
        throw error;
      }
    },
    close: pool.close,
  };
};

/**
 * A server that refuses a request before it has read the body may take the rest of that body for the next request. What it answers
 * to that must not be mistaken for the answer to the request after.
 */
const mayHaveLeftBodyUnread = (request: WireRequest, status: number): boolean =>
  request.body !== null && request.body.length > 0 && status >= 400 && status !== 400 && status !== 422;

/** Takes a URL apart without the normalisation of `URL`, which would undo what a check wants to send. */
const splitUrl = (url: string): { origin: string; path: string } => {
  const [, origin, rest] = /^(https?:\/\/[^/?#]+)(.*)$/is.exec(url) ?? [];
  if (origin === undefined || rest === undefined) throw new TypeError(`not an absolute http URL: ${url}`);
  return { origin, path: rest.startsWith('/') ? rest : `/${rest}` };
};

const exchangeOn = (
  connection: Connection,
  path: string,
  request: WireRequest,
  { timeoutMs, maxBodyBytes = Number.POSITIVE_INFINITY, signal }: Sending,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let status = 0;
    let headers: readonly Header[] = [];
    const chunks: Buffer[] = [];
    let bodyBytes = 0;
    let isComplete = false;

    const settle = (answer: Answer): void => {
      clearTimeout(timer);
      stopListening();
      resolve(answer);
    };
    // Once a response has begun the connection was not idle: what ends it is no race between the two sides.
    const fail = (kind: TransportFailure['kind'], message: string): void =>
      settle({ ok: false, failure: { kind, message, reused: connection.served > 0 && status === 0 } });
    const finish = (body: LimitedBytes | null, reused: boolean): void => {
      if (body === null) fail('malformed', 'the body is not encoded as its Content-Encoding says');
      else settle({ ok: true, response: responseOf(status, headers, body, maxBodyBytes), reused });
    };
    const complete = (): void => {
      isComplete = true;
      const reused = connection.served > 0;
      connection.served += 1;
      const bytes = onePiece(chunks, Math.min(bodyBytes, maxBodyBytes));
      const body = { bytes, cut: bodyBytes > maxBodyBytes };
      if (!isCoded(headers)) finish(body, reused);
      else void decodeContent(headers, body, maxBodyBytes).then((decoded) => finish(decoded, reused));
    };
    /** What is left of the body is not read, so nothing else can come over this connection. */
    const completeEarly = (): void => {
      complete();
      connection.connected = false;
      void connection.client.destroy().catch(() => undefined);
    };
    const cancel = (kind: TransportFailure['kind'], message: string): void => {
      fail(kind, message);
      void connection.client.destroy().catch(() => undefined);
    };
    const abort = (): void => cancel('aborted', 'the run was ended before the answer came');
    // Sockets live in real time: there is no other clock to measure them by.
    const timer = setTimeout(() => {
      const part = status === 0 ? 'no answer' : 'no whole answer';
      if (connection.connected) cancel('timeout', `${part} within ${timeoutMs} ms`);
      else cancel('unreachable', `no connection within ${timeoutMs} ms`);
    }, timeoutMs);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (controller, statusCode) => {
        if (statusCode < 200) return;
        status = statusCode;
        headers = readRawHeaders(controller.rawHeaders);
      },
      onResponseData: (_controller, chunk) => {
        if (bodyBytes > maxBodyBytes) return;
        chunks.push(chunk);
        bodyBytes += chunk.length;
        if (bodyBytes > maxBodyBytes) completeEarly();
      },
      onResponseEnd: complete,
      onResponseError: (_controller, error) => {
        // A body may still be decoded when the connection that it was cut on is closed.
        if (isComplete) return;
        if (isMiscounted(error) && lengthOf(headers) === bodyBytes) {
          connection.connected = false;
          return complete();
        }
        if (error instanceof TypeError || isOurFault(error)) {
          clearTimeout(timer);
          stopListening();
          reject(new TypeError(`the request cannot be sent: ${error.message}`));
          return;
        }
        const { kind, message } = describeFailure(error, { headers: status !== 0, bodyBytes });
        fail(kind, message);
      },
    };
    const stopListening = onAbort(signal, abort);
    if (signal?.aborted) return abort();
    connection.verbatim.message = verbatimMessage(connection.origin, path, request);
    connection.client.dispatch(
      {
        path,
        method: request.method as Dispatcher.HttpMethod,
        ...(connection.verbatim.message === null ? message(request) : {}),
      },
      handler,
    );
  });

/** Long enough that a server which reads what is there reads the first piece alone, a busy one as well. */
const PAUSE_MS = 300;

async function* apart(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(PAUSE_MS);
    yield piece;
  }
}

/** Headers and body; a body in pieces has its length in front all the same. */
const message = ({ headers, body, framing }: WireRequest) => {
  const lines = headers.flat();
  if (framing === undefined || body === null) return { headers: lines, body };
  const pieces = piecesOf(body);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { headers: [...lines, 'Content-Length', String(length)], body: Readable.from(apart(pieces)) };
};

/**
 * undici takes spaces behind the digits of Content-Length for digits (RFC 9112 5 allows them), finds that the body is of another length,
 * and gives up the connection.
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

const readRawHeaders = (raw: Buffer[] | string[] | Record<string, unknown> | null | undefined): Header[] => {
  const lines: Header[] = [];
  if (!Array.isArray(raw)) return lines;
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([text(raw[at]), text(raw[at + 1])]);
  return lines;
};

const text = (part: Buffer | string | undefined): string =>
  typeof part === 'string' ? part : (part?.toString('latin1') ?? '');
