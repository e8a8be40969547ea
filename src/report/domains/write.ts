import { prepareFolder, type WrittenReport } from '../files.ts';
import { har } from '../har.ts';
import { appendSummary, type ReportOptions, writeFormats } from '../write.ts';
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
  return writeFormats(dir, {
    json: () => domainsJson(outcome),
    junit: () => domainsJunit(outcome),
    summary: () => domainsSummary(outcome),
    har: () => har(outcome),
    page: () => domainsPage(outcome),
  });
};
