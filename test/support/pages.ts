import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/openapi/package-root.ts';

/** The pages that people read in the repository. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/architecture.md',
  'docs/ci.md',
  'docs/how-to.md',
  'docs/explanation.md',
  'docs/reference.md',
  'docs/tutorial.md',
];

/** The text of a file of the repository. */
export const textOf = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');
