import type { Redact } from '../../client/redact.ts';
import type { FoundOutcome, FoundResult, Outcome, RequirementResult } from '../../run/outcome.ts';
import { reasonText } from './reasons.ts';

// Field by field, in the order of the report.

const resultOf = (
  { reason, checks, failures, ...result }: FoundResult,
  redact: Redact,
): RequirementResult => ({
  ...result,
  reason: reason === null ? null : redact(reasonText(reason)),
  reasonCode: reason?.code ?? null,
  ...(reason?.code === 'blocked' ? { blockedBy: reason.requirement } : {}),
  checks,
  failures,
});

/** The outcome of a run in words, as all reports show it. */
export const describeOutcome = (found: FoundOutcome, redact: Redact): Outcome => {
  const { ended, requirements, observations, traffic, created, coverage, exchanges, ...run } = found;
  return {
    ...run,
    ended: ended === null ? null : redact(reasonText(ended)),
    ...(ended === null ? {} : { endedCode: ended.code }),
    requirements: requirements.map((result) => resultOf(result, redact)),
    observations,
    traffic,
    created,
    coverage,
    exchanges,
  };
};
