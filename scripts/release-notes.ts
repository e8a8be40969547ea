import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../src/openapi/package-root.ts';
import { percent, type SelfTestReport, type Share } from '../src/selftest/report.ts';

// Prints the notes of a release: its section of CHANGELOG.md, and the figures of the self-test in reports/.

/** The section of a version, without its heading. Throws an error of one line if there is none. */
export const sectionOf = (changelog: string, version: string): string => {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.split(/\s/)[0] === version);
  if (found === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}"`);
  return found.slice(found.indexOf('\n')).trim();
};

const share = (of: Share): string => `${of.hits} of ${of.of} (${percent(of)} %)`;

/** The figures of a self-test, as a list. */
export const figuresOf = (report: SelfTestReport): string =>
  [
    '## Self-test',
    '',
    `- Faults found: ${share(report.killRate)}`,
    `- Conforming servers accused: ${report.falseAlarms.hits} of ${report.falseAlarms.of}`,
    ...report.budgets.map((budget) => `- Faults found with ${budget.budget} requests: ${share(budget)}`),
    `- Seed: ${report.seed}`,
  ].join('\n');

if (import.meta.main) {
  const read = (path: string): Promise<string> => readFile(join(packageRoot(), path), 'utf8');
  const version = (process.argv[2] ?? '').replace(/^v/, '');
  const report: SelfTestReport = JSON.parse(await read('reports/selftest.json'));
  console.log(`${sectionOf(await read('CHANGELOG.md'), version)}\n\n${figuresOf(report)}`);
}
