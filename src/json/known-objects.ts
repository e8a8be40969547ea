import type { Json } from './json.ts';

/** An object that was read before, with its text, and what followed it in its list. */
export interface Known {
  readonly source: string;
  readonly object: Json;
  next: Known | null;
}

/** Lists show the same animals again and again: the objects that were read last, by their text. */
const known = new Map<string, Known>();
const mostKnown = 500;

/** The object of a text, if it is one of those that were read last. */
export const knownBy = (source: string): Known | undefined => known.get(source);

/** Keeps an object, which cannot change from then on. It must hold no others. */
export function remember(source: string, object: Json): Known {
  if (known.size >= mostKnown) forget();
  const same: Known = { source, object: Object.freeze(object), next: null };
  known.set(source, same);
  return same;
}

/** One by one, as each holds the next. */
function forget(): void {
  for (const each of known.values()) each.next = null;
  known.clear();
}
