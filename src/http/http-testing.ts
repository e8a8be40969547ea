import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Clock } from '../time/clock.ts';
import type { Transport, WireRequest } from './exchange.ts';
import { createHttpTransport } from './transport.ts';

export const closing: (() => Promise<unknown> | unknown)[] = [];
/** Closes what a test opened. A file calls it after each test itself, because files share this module. */
export const closeAll = async (): Promise<void> => {
  for (const undo of closing.splice(0).reverse()) await undo();
};

/** A clock on which no time passes. */
export const stoppedClock: Clock = { now: () => 0, sleep: () => new Promise(() => undefined) };
/** A clock on which each sleep ends at once. */
export const instantClock: Clock = { now: () => 0, sleep: async () => undefined };

export const transport = (concurrency = 8, clock = stoppedClock): Transport => {
  const created = createHttpTransport({ concurrency, clock });
  closing.push(() => created.close());
  return created;
};

export const listen = async (server: net.Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

export const httpServer = async (listener: RequestListener): Promise<string> => {
  const server = http.createServer(listener);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
};

/** Starts a server that calls `onData` with each chunk it receives. */
export const rawServer = async (onData: (socket: Socket, chunk: Buffer) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('data', (chunk) => onData(socket, chunk));
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
};

export const get = (url: string): WireRequest => ({ method: 'GET', url, headers: [], body: null });
export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]';
export const text = (body: Uint8Array): string => Buffer.from(body).toString();
export const within = { timeoutMs: 5_000 };
