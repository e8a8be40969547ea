import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** A file of a report: its path below the report folder, with `/`, and its content. */
export interface ReportFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** The report folder cannot be written; the message is one line that names it. */
export class UnwritableReports extends Error {
  override name = 'UnwritableReports';
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file of that name is in the way',
};

const unwritable = (dir: string, error: unknown): UnwritableReports => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new UnwritableReports(
    `Reports cannot be written to ${resolve(dir)}: ${reasons[code] ?? (code || String(error))}.`,
    { cause: error },
  );
};

/** Makes the report folder. Throws UnwritableReports where that, or writing to it, is impossible. */
export const prepareFolder = async (dir: string): Promise<void> => {
  const probe = join(dir, `.probe-${randomUUID()}`);
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw unwritable(dir, error);
  }
};

/** Writes one file: whole, or not at all. Throws UnwritableReports. */
export const writeWhole = async (dir: string, file: ReportFile): Promise<string> => {
  const path = join(dir, file.name);
  const draft = join(dirname(path), `.${randomUUID()}.draft`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, file.content);
    await rename(draft, path);
    return path;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw unwritable(dir, error);
  }
};

/** Makes a folder hold these files and, of those that `owns` names, no others. Throws UnwritableReports. */
export const writeFolder = async (
  dir: string,
  files: readonly ReportFile[],
  owns: (name: string) => boolean,
): Promise<void> => {
  try {
    await mkdir(dir, { recursive: true });
    const wanted = new Set(files.map(({ name }) => name));
    const stale = (await readdir(dir)).filter((name) => owns(name) && !wanted.has(name));
    await Promise.all(stale.map((name) => rm(join(dir, name))));
  } catch (error) {
    throw unwritable(dir, error);
  }
  await Promise.all(files.map((file) => writeWhole(dir, file)));
};
