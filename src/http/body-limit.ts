import { Buffer } from 'node:buffer';
import type { TransportResult } from './exchange.ts';

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
