import type { Parts } from './parts.ts';

/**
 * Replaces some parts of a server. Called once for each server, with the parts so far: a new part may call the one it takes the
 * place of, so patches stack, the last one outermost; what it closes over is that server's own state.
 */
export type Patch = (parts: Parts) => Partial<Parts>;

/** A mistake that implementers make: the conforming server with one breach. */
export interface Fault {
  /** Words with hyphens, unique among faults: `limit-ignored`. */
  readonly name: string;
  /** The id of the requirement that must fail. */
  readonly requirement: string;
  /** Ids of requirements that may fail along with it. */
  readonly companions: readonly string[];
  /** What a run must be given before it can see the mistake; absent: any run can. */
  readonly needs?: 'rate-limit-key' | 'exhaust-daily';
  /** One sentence: what the server does wrong. */
  readonly description: string;
  readonly patch: Patch;
  /** How many animals stand in its store at first; absent: a few. */
  readonly seedPets?: number;
  /** Today when it is judged (RFC 3339 date); absent: any day before the removal of getPet. */
  readonly now?: string;
}

/** A choice that the document leaves open: the server conforms with it as well as without. */
export interface Dialect {
  /** Words with hyphens, unique among dialects: `ids-random`. */
  readonly name: string;
  /** One sentence: what the server does in its own way. */
  readonly description: string;
  readonly patch: Patch;
  /** Names what is chosen: dialects with the same choice exclude one another. Absent: it goes with every other one. */
  readonly choice?: string;
  /** What a run must be given before it meets all of the choice; absent: any run does. */
  readonly needs?: 'rate-limit-key' | 'exhaust-daily';
  /** How many animals stand in its store at first; absent: any number. Only with the choice `store`. */
  readonly seedPets?: number;
  /** Today when it is judged (RFC 3339 date or time); absent: any day before the removal of getPet. Only with the choice `removal`. */
  readonly now?: string;
}

/** Applies patches in turn, each over what the ones before it made. */
export function applyPatches(parts: Parts, patches: readonly Patch[]): Parts {
  let patched = parts;
  for (const patch of patches) patched = { ...patched, ...patch(patched) };
  return patched;
}
