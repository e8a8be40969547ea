import { settingList } from '../config/table.ts';
import { createRedactor } from '../http/redact.ts';

const secrets = new Set<string>();

/** Keeps a key out of whatever is said from now on of a fault of ours. */
export const keepSecret = (key: string | null): void => {
  if (key !== null) secrets.add(key);
};

const keySettings = settingList.map(([, setting]) => setting).filter(({ secret }) => secret);
const keyFlags = keySettings.map(({ flag }) => flag);

/** The flag for a key that begins this word: what runs on after it may be the key. */
export const keyFlagOf = (word: string): string | undefined =>
  keyFlags.find((flag) => word.startsWith(flag) && word !== flag);

/** Keeps the keys of a command line and of its environment, before anything is made of them. */
export const keepSecretsOf = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): void => {
  for (const { environment } of keySettings) if (environment !== null) keepSecret(env[environment] ?? null);
  for (const [at, word] of argv.entries()) {
    const next = argv[at + 1] ?? '';
    // A flag behind it is no key: the key was forgotten.
    if (keyFlags.includes(word) && !next.startsWith('--')) keepSecret(next);
    const flag = keyFlagOf(word);
    if (flag !== undefined) keepSecret(word.slice(flag.length).replace(/^=/, ''));
  }
};

/** A text for people, without the keys of this run. */
export const withoutSecrets = (text: string): string => createRedactor([...secrets])(text);
