/** A body in the two pieces in which it is sent, of about the same size. */
export const piecesOf = (body: string | Uint8Array): readonly [first: Buffer, rest: Buffer] => {
  const bytes = Buffer.from(body);
  const middle = bytes.length >> 1;
  return [bytes.subarray(0, middle), bytes.subarray(middle)];
};
