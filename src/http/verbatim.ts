import type { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';
import type { WireRequest } from './exchange.ts';
import { encodeChunks } from './framing.ts';

/** Bytes to send in place of the next message that undici writes, or null. */
export interface Verbatim {
  message: Uint8Array | null;
}

const replaceNextWrite = (socket: Pick<Duplex, 'write'>, verbatim: Verbatim): void => {
  const write = socket.write.bind(socket) as (...args: readonly unknown[]) => boolean;
  socket.write = (...args: readonly unknown[]): boolean => {
    const { message } = verbatim;
    verbatim.message = null;
    return message === null ? write(...args) : write(message);
  };
};

/** Wraps a connector so that `verbatim` replaces the next write. undici writes a request without a body in one write. */
export const connectorSendingVerbatim =
  (connect: buildConnector.connector, verbatim: Verbatim): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) replaceNextWrite(socket, verbatim);
      callback(...result);
    });

/** Returns the body as it is sent, or null if undici can write the message. */
const verbatimBody = ({ body, framing }: WireRequest): Uint8Array | null => {
  const bytes = Buffer.from(body ?? '');
  switch (framing) {
    case 'chunks':
      return body === null ? null : encodeChunks(bytes);
    case 'malformed chunk size':
      return Buffer.concat([Buffer.from('zz\r\n'), bytes, Buffer.from('\r\n0\r\n\r\n')]);
    case 'malformed length':
    case 'missing length':
    case 'no host':
      return bytes;
    default:
      return null;
  }
};

/** Returns the whole message as it is sent, or null if undici can write it. */
export const verbatimMessage = (origin: string, path: string, request: WireRequest): Uint8Array | null => {
  const body = verbatimBody(request);
  if (body === null) return null;
  const { method, headers, framing } = request;
  const all = framing === 'no host' ? headers : [['Host', new URL(origin).host], ...headers];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
};
