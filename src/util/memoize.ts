/** Makes a value once for each key, and keeps it as long as the key lives. */
export const memoized = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
};

/** Keeps the value of the last argument only. */
export const memoizedLast = <Argument extends string | number, Value>(
  make: (argument: Argument) => Value,
): ((argument: Argument) => Value) => {
  let last: { readonly argument: Argument; readonly value: Value } | null = null;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, value: make(argument) };
    return last.value;
  };
};
