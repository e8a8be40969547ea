/** Makes a value once for each key, for as long as the key lives. */
export const memoised = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
};
