import type { Json } from '../json/json.ts';

// White space by any stack's trim: Unicode's, the control characters that some count in, and invisible marks.
const edges = /^[\s\u0000-\u0020\u0085\u200b\u2060\ufeff]+|[\s\u0000-\u0020\u0085\u200b\u2060\ufeff]+$/gu;

const essence = (name: string): string => name.normalize('NFKC').replace(edges, '').normalize('NFKC');

/** The name came back: white space at its ends and Unicode normal form aside (CREATE-2). */
export const sameName = (sent: string, back: Json | undefined): boolean =>
  typeof back === 'string' && (sent === back || essence(sent) === essence(back));
