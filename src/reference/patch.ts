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
  /** One sentence: what the server does wrong. */
  readonly description: string;
  readonly patch: Patch;
}

/** A choice that the document leaves open: the server conforms with it as well as without. */
export interface Dialect {
  /** Words with hyphens, unique among dialects: `ids-random`. */
  readonly name: string;
  /** One sentence: what the server does in its own way. */
  readonly description: string;
  readonly patch: Patch;
}

/** Applies patches in turn, each over what the ones before it made. */
export function applyPatches(parts: Parts, patches: readonly Patch[]): Parts {
  let patched = parts;
  for (const patch of patches) patched = { ...patched, ...patch(patched) };
  return patched;
}
