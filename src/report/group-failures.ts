import type { Failure } from '../run/outcome.ts';
import { summaryText } from './text/summary-line.ts';

/** A failure, with other operations that have the same one. It is probably one bug, and is shown once. */
export interface ShownFailure {
  readonly failure: Failure;
  readonly alsoOn: readonly string[];
}

/** The problem without its operation. Success is one status, because operations have different ones. Older reports have no rule. */
const groupKey = ({ rule, variant, headers, members, message }: Failure): string =>
  JSON.stringify([rule ?? message, variant?.replaceAll(/\b2\d\d\b/g, '2xx'), headers, members]);

/** Failures of one requirement, in their order, grouped if they are the same on other operations. */
export const groupFailures = (failures: readonly Failure[]): readonly ShownFailure[] =>
  [...Map.groupBy(failures, groupKey).values()].flatMap((same): readonly ShownFailure[] => {
    const [first, ...others] = same;
    if (first === undefined) return [];
    const operations = new Set(same.map(({ operation }) => operation));
    // Two failures of one operation are not the same problem.
    if (operations.size < same.length) return same.map((failure) => ({ failure, alsoOn: [] }));
    return [{ failure: first, alsoOn: others.map(({ operation }) => operation) }];
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
