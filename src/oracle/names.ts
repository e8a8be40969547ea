import type { Json } from '../json/json.ts';

// White space by any stack's trim: Unicode's, the control characters that some count in, and invisible marks.
const isBlank = (character: string): boolean =>
  character <= ' ' || /[\s\u0085\u200b\u2060\ufeff]/u.test(character);

const trimmed = (name: string): string => {
  const characters = [...name];
  const first = characters.findIndex((character) => !isBlank(character));
  const last = characters.findLastIndex((character) => !isBlank(character));
  return characters.slice(Math.max(first, 0), last + 1).join('');
};

const normalize = (name: string): string => trimmed(name.normalize('NFKC')).normalize('NFKC');

/** The name came back: white space at its ends and Unicode normal form aside (CREATE-2). */
export const isSameName = (sent: string, back: Json | undefined): boolean =>
  typeof back === 'string' && (sent === back || normalize(sent) === normalize(back));
