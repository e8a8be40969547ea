import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of this package, with `spec/` and `package.json`. It is searched upward, because the code runs from `src/` in a checkout
 * and from `dist/src/` in the package.
 * @throws Error if no folder above the code has a package.json
 */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
    folder = parent;
  }
  return folder;
}

/** The version of this package, from its package.json. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return String(version);
}
