import type { Failure } from '../run/outcome.ts';

/** A failure, with the further operations on which it is the same: one mistake, which is told once. */
export interface ShownFailure {
  readonly failure: Failure;
  readonly alsoOn: readonly string[];
}

/** What a sentence says, whatever the operation: without the request line, and with success as such, since a creation has a status of its own. */
const groupKey = ({ message }: Failure): string =>
  message.replaceAll(/\b[A-Z]+ \/\S*/g, '').replaceAll(/\b2\d\d\b/g, '2xx');

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
