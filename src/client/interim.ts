import type { Duplex } from 'node:stream';
import { buildConnector } from 'undici';

/** A 101 is none: another protocol would follow. */
const interim = /^HTTP\/1\.1 1(?!01)\d\d /;
const endOfHead = '\r\n\r\n';

/** What comes behind an interim response that a piece of an answer begins with; null: it begins with none. */
const behindInterim = (piece: Buffer): Buffer | null => {
  if (!interim.test(piece.toString('latin1', 0, 13))) return null;
  const end = piece.indexOf(endOfHead);
  return end < 0 ? null : piece.subarray(end + endOfHead.length);
};

/**
 * Takes interim responses out of what is read from a socket. A client has to expect them at any time (RFC 9110 15.2), and passes over
 * a `100 Continue` that it did not ask for; undici breaks the connection off.
 */
const passOverInterim = <Read extends Pick<Duplex, 'read'>>(socket: Read): Read => {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    let piece: unknown = read(size);
    while (Buffer.isBuffer(piece)) {
      const rest = behindInterim(piece);
      if (rest === null) break;
      piece = rest.length > 0 ? rest : read(size);
    }
    return piece;
  };
  return socket;
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
