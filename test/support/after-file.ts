type End = () => Promise<void> | void;

const ends = new Set<End>();

/** Calls a function after the tests of the file. Unlike `afterAll`, it works in a module that several files share. */
export const afterFile = (end: End): void => void ends.add(end);

/** Calls the functions of `afterFile`. */
export const endFile = async (): Promise<void> => {
  const all = [...ends];
  ends.clear();
  await Promise.all(all.map((end) => end()));
};
