import type { Failure } from '../run/outcome.ts';
import { summaryText } from './text/summary-line.ts';

/** A failure, with the further operations on which it is the same: one mistake, which is told once. */
export interface ShownFailure {
  readonly failure: Failure;
  readonly alsoOn: readonly string[];
}

/** What is wrong, whatever the operation; success as such, since a creation has a status of its own. Older reports have no rule. */
const groupKey = ({ rule, variant, headers, members, message }: Failure): string =>
  JSON.stringify([rule ?? message, variant?.replaceAll(/\b2\d\d\b/g, '2xx'), headers, members]);

/** Failures of one requirement, in their order, grouped if they are the same on other operations. */
export const groupFailures = (failures: readonly Failure[]): readonly ShownFailure[] =>
  [...Map.groupBy(failures, groupKey).values()].flatMap((alike): readonly ShownFailure[] => {
    const [first, ...others] = alike;
    if (first === undefined) return [];
    const operations = new Set(alike.map(({ operation }) => operation));
    // Where one operation has it twice it is not quite the same.
    if (operations.size < alike.length) return alike.map((failure) => ({ failure, alsoOn: [] }));
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
