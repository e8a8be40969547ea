/** Counts what is under way by what it is known by, and keeps nothing of what is over. */
export interface Tally<Mark> {
  /** One more. What it gives is to be called once when that is over. */
  begin(mark: Mark): () => void;
  of(mark: Mark): number;
}

/** Nothing is under way yet. */
export const createCounter = <Mark>(): Tally<Mark> => {
  const counts = new Map<Mark, number>();
  const of = (mark: Mark): number => counts.get(mark) ?? 0;
  return {
    of,
    begin: (mark) => {
      counts.set(mark, of(mark) + 1);
      return () => {
        if (of(mark) > 1) counts.set(mark, of(mark) - 1);
        else counts.delete(mark);
      };
    },
  };
};
