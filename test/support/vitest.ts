import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { temporaryFolder } from './folder.ts';
import { type Environment, start } from './processes.ts';

/** The path of a module of this repository, for imports from another folder. */
export const moduleOf = (path: string): string => join(packageRoot(), path);

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
  readonly code: number | null;
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

/** A folder with a project of its own, deleted after the tests of the file. */
export const createProject = () => {
  const folder = temporaryFolder();
  const write = (name: string, content: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  write('package.json', JSON.stringify({ type: 'module' }));
  write('vitest.config.js', 'export default {};');
  const run = async (args: readonly string[] = [], env: Environment = {}): Promise<VitestRun> => {
    const words = ['run', '--reporter=verbose', '--reporter=json', '--reporter=junit'];
    const outputs = ['--outputFile.json=report.json', '--outputFile.junit=report.xml'];
    const all = [moduleOf('node_modules/vitest/vitest.mjs'), ...words, ...outputs, ...args];
    const { code, out, err } = await start(process.execPath, all, env, folder).ended;
    const xml = readFileSync(join(folder, 'report.xml'), 'utf8');
    return { code, text: `${out}${err}`, tests: testsIn(join(folder, 'report.json')), xml };
  };
  return { folder, write, run };
};

/** The tests with this status. */
export const withStatus = ({ tests }: VitestRun, status: string): readonly ReportedTest[] =>
  tests.filter((test) => test.status === status);
