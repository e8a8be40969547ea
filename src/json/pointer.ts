/** Writes a JSON pointer (RFC 6901): `toPointer(['a/b', 0])` is `/a~1b/0`, `toPointer([])` the empty string. */
export const toPointer = (path: readonly (string | number)[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Splits a JSON pointer into its steps. The inverse of {@link toPointer}, except that indices are strings. */
export const fromPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
