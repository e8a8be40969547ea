import { createRedactor } from '../client/redact.ts';

const secrets = new Set<string>();

/** Keeps a key out of whatever is said from now on of a fault of ours. */
export const keepSecret = (key: string | null): void => {
  if (key !== null) secrets.add(key);
};

/** A text for people, without the keys of this run. */
export const withoutSecrets = (text: string): string => createRedactor([...secrets])(text);

/** A key as people are shown it. */
export const shownKey = (key: string): string => `${key.slice(0, Math.min(4, key.length >> 1))}…`;
