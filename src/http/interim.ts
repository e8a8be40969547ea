import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** Does not match 101, which switches to another protocol. */
const interim = /^HTTP\/1\.1 1(?!01)\d\d /;
const interimStart = 'HTTP/1.1 1';
/** The part of a status line that is enough to recognize an interim response. */
const STATUS_LENGTH = 'HTTP/1.1 100 '.length;
const endOfHead = '\r\n\r\n';
/** A longer head is passed to the parser, which rejects it. */
const MAX_INTERIM_BYTES = 16_384;

/** What a piece begins with: a whole interim response, part of one, or something else. */
type Beginning = { readonly kind: 'whole'; readonly rest: Buffer } | { readonly kind: 'part' | 'other' };

const beginningOf = (piece: Buffer): Beginning => {
  const start = piece.toString('latin1', 0, STATUS_LENGTH);
  const isPart =
    start.length < STATUS_LENGTH && (interimStart.startsWith(start) || start.startsWith(interimStart));
  if (!isPart && !interim.test(start)) return { kind: 'other' };
  const end = piece.indexOf(endOfHead);
  if (end >= 0) return { kind: 'whole', rest: piece.subarray(end + endOfHead.length) };
  return { kind: piece.length < MAX_INTERIM_BYTES ? 'part' : 'other' };
};

/**
 * Removes interim responses from what is read from a socket. A client must accept them at any time (RFC 9110 15.2), even an unexpected
 * `100 Continue`, but undici closes the connection. A partial interim response is held back until it is complete. The body of a final
 * response is not changed.
 */
const skipInterim = (socket: Pick<Socket, 'read' | 'bytesWritten'>): void => {
  const read = socket.read.bind(socket);
  let held: Buffer = Buffer.alloc(0);
  /** Bytes written when the last response began. Until more are written, all data belongs to that response. */
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

/** Wraps a connector so that its sockets skip interim responses. */
export const connectorSkippingInterim =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) skipInterim(socket);
      callback(...result);
    });
