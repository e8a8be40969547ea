import { annotationsOf } from '../annotations.ts';
import { type FailureTexts, junitXml } from '../junit.ts';
import { judged } from './judged.ts';
import type { DomainFailure, DomainsOutcome } from './outcome.ts';
import { remedyLines } from './remedy-lines.ts';

const detailsOf = ({ message, expected, actual, remedy }: DomainFailure): string =>
  [message, `expected  ${expected}`, `actual    ${actual}`, ...remedyLines(remedy)].join('\n');

const textsOf = ({ requirements }: DomainsOutcome): FailureTexts => {
  const failuresOf = (id: string) => requirements.find((each) => each.id === id)?.failures ?? [];
  return {
    summary: ({ id }) => failuresOf(id)[0]?.message ?? null,
    details: ({ id }) => failuresOf(id).map(detailsOf).join('\n\n'),
  };
};

/** The outcome as JUnit XML, as of a run. */
export const domainsJunit = (outcome: DomainsOutcome): string => junitXml(judged(outcome), textsOf(outcome));

/** GitHub's workflow commands, as of a run: an error for each failed requirement, with its remedies. */
export const domainsAnnotations = (outcome: DomainsOutcome): readonly string[] =>
  annotationsOf(judged(outcome), judged(outcome).requirements, textsOf(outcome).details);
