import { Buffer } from 'node:buffer';
import type { LimitedBytes } from './content-coding.ts';
import {
  type Header,
  type HeaderLines,
  headerValue,
  type TransportResult,
  type WireResponse,
} from './exchange.ts';

/** Far more than any page of animals takes: 100 animals of 10 KB each. */
const DEFAULT_BYTES = 1024 * 1024;
/** Smaller request bodies need no addition to the default. */
const SMALL_BYTES = 1024;
/** Characters that a server may write as an escape of six bytes. */
const escapable = /[^\w .:,[\]{}-]/g;
const ESCAPED_BYTES = 6;

/** Returns the bytes that a request body may take in a list, or in an error message that repeats it. */
const bytesInResponse = (body: string | Uint8Array | null): number => {
  if (body === null || body.length <= SMALL_BYTES) return 0;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('latin1');
  return text.length + (ESCAPED_BYTES - 1) * (text.match(escapable)?.length ?? 0);
};

/**
 * Limits the bytes read of a response body. The default is 1 MiB, plus the size of the run's own animals in a list. Without a limit, a
 * stream or an expanding content coding would fill the memory.
 */
export const createBodyLimit = (maxBytes: number | undefined) => {
  let ownBytes = 0;
  return {
    bytes: (): number => maxBytes ?? DEFAULT_BYTES + ownBytes,
    /** Counts a request body as stored. The returned function undoes that if the server rejected it. */
    sending: (body: string | Uint8Array | null): ((result: TransportResult | null) => void) => {
      const bytes = maxBytes === undefined ? bytesInResponse(body) : 0;
      ownBytes += bytes;
      return (result) => {
        if (result?.ok && result.response.status >= 400) ownBytes -= bytes;
      };
    },
  };
};

/** Reading time for a stream. A stream may never end. */
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

/** Tells whether Content-Type is the media type of a stream. */
export const isStream = (headers: readonly Header[]): boolean => {
  const [type = ''] = (headerValue(headers, 'content-type') ?? '').split(';');
  return streamTypes.includes(type.trim().toLowerCase());
};

/** Builds a response, and marks a body that was cut at `maxBytes` or is the beginning of a stream. */
export const responseOf = (
  status: number,
  lines: HeaderLines,
  { bytes, cut }: LimitedBytes,
  maxBytes: number,
): WireResponse => {
  const response = { status, ...lines, body: bytes };
  if (!cut) return response;
  return isStream(lines.headers) ? { ...response, isStream: true } : { ...response, cutAt: maxBytes };
};
