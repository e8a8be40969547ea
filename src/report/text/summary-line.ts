const listFormat = new Intl.ListFormat('en-US');

/** `the same on createPet, getPet, and listOrders`. */
const sameOn = (operations: readonly string[]): string => `the same on ${listFormat.format(operations)}`;

/** The failures of a requirement. */
interface Summary {
  /** The sentence of the first one. */
  readonly message: string;
  /** Other operations with the same failure. */
  readonly operations: readonly string[];
  /** The number of other failures. */
  readonly others: number;
}

/** The first failure in a sentence, with its other operations and the number of other failures. */
export const summaryText = ({ message, operations, others }: Summary): string => {
  const more = [
    ...(operations.length === 0 ? [] : [sameOn(operations)]),
    ...(others === 0 ? [] : [`and ${others} more`]),
  ].join(', ');
  return `${message}${more === '' ? '' : ` (${more})`}`;
};
