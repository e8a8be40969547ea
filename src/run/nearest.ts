/** Names that the run makes up differ for no reason, and so do ids. */
const withoutNames = (words: string): string =>
  words.replaceAll(/conformance-[\w-]+/g, '…').replace(/^GET \/pets\/-?\d+, /, '');

const commonLength = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return start + end;
};

/** How much of two texts is the same, before and behind where they part: from 0 to 1. */
const likeness = (a: string, b: string): number => commonLength(a, b) / Math.max(1, a.length, b.length);

/** An animal by its id alone: nothing in the request tells it from another. */
const isBare = (words: string): boolean => /^GET \/pets\/-?\d+$/.test(words);

/** Of requests in words those that differ least from one, the nearest first: no two that only a made up name tells apart. */
export const nearest = (all: readonly string[], to: string, most: number): readonly string[] => {
  const kinds = new Map(all.filter((words) => !isBare(words)).map((words) => [withoutNames(words), words]));
  const wanted = withoutNames(to);
  kinds.delete(wanted);
  return [...kinds]
    .map(([kind, words]) => ({ words, like: likeness(kind, wanted) }))
    .sort((a, b) => b.like - a.like)
    .slice(0, most)
    .map(({ words }) => words);
};
