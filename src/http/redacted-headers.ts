/** Shorter values of headers occur in ordinary words, so they are hidden only if their name says that they are secret. */
const shortValue = 6;
const secretName = /auth|cookie|key|pass|secret|session|token/i;

/** The texts in headers that no report may show: of a cookie, each value. */
export const secretsInHeaders = (
  headers: readonly (readonly [name: string, value: string])[],
): readonly string[] =>
  headers
    .filter(([name, value]) => value.length >= shortValue || secretName.test(name))
    .flatMap(([name, value]) =>
      name.toLowerCase() === 'cookie'
        ? value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
        : [value.replace(/^\S+ +(?=\S{6})/, '')],
    );
