import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { WebServer } from './reference.ts';
import { ConnectionDropped } from './reply.ts';

/** A server on a socket. */
export interface Listening {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Stops at once: open connections are closed. */
  close(): Promise<void>;
}

/** Longer than a client waits for the next minute, so that an idle connection is rarely closed when it is used again. */
const keepAliveTimeout = 75_000;

/**
 * Starts a reference server on a socket.
 *
 * @param options `port` 0 picks a free one
 * @throws what `net.Server.listen` emits (`EADDRINUSE`, `EACCES`, `ENOTFOUND`, …), with that `code`
 */
export async function listen(
  reference: WebServer,
  options: {
    readonly host: string;
    readonly port: number;
    /** Called when a response is written, or its connection is closed before. */
    readonly onEnd?: (request: Request, isWritten: boolean) => void;
  },
): Promise<Listening> {
  const listener = requestListener(reference, options.onEnd);
  const server = createServer({ keepAliveTimeout, requireHostHeader: false }, listener);
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => refuseRaw(reference, socket));
  server.on('clientError', (_error, socket) => refuseRaw(reference, socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { baseUrl: baseUrlOf(server), close: () => close(server) };
}

function baseUrlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const reachable = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${family === 'IPv6' ? `[${reachable}]` : reachable}:${port}/v1`;
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

function requestListener(reference: WebServer, onEnd?: (request: Request, isWritten: boolean) => void) {
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      const response = outgoing as ServerResponse;
      if (onEnd !== undefined) response.once('close', () => onEnd(request, response.writableFinished));
      try {
        await write(
          await reference.fetch(request, (incoming as IncomingMessage).socket),
          outgoing as ServerResponse,
        );
      } catch (error) {
        if (!(error instanceof ConnectionDropped)) throw error;
        (incoming as IncomingMessage).socket.destroy();
      }
      return RESPONSE_ALREADY_SENT;
    },
    {
      hostname: 'localhost',
      overrideGlobalObjects: false,
      errorHandler: (error) =>
        error instanceof RequestError ? reference.refuse() : new Response(null, { status: 500 }),
    },
  );
}

/** Writes exactly the response of `fetch`. The writer of the adapter would add headers. */
async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status;
  outgoing.sendDate = false;
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  outgoing.end(new Uint8Array(await response.arrayBuffer()));
}

/** Responds to input that the HTTP parser rejects: malformed requests, too large headers, CONNECT. */
async function refuseRaw(reference: WebServer, socket: Duplex | Socket): Promise<void> {
  socket.on('error', () => socket.destroy());
  const response = await reference.refuse();
  const body = await response.text();
  const headers = [
    ...response.headers,
    ['connection', 'close'],
    ['content-length', String(Buffer.byteLength(body))],
  ];
  if (!socket.writable) return;
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${lines}\r\n${body}`);
}
