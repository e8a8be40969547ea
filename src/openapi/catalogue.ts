import { join } from 'node:path';
import { packageRoot } from './package-root.ts';
import { readSource } from './read-source.ts';
import type { Requirement } from './requirement.ts';

/** Read once, and never changed. */
const read = new Map<string, readonly Requirement[]>();

const requirementsIn = (file: string): readonly Requirement[] => {
  const known =
    read.get(file) ?? (readSource(join(packageRoot(), 'spec', file)) as unknown as readonly Requirement[]);
  read.set(file, known);
  return known;
};

/** The requirements on the animal store, or on another API if `spec` names its document. A test shows that they are well-formed. */
export function loadCatalogue(spec: string | null = null): readonly Requirement[] {
  return requirementsIn(spec === null ? 'requirements.yaml' : 'any-api.yaml');
}
