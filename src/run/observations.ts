import type { Observation } from './outcome.ts';

const byNumber = new Intl.Collator('en', { numeric: true });
const byLetter = new Intl.Collator();

/** One observation out of the values seen of its subject, each value once. */
export const observationOf = (
  { id, subject }: Pick<Observation, 'id' | 'subject'>,
  seen: Iterable<string>,
): Observation => {
  const values = [...new Set(seen)].sort();
  return { id, subject, value: values.join(', '), values };
};

/** Observations as a run tells them: by requirement, then by subject. */
export const sortObservations = (observations: readonly Observation[]): readonly Observation[] =>
  observations.toSorted((a, b) => byNumber.compare(a.id, b.id) || byLetter.compare(a.subject, b.subject));

/** The observations of several parts of a run: one for each subject, with the values that any part saw. */
export const mergeObservations = (observations: readonly Observation[]): readonly Observation[] => {
  const bySubject = Map.groupBy(observations, ({ id, subject }) => JSON.stringify([id, subject]));
  return sortObservations(
    [...bySubject.values()].flatMap((same) =>
      same.slice(0, 1).map((first) => observationOf(first, same.flatMap(valuesOf))),
    ),
  );
};

/** A report of an older version has the joined text only. */
const valuesOf = ({ value, values = [value] }: Observation): readonly string[] => values;
