import { swapCase } from '../../http/credentials.ts';
import type { KeySlot } from '../../http/exchange.ts';
import { type Redact, SHORT_KEY } from '../../http/redact.ts';
import type { ShellPart } from './shell.ts';

const keyVariables: Readonly<Record<KeySlot, string>> = {
  main: 'ANIMAL_STORE_API_KEY',
  'rate-limit': 'ANIMAL_STORE_RATE_LIMIT_KEY',
};

/** A key with the shell variable that contains it. */
export interface NamedKey {
  readonly key: string;
  readonly variable: string;
}

/** The given keys, with their variables. */
export const namedKeys = (keys: Readonly<Record<KeySlot, string | null>>): readonly NamedKey[] =>
  (['main', 'rate-limit'] as const).flatMap((slot) => {
    const key = keys[slot];
    return key === null || key === '' ? [] : [{ key, variable: keyVariables[slot] }];
  });

/** A text that may contain keys: each becomes its variable, and the rest is redacted. */
export const substituteKey = (
  text: string,
  keys: readonly NamedKey[],
  redact: Redact,
): readonly ShellPart[] => {
  const match = keys.find(({ key }) => key.length >= SHORT_KEY && text.includes(key));
  if (match === undefined) return [{ text: redact(text) }];
  return text
    .split(match.key)
    .flatMap((part, index): readonly ShellPart[] => [
      ...(index === 0 ? [] : [{ expression: `$${match.variable}` }]),
      ...substituteKey(part, keys, redact),
    ]);
};

/** The token of a credential: the key, or a value that the shell can derive from it; otherwise redacted. */
export const expressToken = (
  token: string,
  keys: readonly NamedKey[],
  redact: Redact,
): readonly ShellPart[] => {
  for (const named of keys) {
    const parts = derive(token, named);
    if (parts !== null) return parts.map((part) => ('text' in part ? { text: redact(part.text) } : part));
  }
  return substituteKey(token, keys, redact);
};

const derive = (token: string, { key, variable }: NamedKey): readonly ShellPart[] | null => {
  const print = `printf %s "$${variable}"`;
  if (token === key) return [{ expression: `$${variable}` }];
  const parts = Buffer.from(token, 'base64').toString('latin1').split(key);
  const encoded = Buffer.from(parts.join(key), 'latin1').toString('base64');
  if (parts.length > 1 && token === encoded && parts.every((part) => /^[\w:]*$/.test(part)))
    return [{ expression: `$(printf %s "${parts.join(`\${${variable}}`)}" | base64 | tr -d '\\n')` }];
  if (/[a-z]/i.test(key) && token === swapCase(key))
    return [{ expression: `$(${print} | tr 'a-zA-Z' 'A-Za-z')` }];
  if (key.length >= SHORT_KEY && token.includes(key)) return null;
  if (token.startsWith(key)) return [{ expression: `$${variable}` }, { text: token.slice(key.length) }];
  return deriveByEnds(token, key, variable, print);
};

/** A token that begins and ends like the key. */
const deriveByEnds = (token: string, key: string, variable: string, print: string) => {
  const shortest = Math.min(token.length, key.length);
  let head = 0;
  while (head < shortest && token[head] === key[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && token.at(-1 - tail) === key.at(-1 - tail)) tail += 1;
  if (head + tail < Math.max(1, key.length / 2)) return null;
  const first = head === key.length - 1 ? `\${${variable}%?}` : `$(${print} | cut -c1-${head})`;
  const last =
    tail === key.length - 1 ? `\${${variable}#?}` : `$(${print} | cut -c${key.length - tail + 1}-)`;
  return [
    ...(head > 0 ? [{ expression: first }] : []),
    { text: token.slice(head, token.length - tail) },
    ...(tail === 0 ? [] : [{ expression: tail === key.length ? `$${variable}` : last }]),
  ];
};
