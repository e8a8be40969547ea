import type { Failure } from '../run/outcome.ts';

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

const listed = new Intl.ListFormat('en-GB');

/** `the same on createPet, getPet and listOrders`. */
export const alsoOn = (operations: readonly string[]): string => `the same on ${listed.format(operations)}`;

/** All failures of a requirement in a sentence: the first, on which operations it is the same, and how many others there are; null: none. */
export const summaryLine = (failures: readonly Failure[]): string | null => {
  const [first, ...others] = groupFailures(failures);
  if (first === undefined) return null;
  const more = [
    ...(first.alsoOn.length === 0 ? [] : [alsoOn(first.alsoOn)]),
    ...(others.length === 0 ? [] : [`and ${others.length} more`]),
  ].join(', ');
  return `${first.failure.message}${more === '' ? '' : ` (${more})`}`;
};
