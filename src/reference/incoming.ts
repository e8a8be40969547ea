/** The part of a `Request` that a server reads. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null;
  /** How the message is malformed, or has no length; absent: it is like most, or the HTTP parser rejected it. */
  readonly framing?: 'no host' | 'malformed length' | 'malformed chunk size' | 'missing length';
  arrayBuffer(): Promise<ArrayBufferLike>;
}

interface Plain {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | null;
  /** The body in the pieces in which it arrives; absent: in one piece. */
  readonly pieces?: readonly Uint8Array[];
  readonly framing?: IncomingRequest['framing'];
}

/** A request from plain data, cheaper than a `Request`. Header values are normalized as in the Fetch standard. */
export const incomingRequest = ({ method, url, headers, body, pieces, framing }: Plain): IncomingRequest => {
  const bytes = body === null ? null : Buffer.from(body);
  const get = (name: string): string | null => {
    const values = headers.filter((line) => line[0].toLowerCase() === name);
    return values.length === 0 ? null : values.map(([, value]) => trimmed(value)).join(', ');
  };
  return {
    method,
    url,
    headers: { get: (name) => get(name.toLowerCase()), has: (name) => get(name.toLowerCase()) !== null },
    body: bytes === null ? null : (pieces ?? [bytes]),
    ...(framing === undefined ? {} : { framing }),
    arrayBuffer: async () => new Uint8Array(bytes ?? []).buffer,
  };
};

const trimmed = (value: string): string => value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
