import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../document/package-root.ts';

/** The version in package.json. */
export const packageVersion = (): string => {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(packageRoot(), 'package.json'), 'utf8'),
  );
  return manifest.version;
};
