import { prepareFolder, type WrittenReport } from '../files.ts';
import { har } from '../har.ts';
import { readers } from '../text/report-files.ts';
import { appendSummary, type ReportOptions, writeFiles } from '../write.ts';
import { domainsJson } from './conformance.ts';
import { domainsJunit } from './junit.ts';
import type { DomainsOutcome } from './outcome.ts';
import { domainsPage } from './page.ts';
import { domainsSummary } from './summary.ts';

/** Writes the same reports as of a run. */
export const writeDomainsReports = async (
  outcome: DomainsOutcome,
  options: ReportOptions,
): Promise<readonly WrittenReport[]> => {
  const { dir } = options;
  await prepareFolder(dir);
  await appendSummary(domainsSummary(outcome), options);
  return writeFiles(dir, [
    { name: 'conformance.json', use: readers.json, content: () => domainsJson(outcome) },
    { name: 'junit.xml', use: readers.junit, content: () => domainsJunit(outcome) },
    { name: 'summary.md', use: readers.summary, content: () => domainsSummary(outcome) },
    { name: 'traffic.har', use: readers.har, content: () => har(outcome) },
    { name: 'index.html', use: readers.page, content: () => domainsPage(outcome) },
  ]);
};
