import type { Parts } from './parts.ts';

/**
 * Replaces some parts of a server. It is called once for each server, with the parts so far. A new part may call the part that it
 * replaces, so patches stack, with the last one outermost. A variable of the patch belongs to that server.
 */
export type Patch = (parts: Parts) => Partial<Parts>;

/** A mistake that implementers make: the conforming server with one requirement broken. */
export interface Fault {
  /** Words with hyphens, unique among faults: `limit-ignored`. */
  readonly name: string;
  /** The id of the requirement that must fail. */
  readonly requirement: string;
  /** Ids of requirements that may fail along with it. */
  readonly companions: readonly string[];
  /** The permission that a run needs to see the mistake; absent: none. */
  readonly needs?: 'rate-limit-key' | 'exhaust-daily';
  /** One sentence: what the server does wrong. */
  readonly description: string;
  readonly patch: Patch;
  /** The number of animals in the initial store; absent: a few. */
  readonly seedPets?: number;
  /** The date of the test (RFC 3339); absent: any day before the removal of getPet. */
  readonly now?: string;
}

/** A choice that the document does not specify: the server conforms with it and without it. */
export interface Dialect {
  /** Words with hyphens, unique among dialects: `ids-random`. */
  readonly name: string;
  /** One sentence: what the server does in its own way. */
  readonly description: string;
  readonly patch: Patch;
  /** The subject of the choice: dialects with the same one cannot be combined. Absent: it can be combined with every other one. */
  readonly choice?: string;
  /** The permission that a run needs to test the whole choice; absent: none. */
  readonly needs?: 'rate-limit-key' | 'exhaust-daily';
  /** The number of animals in the initial store; absent: any number. Only with the choice `store`. */
  readonly seedPets?: number;
  /** The date of the test (RFC 3339, with or without a time); absent: any day before the removal of getPet. Only with the choice `removal`. */
  readonly now?: string;
}

/** Applies patches in order, each to the result of the previous ones. */
export function applyPatches(parts: Parts, patches: readonly Patch[]): Parts {
  let patched = parts;
  for (const patch of patches) patched = { ...patched, ...patch(patched) };
  return patched;
}
