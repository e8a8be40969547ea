import { isUsedUpLimit, type LossCode, lossReason, type Reason } from '../finding/reason.ts';
import type { Requirement } from '../openapi/requirement.ts';
import type { FoundResult } from './found-outcome.ts';

export interface Inconclusive {
  readonly reason: Reason;
  /** How many cases. */
  readonly count: number;
}

/** The evidence on one requirement that a verdict follows from. */
export interface VerdictEvidence {
  readonly passed: number;
  readonly failures: readonly unknown[];
  /** Why cases gave no clear result, each reason once. */
  readonly inconclusive: ReadonlyMap<string, Inconclusive>;
  /** Messages of errors of the suite itself. */
  readonly errors: readonly string[];
}

/** How many cases there were, and how many of them were lost to what. */
export interface CaseCount {
  readonly total: number;
  readonly lost: ReadonlyMap<LossCode, number>;
}

/** What a verdict depends on, besides the requirement. */
export interface VerdictContext {
  evidenceOn(requirement: string): VerdictEvidence;
  /** The cases that could have failed a requirement. */
  casesOf(requirement: string): CaseCount;
  /** Why a requirement was not tested at all; null: it was. */
  skipped(requirement: string): Reason | null;
  /** Why the run ended early; null: it did not. */
  readonly ended: Reason | null;
}

export type DecidedVerdict = Pick<FoundResult, 'verdict' | 'reason'>;

/** The verdict of a requirement, from the evidence on it and on the requirements that it depends on. */
export const decideVerdict = (requirement: Requirement, context: VerdictContext): DecidedVerdict => {
  const { id, level } = requirement;
  const { passed, errors, inconclusive } = context.evidenceOn(id);
  const blocking = blockingOf(requirement, context.evidenceOn);
  if (isFailing(requirement, context.evidenceOn))
    return { verdict: level === 'SHOULD' ? 'warned' : 'failed', reason: null };
  const [error] = errors;
  if (error !== undefined) return { verdict: 'error', reason: { code: 'suite-error', error } };
  const skipped = context.skipped(id);
  if (skipped !== null && passed === 0) return { verdict: 'skipped', reason: skipped };
  if (blocking !== undefined)
    return { verdict: 'inconclusive', reason: { code: 'blocked', requirement: blocking } };
  if (passed > 0)
    return level === 'OPEN' ? { verdict: 'observed', reason: null } : passedUnlessLost(id, context);
  const [reason] = [...inconclusive.values()].sort((a, b) => b.count - a.count).map((each) => each.reason);
  return reason === undefined
    ? { verdict: 'skipped', reason: skipped ?? context.ended ?? { code: 'not-tested' } }
    : { verdict: 'inconclusive', reason };
};

/** Passed only if no case that could have failed it was lost to a limit of the run. */
const passedUnlessLost = (id: string, { casesOf, evidenceOn }: VerdictContext): DecidedVerdict => {
  const { total, lost } = casesOf(id);
  const reasons = [...evidenceOn(id).inconclusive.values()].map((each) => each.reason);
  const reason = lossReason(total, lost, reasons.find(isUsedUpLimit));
  return reason === null ? { verdict: 'passed', reason } : { verdict: 'inconclusive', reason };
};

export type EvidenceOf = VerdictContext['evidenceOn'];

/** The requirement without which this one cannot be tested, and which only failed; undefined: there is none. */
const blockingOf = ({ dependsOn }: Requirement, evidenceOn: EvidenceOf): string | undefined =>
  dependsOn.find((dependency) => hasOnlyFailed(evidenceOn(dependency)));

/** A requirement fails if it is broken, and does not depend on another that only failed. */
export const isFailing = (requirement: Requirement, evidenceOn: EvidenceOf): boolean =>
  evidenceOn(requirement.id).failures.length > 0 && blockingOf(requirement, evidenceOn) === undefined;

/** Requirements that depend on it cannot be tested. */
const hasOnlyFailed = ({ passed, failures }: VerdictEvidence): boolean => passed === 0 && failures.length > 0;
