import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = join(root, 'node_modules/vitest/vitest.mjs');

/** The path of a module of this repository, for imports from another folder. */
export const moduleOf = (path: string): string => join(root, path);

/** One test of a run of Vitest, from its JSON reporter. */
export interface ReportedTest {
  readonly file: string;
  readonly title: string;
  readonly status: string;
  readonly messages: readonly string[];
  readonly conformance?: { readonly id: string; readonly verdict: string; readonly reason: string | null };
}

/** The result of a run of Vitest. */
export interface VitestRun {
  readonly code: number;
  /** Its output, without colors. */
  readonly text: string;
  readonly tests: readonly ReportedTest[];
  /** JUnit. */
  readonly xml: string;
}

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
      readonly meta: Pick<ReportedTest, 'conformance'>;
    }[];
  }[];
}

const testsIn = (file: string): readonly ReportedTest[] =>
  (JSON.parse(readFileSync(file, 'utf8')) as JsonReport).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status, failureMessages, meta }) => ({
      file: name.replace(/^.*\//, ''),
      title,
      status,
      messages: failureMessages,
      ...(meta.conformance === undefined ? {} : { conformance: meta.conformance }),
    })),
  );

/** A folder with a project of its own. */
export const createProject = () => {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  const write = (name: string, content: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  write('package.json', JSON.stringify({ type: 'module' }));
  write('vitest.config.js', 'export default {};');
  const run = async (
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<VitestRun> => {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(ANIMAL_STORE|GITHUB|NODE_OPTIONS|VITEST|CI$|TEST$|FORCE_COLOR)/.test(name),
    );
    const words = ['run', '--reporter=verbose', '--reporter=json', '--reporter=junit'];
    const outputs = ['--outputFile.json=report.json', '--outputFile.junit=report.xml'];
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [cli, ...words, ...outputs, ...args],
        { cwd: folder, env: { ...Object.fromEntries(inherited), NO_COLOR: '1', ...env }, maxBuffer: 2 ** 26 },
        (error, stdout, stderr) => {
          const xml = readFileSync(join(folder, 'report.xml'), 'utf8');
          const code = error === null ? 0 : Number(error.code);
          resolve({ code, text: `${stdout}${stderr}`, tests: testsIn(join(folder, 'report.json')), xml });
        },
      );
    });
  };
  return { folder, write, run, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** The tests with this status. */
export const withStatus = ({ tests }: VitestRun, status: string): readonly ReportedTest[] =>
  tests.filter((test) => test.status === status);
