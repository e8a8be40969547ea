/** The sum of numbers. */
export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

/** Merges the values of several records by name. */
export const mergeByName = <Value>(
  records: readonly Readonly<Record<string, Value>>[],
  merge: (values: readonly Value[]) => Value,
): Readonly<Record<string, Value>> => {
  const grouped = Map.groupBy(records.flatMap(Object.entries<Value>), ([name]) => name);
  return Object.fromEntries(
    [...grouped].map(([name, entries]) => [name, merge(entries.map(([, value]) => value))]),
  );
};

/** Merges the items with the same key into one, in their order. */
export const mergeBy = <Item>(
  items: readonly Item[],
  key: (item: Item) => string,
  merge: (first: Item, same: readonly Item[]) => Item,
): readonly Item[] =>
  [...Map.groupBy(items, key).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [merge(first, [first, ...others])],
  );
