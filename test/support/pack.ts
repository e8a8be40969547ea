import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/openapi/package-root.ts';

interface Packed {
  readonly archive: string;
  /** The paths in the package. */
  readonly files: readonly string[];
}

/** Builds the package and packs it into a folder, as it is published. */
export const packInto = async (folder: string): Promise<Packed> => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: packageRoot(),
  });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  return {
    archive: join(folder, filename),
    files: files.map(({ path }: { readonly path: string }) => path),
  };
};
