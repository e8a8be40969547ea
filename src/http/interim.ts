import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** A 101 is none: another protocol would follow. */
const interim = /^HTTP\/1\.1 1(?!01)\d\d /;
const interimStart = 'HTTP/1.1 1';
/** As long as the part of a status line that tells an interim response from others. */
const toldBy = 'HTTP/1.1 100 '.length;
const endOfHead = '\r\n\r\n';
/** A longer head of an interim response is left to the parser, which refuses it. */
const MAX_INTERIM_BYTES = 16_384;

/** What a piece begins with: an interim response as a whole, one that is still to be completed, or neither. */
type Beginning = { readonly kind: 'whole'; readonly rest: Buffer } | { readonly kind: 'part' | 'other' };

const beginningOf = (piece: Buffer): Beginning => {
  const start = piece.toString('latin1', 0, toldBy);
  const isPart = start.length < toldBy && (interimStart.startsWith(start) || start.startsWith(interimStart));
  if (!isPart && !interim.test(start)) return { kind: 'other' };
  const end = piece.indexOf(endOfHead);
  if (end >= 0) return { kind: 'whole', rest: piece.subarray(end + endOfHead.length) };
  return { kind: piece.length < MAX_INTERIM_BYTES ? 'part' : 'other' };
};

/**
 * Takes interim responses out of what is read from a socket. A client has to expect them at any time (RFC 9110 15.2), and passes over
 * a `100 Continue` that it did not ask for; undici breaks the connection off. One that comes in several packets is held back until it is
 * complete; what is held back when the connection ends was no response. Nothing is taken out of a response that has begun.
 */
const passOverInterim = (socket: Pick<Socket, 'read' | 'bytesWritten'>): void => {
  const read = socket.read.bind(socket);
  let held: Buffer = Buffer.alloc(0);
  /** What had been written when the last response began: as long as no more is, what comes belongs to it. */
  let writtenAtResponse = -1;
  socket.read = (size?: number): unknown => {
    for (let piece: unknown = read(size); ; piece = read(size)) {
      if (!Buffer.isBuffer(piece) || socket.bytesWritten === writtenAtResponse) return piece;
      let unread: Buffer = held.length > 0 ? Buffer.concat([held, piece]) : piece;
      held = Buffer.alloc(0);
      let beginning = beginningOf(unread);
      while (beginning.kind === 'whole' && beginning.rest.length > 0) {
        unread = beginning.rest;
        beginning = beginningOf(unread);
      }
      if (beginning.kind === 'other') {
        writtenAtResponse = socket.bytesWritten;
        return unread;
      }
      if (beginning.kind === 'part') held = unread;
    }
  };
};

/** Connects as undici does by itself, and passes over the interim responses that come. */
export const connectorPassingOverInterim = (timeout: number): buildConnector.connector => {
  const connect = buildConnector({ timeout, allowH2: false });
  return (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) passOverInterim(socket);
      callback(...result);
    });
};
