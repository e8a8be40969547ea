import { annotationsOf } from '../annotations.ts';
import { type FailureTexts, junitOf } from '../junit.ts';
import type { DomainFailure, DomainsOutcome } from './outcome.ts';
import { remedyLines } from './remedy-lines.ts';

const detailsOf = ({ message, expected, actual, remedy }: DomainFailure): string =>
  [message, `expected  ${expected}`, `actual    ${actual}`, ...remedyLines(remedy)].join('\n');

const texts: FailureTexts<DomainFailure> = {
  summary: ({ failures }) => failures[0]?.message ?? null,
  details: ({ failures }) => failures.map(detailsOf).join('\n\n'),
};

/** The outcome as JUnit XML, as of a run. */
export const domainsJunit = (outcome: DomainsOutcome): string => junitOf(outcome, texts);

/** GitHub's workflow commands, as of a run: an error for each failed requirement, with its remedies. */
export const domainsAnnotations = (outcome: DomainsOutcome): readonly string[] =>
  annotationsOf(outcome, outcome.requirements, texts.details);
