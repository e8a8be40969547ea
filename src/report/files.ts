import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { settingsProblems } from '../config/refusals.ts';
import { reportProblems, whyNotWritten } from './text/report-files.ts';

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

/** Some reports cannot be written. The message is one line that names the folder. */
export class UnwritableReports extends Error {
  override name = 'UnwritableReports';
  /** The reports that were written anyway. */
  readonly written: readonly WrittenReport[];

  constructor(
    message: string,
    { cause, written = [] }: { cause: unknown; written?: readonly WrittenReport[] },
  ) {
    super(message, { cause });
    this.written = written;
  }
}

/** The system's text for an error that is not in our list. */
const systemText = (error: NodeJS.ErrnoException): string | undefined =>
  error.errno === undefined ? undefined : getSystemErrorMap().get(error.errno)?.[1];

/** Why a file could not be written, in words. */
export const whyUnwritable = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { code = '' }: NodeJS.ErrnoException = error;
  return whyNotWritten[code] ?? systemText(error) ?? error.message;
};

/** The error of a folder whose reports cannot be written or replaced. */
export const unwritable = (dir: string, cause: unknown): UnwritableReports =>
  new UnwritableReports(reportProblems.unwritable(resolve(dir), whyUnwritable(cause)), { cause });

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;

/** Creates a folder and its parents. Node's `recursive` never ends in a folder that allows no new folders, such as /proc. */
const makeFolder = async (dir: string): Promise<void> => {
  const parent = dirname(resolve(dir));
  if (parent !== resolve(dir) && !existsSync(parent)) await makeFolder(parent);
  await mkdir(dir).catch(async (error: unknown) => {
    // Another write may have created it in the meantime.
    if (!(await isFolder(dir))) throw error;
  });
};

/** Creates the report folder. Throws UnwritableReports if it cannot be created or written to. */
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

/** Creates the report folder of a run before anything is sent. Returns the problem, if it cannot be created or written to. */
export const problemsOfFolder = async (dir: string): Promise<readonly string[]> => {
  try {
    await prepareFolder(dir);
    return [];
  } catch (error) {
    if (!(error instanceof UnwritableReports)) throw error;
    return [settingsProblems.reportDir(dir, whyUnwritable(error.cause))];
  }
};

/** Writes one file completely, or not at all. Throws UnwritableReports. */
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
