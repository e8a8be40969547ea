import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { type Header, headerValues } from './exchange.ts';

/** The bytes read. `cut`: more followed. */
export interface LimitedBytes {
  readonly bytes: Uint8Array;
  readonly cut: boolean;
}

/** Makes a decoder. `cut`: it must accept an incomplete body. */
type MakeDecoder = (cut: boolean) => Transform;

const gunzip: MakeDecoder = (cut) => createGunzip(cut ? { finishFlush: constants.Z_SYNC_FLUSH } : {});

const decoders: Readonly<Record<string, MakeDecoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (cut) => createInflate(cut ? { finishFlush: constants.Z_SYNC_FLUSH } : {}),
  br: (cut) => createBrotliDecompress(cut ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {}),
  zstd: (cut) => createZstdDecompress(cut ? { finishFlush: constants.ZSTD_e_flush } : {}),
};

/**
 * Decodes the content codings of a response (RFC 9110 8.4). Without Accept-Encoding, which most requests omit, the server may choose
 * any coding. An unknown coding is not decoded. Decoding stops at `maxBytes`.
 *
 * @returns the decoded bytes, or null if they do not match Content-Encoding
 */
export const decodeContent = async (
  headers: readonly Header[],
  body: LimitedBytes,
  maxBytes: number,
): Promise<LimitedBytes | null> => {
  let decoded = body;
  for (const coding of codingsOf(headers).reverse()) {
    const makeDecoder = decoders[coding];
    if (makeDecoder === undefined || decoded.bytes.length === 0) break;
    try {
      decoded = await decode(makeDecoder(decoded.cut), decoded, maxBytes);
    } catch {
      return null;
    }
  }
  return upTo(maxBytes, decoded);
};

/** Tells whether the body has a content coding. */
export const isCoded = (headers: readonly Header[]): boolean => codingsOf(headers).length > 0;

/** Returns a coding of the body that is not decoded: an unknown one, or one of the transfer that no request allows; null: there is none. */
export const undecodedCoding = (headers: readonly Header[]): string | null =>
  codingsOf(headers).find((coding) => decoders[coding] === undefined) ??
  codingsOf(headers, 'transfer-encoding').find((coding) => coding !== 'chunked') ??
  null;

const codingsOf = (headers: readonly Header[], name = 'content-encoding'): string[] =>
  headerValues(headers, name)
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');

const decode = async (decoder: Transform, body: LimitedBytes, maxBytes: number): Promise<LimitedBytes> => {
  const chunks: Buffer[] = [];
  let length = 0;
  decoder.end(body.bytes);
  for await (const chunk of decoder as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks), cut: body.cut || length > maxBytes };
};

/** Cuts a body at `maxBytes`. It copies the part, because a subarray keeps the whole buffer in memory. */
export const upTo = (maxBytes: number, { bytes, cut }: LimitedBytes): LimitedBytes =>
  bytes.length > maxBytes
    ? { bytes: new Uint8Array(bytes.subarray(0, maxBytes)), cut: true }
    : { bytes, cut };
