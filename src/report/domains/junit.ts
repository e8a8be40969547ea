import { junitXml } from '../junit.ts';
import { judged } from './judged.ts';
import type { DomainFailure, DomainsOutcome } from './outcome.ts';
import { remedyLines } from './remedy-lines.ts';

const detailsOf = ({ message, expected, actual, remedy }: DomainFailure): string =>
  [message, `expected  ${expected}`, `actual    ${actual}`, ...remedyLines(remedy)].join('\n');

/** The outcome as JUnit XML, as of a run. */
export const domainsJunit = (outcome: DomainsOutcome): string => {
  const failuresOf = (id: string) => outcome.requirements.find((each) => each.id === id)?.failures ?? [];
  return junitXml(judged(outcome), {
    summary: ({ id }) => failuresOf(id)[0]?.message ?? null,
    details: ({ id }) => failuresOf(id).map(detailsOf).join('\n\n'),
  });
};
