import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { type Header, headerValues } from './headers.ts';

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/**
 * Undoes the content codings of a response (RFC 9110 8.4). Most requests send no Accept-Encoding, which leaves the choice to the server. A
 * coding that we do not know leaves the bytes as they came.
 *
 * @returns the decoded bytes, or null where they are not what Content-Encoding says or exceed `maxBytes`
 */
export const decodeContent = (
  headers: readonly Header[],
  body: Uint8Array,
  maxBytes: number,
): Uint8Array | null => {
  const codings = headerValues(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  let decoded = body;
  for (const coding of codings.reverse()) {
    const decode = decoders[coding];
    if (decode === undefined || decoded.length === 0) return decoded;
    try {
      decoded = decode(decoded, { maxOutputLength: maxBytes });
    } catch {
      return null;
    }
  }
  return decoded;
};
