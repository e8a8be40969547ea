/** Of one digit and of two, with a letter and without: a size that is read as decimal takes the wrong bytes. The rest follows. */
const sizes: readonly number[] = [1, 10, 27, 16];

/** A body in the chunks in which it is sent. */
export const chunksOf = (body: string | Uint8Array): readonly Buffer[] => {
  const bytes = Buffer.from(body);
  const ends = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0));
  const bounds = [0, ...ends.filter((end) => end < bytes.length), bytes.length];
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
};

/**
 * A body in the chunked transfer coding (RFC 9112 7.1). Every second size is in upper case. There are no chunk extensions and no
 * trailers: Varnish responds to both with 503.
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
