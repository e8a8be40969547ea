import { secretPart, settingList } from '../config/table.ts';
import { createRedactor } from '../http/redact.ts';

const secrets = new Set<string>();

/** Adds a key that later error messages must not contain. */
export const keepSecret = (key: string | null): void => {
  if (key !== null) secrets.add(key);
};

const keySettings = settingList.map(([, setting]) => setting).filter(({ secret }) => secret);
const keyFlags = keySettings.map(({ flag }) => flag);

/** Returns the key flag at the beginning of this word, because the rest of the word may be the key. */
export const keyFlagOf = (word: string): string | undefined =>
  keyFlags.find((flag) => word.startsWith(flag) && word !== flag);

/** Adds the keys of a command line and its environment, before anything is parsed. */
export const keepSecretsOf = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): void => {
  for (const { environment } of keySettings) if (environment !== null) keepSecret(env[environment] ?? null);
  for (const [at, word] of argv.entries()) {
    const next = argv[at + 1] ?? '';
    // A flag after it is not a key: the key was forgotten.
    const setting = keySettings.find(({ flag: each }) => each === word);
    if (setting !== undefined && !next.startsWith('--')) keepSecret(secretPart(setting, next));
    const flag = keyFlagOf(word);
    const inWord = keySettings.find(({ flag: each }) => each === flag);
    if (inWord !== undefined)
      keepSecret(secretPart(inWord, word.slice(inWord.flag.length).replace(/^=/, '')));
  }
};

/** Returns a text for people without the keys of this run. */
export const withoutSecrets = (text: string): string => createRedactor([...secrets])(text);
