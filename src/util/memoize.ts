interface Memory<Key, Made> {
  get(key: Key): Made | undefined;
  set(key: Key, made: Made): unknown;
}

const remembering =
  <Key, Value>(made: Memory<Key, { readonly value: Value }>, make: (key: Key) => Value) =>
  (key: Key): Value => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };

/** Makes a value once for each key, and keeps it as long as the key lives. */
export const memoized = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) =>
  remembering(new WeakMap(), make);

/** Makes a value once for each key, and keeps all of them. */
export const memoizedByValue = <Key, Value>(make: (key: Key) => Value): ((key: Key) => Value) =>
  remembering(new Map(), make);

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
