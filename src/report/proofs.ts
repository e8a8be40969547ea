import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../document/package-root.ts';
import type { Proof, Proofs } from './page/requirements.ts';

type Entry = string | Proof;

const proofOf = (entry: Entry): Proof =>
  typeof entry === 'string' ? { name: entry, description: '' } : entry;

/** The faults that the self-test recorded in `spec/kills.json` as proof of each requirement; none where there is no such file. */
export const loadProofs = async (): Promise<Proofs> => {
  try {
    const text = await readFile(join(packageRoot(), 'spec', 'kills.json'), 'utf8');
    const kills: Readonly<Record<string, readonly Entry[]>> = JSON.parse(text);
    return Object.fromEntries(Object.entries(kills).map(([id, entries]) => [id, entries.map(proofOf)]));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
};
