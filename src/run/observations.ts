import type { Observation } from './outcome.ts';

const byNumber = new Intl.Collator('en', { numeric: true });
const byLetter = new Intl.Collator();
const between = ', ';

/** What was seen of one subject, each value once. */
export const asOne = (values: Iterable<string>): string => [...new Set(values)].sort().join(between);

/** Observations as a run tells them: by requirement, then by subject. */
export const inOrder = (observations: readonly Observation[]): readonly Observation[] =>
  observations.toSorted((a, b) => byNumber.compare(a.id, b.id) || byLetter.compare(a.subject, b.subject));

/** What several parts of a run observed: a subject has one entry, with all that any of them saw. */
export const mergeObservations = (observations: readonly Observation[]): readonly Observation[] => {
  const bySubject = Map.groupBy(observations, ({ id, subject }) => JSON.stringify([id, subject]));
  return inOrder(
    [...bySubject.values()].flatMap((same) =>
      same.slice(0, 1).map((first) => ({
        ...first,
        value: new Set(same.map(({ value }) => value)).size === 1 ? first.value : unionOf(same),
      })),
    ),
  );
};

const unionOf = (same: readonly Observation[]): string =>
  asOne(same.flatMap(({ value }) => value.split(between)));
