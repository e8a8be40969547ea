import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { temporaryFolder } from './folder.ts';

export const bin = join(packageRoot(), 'bin/animal-store-conformance.js');

/** Processes of these tests work here, unless they name another folder. */
export const folder = temporaryFolder();

type Child = ChildProcessByStdio<null, Readable, Readable>;

const children = new Set<Child>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** The variables of this process, without those that the program reads: a test sets them itself. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(ANIMAL_STORE|GITHUB|NODE_OPTIONS|VITEST|npm_|CI$|TEST$|FORCE_COLOR)/.test(name),
  ),
);

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a process has written when it ends, and its exit code. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const endOf = async (child: Child): Promise<ProcessEnd> => {
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    texts.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    texts.err += chunk;
  });
  const [code] = await once(child, 'close');
  children.delete(child);
  return { code, ...texts };
};

/** Starts a process, which ends with the tests of the file. */
export const start = (
  file: string,
  args: readonly string[],
  env: Environment = {},
  cwd: string = folder,
): { readonly child: Child; readonly ended: Promise<ProcessEnd> } => {
  const child = spawn(file, args, {
    cwd,
    env: { ...inherited, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  return { child, ended: endOf(child) };
};

/** Starts the program with these words. */
export const startCommand = (words: readonly string[], env?: Environment) =>
  start(process.execPath, [bin, ...words], env);

/** Runs the program with these words to its end. */
export const command = (...words: readonly string[]): Promise<ProcessEnd> => startCommand(words).ended;

const installed = temporaryFolder();
symlinkSync(bin, join(installed, 'animal-store-conformance'));

/** Starts a shell in a new folder, where the program is installed. */
export const shell = (
  line: string,
  env: Environment = {},
  cwd: string = mkdtempSync(join(installed, 'shell-')),
) => {
  const path = [installed, dirname(process.execPath), process.env.PATH].join(delimiter);
  return start('sh', ['-c', line], { NO_COLOR: undefined, PATH: path, ...env }, cwd);
};

/** The first line that a process writes. */
export const firstLineOf = async ({ stdout }: Child): Promise<string> =>
  String((await once(createInterface(stdout), 'line'))[0]);
