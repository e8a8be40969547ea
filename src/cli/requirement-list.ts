import { readdir } from 'node:fs/promises';
import { type Check, coveredBy } from '../check/check.ts';
import { checkName } from '../finding/check-name.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { oracleRequirements } from '../oracle/oracle.ts';
import { listWords } from '../report/text/command-line.ts';

/** A requirement and the checks that test it. */
export interface ListedRequirement extends Requirement {
  readonly judgedBy: readonly CheckFile[];
}

export interface CheckFile {
  /** Relative to the package's folder. */
  readonly file: string;
  /** Names of checks; for the oracle, "every exchange". */
  readonly checks: readonly string[];
}

type AnyCheck = Pick<Check, 'id' | 'title' | 'requirement' | 'covers'>;

const isCheck = (value: unknown): value is AnyCheck =>
  typeof value === 'object' && value !== null && 'id' in value && 'requirement' in value && 'run' in value;

const suites = new URL('../../suites/animal-store/', import.meta.url);

/** Returns checks by the file that exports them. */
const checksByFile = async (): Promise<ReadonlyMap<string, readonly AnyCheck[]>> => {
  const names = (await readdir(suites)).filter((name) => /^(?!index\.)[\w-]+\.[jt]s$/.test(name)).sort();
  const files = await Promise.all(
    names.map(async (name) => {
      const exports: Readonly<Record<string, unknown>> = await import(new URL(name, suites).href);
      return { file: `suites/animal-store/${name.replace(/\.js$/, '.ts')}`, exports: Object.values(exports) };
    }),
  );
  // A list may repeat checks of another file. They belong to the file that exports them one by one.
  const single = new Set(files.flatMap(({ exports }) => exports.filter(isCheck).map((check) => check.id)));
  return new Map(
    files
      .map(({ file, exports }) => {
        const listed = exports.filter(Array.isArray).flat().filter(isCheck);
        const onlyListed = listed.filter((check) => !single.has(check.id));
        return [file, [...exports.filter(isCheck), ...onlyListed]] as const;
      })
      .filter(([, checks]) => checks.length > 0),
  );
};

const checkFilesOf = (id: string, files: ReadonlyMap<string, readonly AnyCheck[]>): readonly CheckFile[] => {
  const fromSuites = [...files].map(([file, checks]) => ({
    file,
    checks: [...new Set(checks.filter((check) => coveredBy(check).includes(id)).map(checkName))],
  }));
  const oracle = oracleRequirements.includes(id)
    ? [{ file: 'src/oracle', checks: [listWords.everyExchange] }]
    : [];
  return [...oracle, ...fromSuites.filter(({ checks }) => checks.length > 0)];
};

/** Every requirement of the catalogue, with the checks that give evidence on it. */
export const listRequirements = async (): Promise<readonly ListedRequirement[]> => {
  const files = await checksByFile();
  return loadCatalogue().map((requirement) => ({
    ...requirement,
    judgedBy: checkFilesOf(requirement.id, files),
  }));
};

const checkLines = ({ subject, judgedBy }: ListedRequirement): readonly string[] =>
  subject === 'server'
    ? judgedBy.flatMap(({ file, checks }) => checks.map((check) => `    ${file}: ${check}`))
    : [`    ${listWords.notTested(subject)}`];

/** Returns the list for people: one paragraph for each requirement. */
export const requirementsText = (list: readonly ListedRequirement[]): string =>
  list
    .map((requirement) => {
      const { id, level, statement } = requirement;
      return `${[`${id.padEnd(10)} ${level.padEnd(6)} ${statement}`, ...checkLines(requirement)].join('\n')}\n`;
    })
    .join('');
