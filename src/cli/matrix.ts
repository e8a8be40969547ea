import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { packageVersion } from '../openapi/package-root.ts';
import type { Matrix, NamedReport } from '../report/matrix/matrix.ts';
import { matrixProblems as problems, matrixWords as words } from '../report/text/matrix.ts';
import { print, printError } from './output.ts';

interface Flags {
  readonly reportDir: string;
  readonly before?: string;
}

interface Source {
  readonly name: string;
  readonly path: string;
}

const sourceOf = (word: string, command: Command): Source => {
  const [, name = '', path = ''] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
  if (name.trim() === '' || path === '') command.error(problems.noName(word));
  return { name: name.trim(), path };
};

const sourcesOf = (given: readonly string[], command: Command): readonly Source[] => {
  const sources = given.map((word) => sourceOf(word, command));
  for (const [at, { name }] of sources.entries())
    if (sources.findIndex((other) => other.name === name) < at) command.error(problems.repeated(name));
  return sources;
};

const isMatrix = (value: unknown): value is Matrix =>
  typeof value === 'object' &&
  value !== null &&
  'matrixVersion' in value &&
  value.matrixVersion === 1 &&
  'requirements' in value &&
  Array.isArray(value.requirements);

const readMatrix = async (file: string, command: Command): Promise<Matrix> => {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isMatrix(value)) return value;
  } catch {
    // Not there, or not JSON: the same advice.
  }
  return command.error(problems.notMatrix(file));
};

/** The badge is beside its report: `badge.svg`, or for a file of another name that name with `.badge.svg`. */
const badgePath = (path: string): { readonly dir: string; readonly name: string } => {
  if (!path.endsWith('.json')) return { dir: path, name: 'badge.svg' };
  const own = basename(path, '.json');
  return { dir: dirname(path), name: own === 'conformance' ? 'badge.svg' : `${own}.badge.svg` };
};

const writeMatrix = async (given: readonly string[], flags: Flags, command: Command): Promise<void> => {
  const { readReport } = await import('../report/read.ts');
  const { prepareFolder, writeWhole } = await import('../report/files.ts');
  const { matrixOf } = await import('../report/matrix/matrix.ts');
  const { matrixPage } = await import('../report/matrix/page.ts');
  const { badgeSvg } = await import('../report/matrix/badge.ts');
  const { jsonText } = await import('../report/json-text.ts');
  const sources = sourcesOf(given, command);
  const reports: readonly NamedReport[] = await Promise.all(
    sources.map(async ({ name, path }) => ({ name, report: await readReport(path) })),
  );
  const before = flags.before === undefined ? null : await readMatrix(flags.before, command);
  const matrix = matrixOf(reports, before);
  await prepareFolder(flags.reportDir);
  await writeWhole(flags.reportDir, { name: 'matrix.json', content: jsonText(matrix, 2) });
  const content = matrixPage(matrix, { name: 'animal-store-conformance', version: packageVersion() });
  const page = await writeWhole(flags.reportDir, { name: 'matrix.html', content });
  for (const [at, { path }] of sources.entries()) {
    const implementation = matrix.implementations[at];
    if (implementation === undefined) continue;
    const { dir, name } = badgePath(path);
    await writeWhole(dir, { name, content: badgeSvg(implementation) }).catch((error: Error) =>
      printError(`${problems.badge(join(dir, name), error.message)}\n`),
    );
  }
  print(`${words.written(matrix.implementations.length, page)}\n`);
};

/** Adds the command that puts many implementations on one page. */
export const register = (command: Command): void => {
  command
    .argument('<NAME=REPORT...>', 'a name, and a conformance.json, the folder it is in, or a claim')
    .option('--before <FILE>', 'an earlier matrix.json: show what changed since')
    .option('--report-dir <DIR>', 'where matrix.html and matrix.json go', 'reports')
    .action(async (given: readonly string[], flags: Flags, command: Command) => {
      const { UnreadableReport } = await import('../report/read.ts');
      const { UnwritableReports } = await import('../report/files.ts');
      try {
        await writeMatrix(given, flags, command);
      } catch (error) {
        if (error instanceof UnreadableReport || error instanceof UnwritableReports)
          command.error(error.message);
        throw error;
      }
    });
};
