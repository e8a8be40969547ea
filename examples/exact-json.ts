declare global {
  interface JSON {
    /** Text that stringify writes as it is (in V8 since 11.4). */
    rawJSON(text: string): object;
  }
}

/** Integers become bigints: a double would round an int64 above 2^53. Throws SyntaxError for malformed JSON. */
export const parseExact = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { readonly source: string }) =>
    typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? 0) : value,
  );

/** Bigints are written with all their digits. */
export const stringifyExact = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? JSON.rawJSON(member.toString()) : member,
  );
