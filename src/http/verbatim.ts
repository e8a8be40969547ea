import type { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';
import type { WireRequest } from './exchange.ts';
import { encodeChunks } from './framing.ts';

/** What a connection sends in place of the next message that undici writes; null: that message itself. */
export interface Verbatim {
  message: Uint8Array | null;
}

const replaceNextWrite = (socket: Pick<Duplex, 'write'>, verbatim: Verbatim): void => {
  const write = socket.write.bind(socket) as (...given: readonly unknown[]) => boolean;
  socket.write = (...given: readonly unknown[]): boolean => {
    const { message } = verbatim;
    verbatim.message = null;
    return message === null ? write(...given) : write(message);
  };
};

/** Connects as the given connector does. undici writes a request without a body at once, so that one write is one message. */
export const connectorSendingVerbatim =
  (connect: buildConnector.connector, verbatim: Verbatim): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) replaceNextWrite(socket, verbatim);
      callback(...result);
    });

/** The body as it follows the head, if undici cannot write the message; null: undici can. */
const verbatimBody = ({ body, framing }: WireRequest): Uint8Array | null => {
  const bytes = Buffer.from(body ?? '');
  switch (framing) {
    case 'chunks':
      return body === null ? null : encodeChunks(bytes);
    case 'malformed chunk size':
      return Buffer.concat([Buffer.from('zz\r\n'), bytes, Buffer.from('\r\n0\r\n\r\n')]);
    case 'malformed length':
    case 'no host':
      return bytes;
    default:
      return null;
  }
};

/** A message that undici cannot write, as a whole; null: undici can write it. */
export const verbatimMessage = (origin: string, path: string, request: WireRequest): Uint8Array | null => {
  const body = verbatimBody(request);
  if (body === null) return null;
  const { method, headers, framing } = request;
  const all = framing === 'no host' ? headers : [['Host', new URL(origin).host], ...headers];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
};
