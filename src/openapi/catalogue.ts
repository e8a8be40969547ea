import { join } from 'node:path';
import { packageRoot } from './package-root.ts';
import { readSource } from './read-source.ts';
import type { Requirement } from './requirement.ts';

/** Read once, and never changed. */
let catalogue: readonly Requirement[] | null = null;

/** The requirements of `spec/requirements.yaml`, in its order. A test shows that they are well-formed. */
export function loadCatalogue(): readonly Requirement[] {
  catalogue ??= readSource(join(packageRoot(), 'spec', 'requirements.yaml')) as readonly Requirement[];
  return catalogue;
}
