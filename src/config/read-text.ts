import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fileProblems } from './refusals.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: fileProblems.missing,
  ENOTDIR: fileProblems.missing,
  EISDIR: fileProblems.isDirectory,
  EACCES: fileProblems.forbidden,
  EPERM: fileProblems.forbidden,
};

/** Standard input may be a socket, which cannot be opened by its path. */
const stdinPaths: readonly string[] = ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];

export type ReadText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: boolean; readonly problem: string };

/** Reads a UTF-8 text file. `problem` is a predicate: "is not UTF-8 text". */
export const readText = async (path: string): Promise<ReadText> => {
  try {
    const bytes = stdinPaths.includes(path) ? await buffer(process.stdin) : await readFile(path);
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const problem =
      error instanceof TypeError ? fileProblems.notUtf8 : (reasons[code] ?? fileProblems.unreadable(code));
    return { ok: false, missing: code === 'ENOENT', problem };
  }
};
