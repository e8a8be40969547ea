/** Returns the number of edits (insert, delete, replace, swap neighbors) that turn one word into the other. */
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

const normalize = (word: string): string => word.toLowerCase().replaceAll(/[-_]/g, '');

/**
 * Returns the candidate that needs the fewest edits, ignoring case, hyphens, and underscores. Returns null if more than a third of the
 * word would have to change.
 */
export const suggest = (word: string, candidates: Iterable<string>): string | null => {
  const wanted = normalize(word.slice(0, 64));
  let best: string | null = null;
  let nearest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = distance(wanted, normalize(candidate));
    if (edits < nearest && edits < wanted.length) {
      nearest = edits;
      best = candidate;
    }
  }
  return best;
};
