/**
 * Splits a body in two, near the middle and if possible inside a multi-byte character. A server that decodes each piece separately breaks
 * that character.
 */
export const splitBody = (body: string | Uint8Array): readonly [first: Buffer, rest: Buffer] => {
  const bytes = Buffer.from(body);
  const middle = bytes.length >> 1;
  const cuts = bytes.entries().flatMap(([at, byte]) => (isContinuation(byte) ? [at] : []));
  const cut = cuts.reduce(
    (best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best),
    Infinity,
  );
  const at = Number.isFinite(cut) ? cut : middle;
  return [bytes.subarray(0, at), bytes.subarray(at)];
};

/** Tells whether a byte continues a character in UTF-8. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Sizes of one and two hexadecimal digits, with and without letters: `1`, `a`, `1b`, `10`. A server may read them as decimal. */
const sizes: readonly number[] = [1, 10, 27, 16];

/** Splits a body into chunks of these sizes and the rest. */
export const chunksOf = (body: string | Uint8Array): readonly Buffer[] => {
  const bytes = Buffer.from(body);
  const ends = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0));
  const bounds = [0, ...ends.filter((end) => end < bytes.length), bytes.length];
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
};

/**
 * Encodes a body in chunks (RFC 9112 7.1). Every second size is in upper case. Extensions and trailers are left out, because Varnish
 * responds to both with 503.
 */
export const encodeChunks = (body: string | Uint8Array): Buffer => {
  const chunks = chunksOf(body)
    .filter(({ length }) => length > 0)
    .flatMap((chunk, index) => {
      const digits = chunk.length.toString(16);
      const size = index % 2 === 0 ? digits.toUpperCase() : digits;
      return [Buffer.from(`${size}\r\n`), chunk, Buffer.from('\r\n')];
    });
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
};
