/** Edits (insert, delete, replace, swap neighbours) that turn one word into the other. */
const distance = (from: string, to: string): number => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
};

const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_]/g, '');

/**
 * Finds what a mistyped word most likely meant: the candidate the fewest edits away, case, hyphens and underscores aside.
 * Null where nothing is near (more than a third of the word would have to change).
 */
export const suggest = (word: string, candidates: Iterable<string>): string | null => {
  const meant = plain(word.slice(0, 64));
  let best: string | null = null;
  let nearest = Math.max(1, Math.floor(meant.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = distance(meant, plain(candidate));
    if (edits < nearest && edits < meant.length) {
      nearest = edits;
      best = candidate;
    }
  }
  return best;
};

/** Ends a message about an unknown word: `: did you mean X?`, or nothing. */
export const didYouMean = (word: string, candidates: Iterable<string>): string => {
  const meant = suggest(word, candidates);
  return meant === null ? '' : `: did you mean ${meant}?`;
};
