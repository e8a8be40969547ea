/** Counts operations in progress by a mark. Finished ones take no memory. */
export interface Counter<Mark> {
  /** Counts one more. Call the returned function once, at the end. */
  begin(mark: Mark): () => void;
  of(mark: Mark): number;
}

export const createCounter = <Mark>(): Counter<Mark> => {
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
