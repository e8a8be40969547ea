/**
 * A body in the two pieces in which it is sent, of about the same size. A character of several bytes near the middle is cut: a server that
 * decodes each piece by itself loses it.
 */
export const piecesOf = (body: string | Uint8Array): readonly [first: Buffer, rest: Buffer] => {
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

/** Of the bytes of a character in UTF-8, any but the first. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
