import { type BySide, bySide, type Failure } from '../run/outcome.ts';
import { summaryText } from './text/summary-line.ts';

const subjects: BySide<string> = { server: ({ operation }) => operation };

/** What a failure is about: the operation of a server. */
export const subjectOf = (failure: Failure): string => bySide(subjects, failure);

/** A failure, with other operations that have the same one. It is probably one bug, and is shown once. */
export interface ShownFailure {
  readonly failure: Failure;
  readonly alsoOn: readonly string[];
}

/** Failures of one requirement, in their order, grouped if they are the same on other operations. */
export const groupFailures = (failures: readonly Failure[]): readonly ShownFailure[] =>
  [...Map.groupBy(failures, ({ alike }) => alike).values()].flatMap((same): readonly ShownFailure[] => {
    const [first, ...others] = same;
    if (first === undefined) return [];
    const subjects = new Set(same.map(subjectOf));
    // Two failures of one operation are not the same problem.
    if (subjects.size < same.length) return same.map((failure) => ({ failure, alsoOn: [] }));
    return [{ failure: first, alsoOn: others.map(subjectOf) }];
  });

/** The failures of a requirement in a sentence; null: there are none. */
export const summaryLine = (failures: readonly Failure[]): string | null => {
  const [first, ...others] = groupFailures(failures);
  return first === undefined
    ? null
    : summaryText({
        message: first.failure.message,
        operations: first.alsoOn,
        others: others.length,
      });
};
