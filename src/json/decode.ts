import { isUtf8 } from 'node:buffer';

export type EncodingProblem = 'invalid-utf8' | 'byte-order-mark';

export interface DecodedBody {
  /** Has no byte order mark. U+FFFD replaces bytes that are not UTF-8. */
  readonly text: string;
  /** What RFC 8259 8.1 forbids about the bytes. */
  readonly problems: readonly EncodingProblem[];
}

const decoder = new TextDecoder('utf-8');

/** Decodes a JSON body. RFC 8259 8.1 requires UTF-8 without a byte order mark. Never throws. */
export function decodeBody(bytes: Uint8Array): DecodedBody {
  const problems: EncodingProblem[] = [];
  if (!isUtf8(bytes)) problems.push('invalid-utf8');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) problems.push('byte-order-mark');
  return { text: decoder.decode(bytes), problems };
}
