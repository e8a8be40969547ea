const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Pseudo-random letters (Park-Miller generator): a store that compresses text cannot make them short. */
const mixedLetters = (length: number): string => {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return letters.charAt(state % letters.length);
  }).join('');
};

/** Names that can do lasting harm to a fragile store: all clients may be unable to read a list that contains one. */
export const riskyNameExamples: readonly { readonly label: string; readonly name: string }[] = [
  { label: 'a lone high surrogate', name: 'a\ud83d' },
  { label: 'a lone low surrogate', name: '\udc08a' },
  { label: 'surrogates in the wrong order', name: 'a\udc08\ud83db' },
  { label: 'NUL', name: 'a\0b' },
  { label: 'only NUL', name: '\0' },
  { label: '70,000 characters', name: mixedLetters(70_000) },
];
