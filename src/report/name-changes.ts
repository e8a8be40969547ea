import { unescapeHtml } from '../util/html-text.ts';

/** Shorter names lose characters for other reasons. */
const shortestCut = 20;

/** What a returned name may be, by how it differs from the one sent. */
const nameChanges: readonly (readonly [change: string, (name: string, returned: string) => boolean])[] = [
  ['trimmed', (name, returned) => [name.trim(), name.trimStart(), name.trimEnd()].includes(returned)],
  ['changed to lower case', (name, returned) => returned === name.toLowerCase()],
  ['changed to upper case', (name, returned) => returned === name.toUpperCase()],
  [
    'normalized (Unicode)',
    (name, returned) => ['NFC', 'NFD', 'NFKC', 'NFKD'].some((form) => name.normalize(form) === returned),
  ],
  ['cut', (name, returned) => returned.length >= shortestCut && name.startsWith(returned)],
  ['escaped for HTML', (name, returned) => unescapeHtml(returned) === name],
];

/** Returns how a returned name differs from the one that was sent, in words, or null if it is the same or just another. */
export const nameChangeBetween = (name: string, returned: string): string | null =>
  name === returned ? null : (nameChanges.find(([, isChange]) => isChange(name, returned))?.[0] ?? null);
