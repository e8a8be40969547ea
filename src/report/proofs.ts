import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../document/package-root.ts';
import type { Proofs } from './page/requirements.ts';

/** The faults that the self-test recorded in `spec/kills.json` as proof of each requirement; none where there is no such file. */
export const loadProofs = async (): Promise<Proofs> => {
  try {
    const text = await readFile(join(packageRoot(), 'spec', 'kills.json'), 'utf8');
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
};
