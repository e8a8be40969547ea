import { readFile } from 'node:fs/promises';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'is a directory, not a file',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};

export type ReadText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: boolean; readonly problem: string };

/** Reads a UTF-8 text file. `problem` is a predicate: "is not UTF-8 text". */
export const readText = async (path: string): Promise<ReadText> => {
  try {
    const bytes = await readFile(path);
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const problem =
      error instanceof TypeError ? 'is not UTF-8 text' : (reasons[code] ?? `cannot be read (${code})`);
    return { ok: false, missing: code === 'ENOENT', problem };
  }
};
