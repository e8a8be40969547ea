import {
  isOfServer,
  type Outcome,
  type RequirementResult,
  type ServerFailure,
} from '../../src/run/outcome.ts';

/** Exact counts follow from generated values, so that they would move with every change of a check. */
const occurrenceText = (occurrences: number): string => {
  if (occurrences >= 10) return '10 times or more';
  return occurrences > 1 ? 'some times' : 'once';
};

const failureText = ({ rule, operation, variant, seen, tries, occurrences }: ServerFailure): string =>
  [
    `${rule} ${operation}`,
    ...(variant === undefined ? [] : [variant]),
    `${occurrenceText(occurrences)}${seen < tries ? ', not repeatable' : ''}`,
  ].join(' | ');

const requirementRows = ({ id, verdict, reasonCode, failures }: RequirementResult): readonly string[] => {
  const result = `${id} ${verdict}${reasonCode === null ? '' : ` (${reasonCode})`}`;
  return failures.length === 0
    ? [result]
    : failures
        .filter(isOfServer)
        .map((failure) => `${result} | ${failureText(failure)}`)
        .toSorted();
};

/** A run as rows: each requirement with its verdict and failures, and each observation. */
export const verdictRows = ({ ended, requirements, observations }: Outcome): readonly string[] => [
  ...(ended === null ? [] : [`ended: ${ended}`]),
  ...requirements.flatMap(requirementRows),
  ...observations.map(({ id, subject, value }) => `${id} ${subject}: ${value}`),
];
