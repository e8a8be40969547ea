import { piecesOf } from '../client/pieces.ts';

/** What a server reads of a request: a web-standard `Request` is one. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null;
  arrayBuffer(): Promise<ArrayBufferLike>;
}

interface Plain {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | null;
  /** It comes in two pieces. */
  readonly inPieces?: true;
}

/** A request of plain data, without the cost of a `Request`: its headers are read as the Fetch standard reads them. */
export const incomingRequest = ({ method, url, headers, body, inPieces }: Plain): IncomingRequest => {
  const bytes = body === null ? null : Buffer.from(body);
  const get = (name: string): string | null => {
    const values = headers.filter((line) => line[0].toLowerCase() === name);
    return values.length === 0 ? null : values.map(([, value]) => trimmed(value)).join(', ');
  };
  return {
    method,
    url,
    headers: { get: (name) => get(name.toLowerCase()), has: (name) => get(name.toLowerCase()) !== null },
    body: bytes === null ? null : inPieces ? piecesOf(bytes) : [bytes],
    arrayBuffer: async () => new Uint8Array(bytes ?? []).buffer,
  };
};

const trimmed = (value: string): string => value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
