import { isUtf8 } from 'node:buffer';

export type EncodingProblem = 'invalid UTF-8' | 'byte order mark';

export interface DecodedBody {
  /** Without a byte order mark; U+FFFD stands where the bytes are not UTF-8. */
  readonly text: string;
  /** What RFC 8259 8.1 forbids about the bytes. */
  readonly problems: readonly EncodingProblem[];
}

/** Drops a leading byte order mark. */
const decoder = new TextDecoder('utf-8');

/** Reads the bytes of a JSON body as text, as RFC 8259 8.1 encodes it: UTF-8 with no byte order mark. Never throws. */
export function decodeBody(bytes: Uint8Array): DecodedBody {
  const problems: EncodingProblem[] = [];
  if (!isUtf8(bytes)) problems.push('invalid UTF-8');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) problems.push('byte order mark');
  return { text: decoder.decode(bytes), problems };
}
