import type { RunSettings } from '../config/settings.ts';
import { hashOf } from '../util/hash.ts';

/**
 * The prefix of the names of a run's animals. It differs between runs, even with the same seed, because a server may reject existing
 * names. It also differs between shards, because shards may run at once.
 */
export const namePrefixFor = (
  seed: number,
  startedAt: number,
  { index, of }: RunSettings['shard'],
): string => {
  const part = of === 1 ? '' : ` ${index}/${of}`;
  // Always of one length, so that nothing else about a request depends on it.
  return `conformance-${hashOf(`${startedAt}${part}`, seed).toString(36).padStart(7, '0')}-`;
};

/** Returns the prefix of another run in the name of an animal; null: it has none. */
export const otherPrefixIn = (name: unknown, own: string): string | null => {
  const [prefix = null] = typeof name === 'string' ? (/^conformance-[0-9a-z]{7}-/.exec(name) ?? []) : [];
  return prefix === own ? null : prefix;
};
