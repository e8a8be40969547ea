import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { getSystemErrorMap } from 'node:util';

/** A file of a report: its path below the report folder, with `/`, and its content. */
export interface ReportFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** A report on disk, and what it is for. */
export interface WrittenReport {
  readonly name: string;
  readonly path: string;
  readonly for: string;
}

/** The report folder cannot be written, or not all of it; the message is one line that names it. */
export class UnwritableReports extends Error {
  override name = 'UnwritableReports';
  /** What was written all the same. */
  readonly written: readonly WrittenReport[];

  constructor(
    message: string,
    { cause, written = [] }: { cause: unknown; written?: readonly WrittenReport[] },
  ) {
    super(message, { cause });
    this.written = written;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'the disk quota is used up',
  // What Node says of a folder that a read-only file system does not let it make.
  ENOENT: 'the folder is not there and cannot be made',
  EISDIR: 'a folder of that name is in the way',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file of that name is in the way',
};

/** The system's own words where we have none. */
const systemWords = (error: NodeJS.ErrnoException): string | undefined =>
  error.errno === undefined ? undefined : getSystemErrorMap().get(error.errno)?.[1];

/** Why a file could not be written, in words. */
export const whyUnwritable = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { code = '' }: NodeJS.ErrnoException = error;
  return reasons[code] ?? systemWords(error) ?? error.message;
};

const unwritable = (dir: string, cause: unknown): UnwritableReports =>
  new UnwritableReports(`Reports cannot be written to ${resolve(dir)}: ${whyUnwritable(cause)}.`, { cause });

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;

/** With the folders that it is to stand in. Node's own recursion never ends where one is there and takes no other, as /proc does. */
const makeFolder = async (dir: string): Promise<void> => {
  const parent = dirname(resolve(dir));
  if (parent !== resolve(dir) && !existsSync(parent)) await makeFolder(parent);
  await mkdir(dir).catch(async (error: unknown) => {
    // Another file of the folder may have made it meanwhile.
    if (!(await isFolder(dir))) throw error;
  });
};

/** Makes the report folder. Throws UnwritableReports where that, or writing to it, is impossible. */
export const prepareFolder = async (dir: string): Promise<void> => {
  const probe = join(dir, `.probe-${randomUUID()}`);
  try {
    await makeFolder(dir);
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
    await makeFolder(dirname(path));
    await writeFile(draft, file.content);
    await rename(draft, path);
    return path;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw unwritable(dir, error);
  }
};
