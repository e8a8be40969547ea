const listed = new Intl.ListFormat('en-US');

/** `the same on createPet, getPet, and listOrders`. */
const sameOn = (operations: readonly string[]): string => `the same on ${listed.format(operations)}`;

/** The failures of a requirement. */
interface Summary {
  /** The sentence of the first one. */
  readonly message: string;
  /** Further operations with that one. */
  readonly operations: readonly string[];
  /** How many others there are. */
  readonly others: number;
}

/** The first failure in a sentence, on which operations it is the same, and how many others there are. */
export const summaryText = ({ message, operations, others }: Summary): string => {
  const more = [
    ...(operations.length === 0 ? [] : [sameOn(operations)]),
    ...(others === 0 ? [] : [`and ${others} more`]),
  ].join(', ');
  return `${message}${more === '' ? '' : ` (${more})`}`;
};
