/** Where the run takes categories from that nobody else will have: away from the extremes of int64 and of doubles. */
const least = 2n ** 61n;
const most = 2n ** 62n - 1n;

export const isRareCategory = (categoryId: bigint): boolean => categoryId >= least && categoryId <= most;

/** A category of its own for every text. */
export const privateCategory = (text: string): bigint =>
  least +
  ([...text].reduce((sum, character) => sum * 131n + BigInt(character.codePointAt(0) ?? 0), 0n) %
    (most - least));
