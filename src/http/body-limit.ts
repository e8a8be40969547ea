import { Buffer } from 'node:buffer';
import type { LimitedBytes } from './content-coding.ts';
import type { TransportResult, WireResponse } from './exchange.ts';
import { type Header, headerValue } from './headers.ts';

/** Far more than any page of animals has: 100 animals of 10 KB each. Reports show 32,768 characters of it. */
const DEFAULT_BYTES = 1024 * 1024;
/** Animals of the run that are smaller fit into the default. */
const SMALL_BYTES = 1024;
/** A server may write any character but these as an escape of six bytes. */
const escapable = /[^\w .:,[\]{}-]/g;
const ESCAPED_BYTES = 6;

/** Bytes that a body may take in a list or in an error message that repeats it. */
const bytesInResponse = (body: string | Uint8Array | null): number => {
  if (body === null || body.length <= SMALL_BYTES) return 0;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('latin1');
  return text.length + (ESCAPED_BYTES - 1) * (text.match(escapable)?.length ?? 0);
};

/**
 * How many bytes of a response body are read: `given`, or 1 MiB plus what the run's own animals may need in a list. Without a limit a
 * server that streams, or a coding that expands, would fill the memory.
 */
export const createBodyLimit = (given: number | undefined) => {
  let ownBytes = 0;
  return {
    bytes: (): number => given ?? DEFAULT_BYTES + ownBytes,
    /** Counts a request body as stored; the returned function ends that if the server refused it. */
    sending: (body: string | Uint8Array | null): ((result: TransportResult | null) => void) => {
      const bytes = given === undefined ? bytesInResponse(body) : 0;
      ownBytes += bytes;
      return (result) => {
        if (result?.ok && result.response.status >= 400) ownBytes -= bytes;
      };
    },
  };
};

/** How long a stream is read: one request must not wait for its end, which need not come. */
export const STREAM_MS = 1_000;

const streamTypes: readonly string[] = [
  'application/json-seq',
  'application/jsonl',
  'application/ndjson',
  'application/stream+json',
  'application/x-ndjson',
  'multipart/x-mixed-replace',
  'text/event-stream',
];

/** Tells whether the media type is that of a stream. */
export const isStream = (headers: readonly Header[]): boolean => {
  const [type = ''] = (headerValue(headers, 'content-type') ?? '').split(';');
  return streamTypes.includes(type.trim().toLowerCase());
};

/** A response with what was read of its body: of a longer one `maxBytes`, of a stream its beginning. */
export const responseOf = (
  status: number,
  headers: readonly Header[],
  { bytes, cut }: LimitedBytes,
  maxBytes: number,
): WireResponse => {
  const response = { status, headers, body: bytes };
  if (!cut) return response;
  return isStream(headers) ? { ...response, isStream: true } : { ...response, cutAt: maxBytes };
};
