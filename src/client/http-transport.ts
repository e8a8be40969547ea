import { Client, type Dispatcher } from 'undici';
import { onAbort } from './abort.ts';
import { decodeContent } from './content-coding.ts';
import type { Answer, Header, Transport, TransportFailure, WireRequest } from './exchange.ts';
import { describeFailure } from './http-failure.ts';

/** A longer response than this is taken for malformed. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** Shorter than what servers usually keep idle connections for, so that it is mostly we who close them. */
const IDLE_MS = 2_000;
/** Far less than any server keeps idle connections for. */
const WARM_MS = 200;

/** One undici client with one connection: so it is always known whether the connection has served before. */
interface Connection {
  readonly client: Client;
  readonly origin: string;
  served: number;
  connected: boolean;
  /** The method and status of the last exchange: whether a server closes after it depends on them. */
  last: string;
  /** By `performance.now`. */
  lastAt: number;
}

interface Sending {
  readonly timeoutMs: number;
  readonly fresh?: boolean | 'or warm';
  readonly line?: string;
  readonly signal?: AbortSignal;
}

/**
 * A transport over HTTP/1.1, in the clear or over TLS. It follows no redirect, repeats nothing and sends path and headers as given.
 * Connections are kept for reuse, at most `concurrency` of them; `fresh` opens a new one, or takes one that is warm: it has served
 * just now, others served on after the like, and this server was never seen to close such a connection. The time-out covers the whole
 * answer.
 *
 * @throws TypeError (from `send`) for a request that HTTP cannot carry: that is the caller's fault, never the target's
 */
export const createHttpTransport = ({ concurrency }: { readonly concurrency: number }): Transport => {
  const idle: Connection[] = [];
  const lines = new Map<string, Connection>();
  const all = new Set<Connection>();
  /** The last exchanges after which connections have served on. */
  const servedAfter = new Set<string>();
  let closesWarm = false;

  const isWarm = ({ last, lastAt }: Connection): boolean =>
    !closesWarm && servedAfter.has(last) && performance.now() - lastAt < WARM_MS;

  const open = (origin: string, timeoutMs: number): Connection => {
    const client = new Client(origin, {
      allowH2: false,
      connect: { timeout: timeoutMs },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      maxResponseSize: MAX_RESPONSE_BYTES,
    });
    const connection: Connection = { client, origin, served: 0, connected: false, last: '', lastAt: 0 };
    client.on('connect', () => {
      connection.served = 0;
      connection.connected = true;
    });
    client.on('disconnect', (_origin, _targets, { code }) => {
      connection.connected = false;
      const byServer = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET';
      if (byServer && isWarm(connection)) closesWarm = true;
    });
    all.add(connection);
    return connection;
  };

  const take = (origin: string, fresh: Sending['fresh']): Connection | undefined => {
    if (fresh === true) return undefined;
    const at = idle.findLastIndex(
      (each) => each.origin === origin && each.connected && (fresh !== 'or warm' || isWarm(each)),
    );
    return at === -1 ? undefined : idle.splice(at, 1)[0];
  };

  /** The connection of a line: a new one where a new one is wanted. */
  const lineTo = (origin: string, line: string, { fresh, timeoutMs }: Sending): Connection => {
    const own = fresh === true ? undefined : lines.get(line);
    const connection = own ?? open(origin, timeoutMs);
    lines.set(line, connection);
    return connection;
  };

  const sendOnLine = async (request: WireRequest, line: string, options: Sending): Promise<Answer> => {
    const { origin, path } = splitUrl(request.url);
    return exchangeOn(lineTo(origin, line, options), path, request, options);
  };

  const learn = (connection: Connection, exchange: string, reused: boolean): void => {
    if (reused) servedAfter.add(connection.last);
    connection.last = exchange;
    connection.lastAt = performance.now();
  };

  const retire = (connection: Connection): void => {
    all.delete(connection);
    void connection.client.destroy().catch(() => undefined);
  };

  const giveBack = (connection: Connection): void => {
    idle.push(connection);
    while (idle.length > concurrency) {
      const oldest = idle.shift();
      if (oldest) retire(oldest);
    }
  };

  return {
    send: async (request, options) => {
      if (options.line !== undefined) return sendOnLine(request, options.line, options);
      const { origin, path } = splitUrl(request.url);
      const connection = take(origin, options.fresh) ?? open(origin, options.timeoutMs);
      try {
        const answer = await exchangeOn(connection, path, request, options);
        if (answer.ok) learn(connection, `${request.method} ${answer.response.status}`, answer.reused);
        else if (answer.failure.kind === 'reset' && answer.failure.reused) closesWarm = true;
        if (answer.ok && !mayHaveLeftBodyUnread(request, answer.response.status)) giveBack(connection);
        else retire(connection);
        return answer;
      } catch (error) {
        retire(connection);
        throw error;
      }
    },
    close: async () => {
      await Promise.all([...all].map((connection) => connection.client.destroy()));
      all.clear();
      lines.clear();
      idle.length = 0;
    },
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
  { timeoutMs, signal }: Sending,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let status = 0;
    let headers: readonly Header[] = [];
    const chunks: Buffer[] = [];
    let bodyBytes = 0;

    const settle = (answer: Answer): void => {
      clearTimeout(timer);
      stopListening();
      resolve(answer);
    };
    const fail = (kind: TransportFailure['kind'], message: string): void =>
      settle({ ok: false, failure: { kind, message, reused: connection.served > 0 } });
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
        chunks.push(chunk);
        bodyBytes += chunk.length;
      },
      onResponseEnd: () => {
        const reused = connection.served > 0;
        connection.served += 1;
        const body = decodeContent(headers, onePiece(chunks), MAX_RESPONSE_BYTES);
        if (body === null) fail('malformed', 'the body is not encoded as its Content-Encoding says');
        else settle({ ok: true, response: { status, headers, body }, reused });
      },
      onResponseError: (_controller, error) => {
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
    connection.client.dispatch(
      {
        path,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers.flat(),
        body: request.body,
      },
      handler,
    );
  });

const isOurFault = (error: Error): boolean => 'code' in error && error.code === 'UND_ERR_INVALID_ARG';

const onePiece = (chunks: readonly Buffer[]): Uint8Array => {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
};

const readRawHeaders = (raw: Buffer[] | string[] | Record<string, unknown> | null | undefined): Header[] => {
  const lines: Header[] = [];
  if (!Array.isArray(raw)) return lines;
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([text(raw[at]), text(raw[at + 1])]);
  return lines;
};

const text = (part: Buffer | string | undefined): string =>
  typeof part === 'string' ? part : (part?.toString('latin1') ?? '');
