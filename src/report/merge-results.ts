import { type LossCode, lossReason, type ReasonCode, reasonText } from '../finding/reason.ts';
import type { Failure, PartialEvidence, RequirementResult, Verdict } from '../run/outcome.ts';
import { subjectOf } from './group-failures.ts';
import { mergeBy, mergeByName, sum } from './merge-records.ts';

/** Verdicts from the worst. */
const precedence: readonly Verdict[] = [
  'failed',
  'error',
  'warned',
  'passed',
  'observed',
  'inconclusive',
  'skipped',
];

/** Failures of several shards with the same key are one failure. */
const failureKey = (failure: Failure): string =>
  JSON.stringify([subjectOf(failure), failure.rule, failure.variant]);

/** What fails in one part may pass in another, and another input may fail there. */
const mergeFailure = (failure: Failure, same: readonly Failure[]): Failure => {
  const allOf = (name: 'inputs' | 'passed') => {
    const all = new Set(same.flatMap((each) => each[name] ?? []));
    return all.size === 0 ? {} : { [name]: [...all] };
  };
  return {
    ...failure,
    ...allOf('inputs'),
    ...allOf('passed'),
    occurrences: sum(same.map(({ occurrences }) => occurrences)),
  };
};

/** How often a part passed. A claim shows only whether it did. */
export const passesOf = ({ evidence, verdict, reasonCode }: RequirementResult): number =>
  evidence?.passed ?? (['passed', 'observed'].includes(verdict) || reasonCode === 'not-met-in-shard' ? 1 : 0);

type Decided = Pick<RequirementResult, 'verdict' | 'reason' | 'reasonCode' | 'blockedBy'>;

/** Reasons of a part whose run ended before it came to the requirement. */
const endCodes: readonly (ReasonCode | null)[] = [
  'interrupted',
  'run-ended',
  'no-response',
  'budget',
  'timeouts',
  'target-gone',
];

/** The parts that lost all cases, or that do not say how many they lost, as claims. */
const lostWhole = (parts: readonly RequirementResult[]): readonly RequirementResult[] =>
  parts.filter(
    ({ evidence, verdict, reasonCode }) =>
      (verdict === 'skipped' || verdict === 'inconclusive') &&
      endCodes.includes(reasonCode) &&
      Object.keys(evidence?.lost ?? {}).length === 0,
  );

/** The evidence of all parts; absent: a part is a claim. */
const mergeEvidence = (parts: readonly RequirementResult[]): Pick<RequirementResult, 'evidence'> => {
  const all = parts.flatMap(({ evidence }) => evidence ?? []);
  if (all.length < parts.length) return {};
  return {
    evidence: {
      passed: sum(all.map(({ passed }) => passed)),
      cases: sum(all.map(({ cases }) => cases)),
      lost: sumOfLost(all),
    },
  };
};

const sumOfLost = (all: readonly PartialEvidence[]): PartialEvidence['lost'] =>
  mergeByName(
    all.map(({ lost }) => lost),
    sum,
  );

/** Why the whole cannot pass: cases of its parts were lost. Null: none was. */
const lossOf = (parts: readonly RequirementResult[]): Decided | null => {
  const evidence = parts.flatMap((part) => part.evidence ?? []);
  const lost = Object.entries(sumOfLost(evidence)) as [LossCode, number][];
  const reason = lossReason(sum(evidence.map(({ cases }) => cases)), new Map(lost));
  const [whole] = lostWhole(parts);
  if (reason !== null)
    return { verdict: 'inconclusive', reason: reasonText(reason), reasonCode: reason.code };
  return whole === undefined
    ? null
    : { verdict: 'inconclusive', reason: whole.reason, reasonCode: whole.reasonCode };
};

/** Verdicts that no pass of another part changes. */
const final: readonly Verdict[] = ['failed', 'error', 'warned'];

/** The verdict of the whole, from the facts of its parts, as `decideVerdict` finds it in one run. */
const decideMerged = (
  worst: RequirementResult,
  parts: readonly RequirementResult[],
  neverPassed: (id: string) => boolean,
): Decided => {
  if (final.includes(worst.verdict)) return worst;
  const blocked = parts.find(({ blockedBy }) => blockedBy !== undefined && neverPassed(blockedBy));
  if (blocked !== undefined) return blocked;
  if (parts.every((part) => passesOf(part) === 0)) return worst;
  if (worst.level === 'OPEN') return { verdict: 'observed', reason: null, reasonCode: null };
  return lossOf(parts) ?? { verdict: 'passed', reason: null, reasonCode: null };
};

/** The result of a requirement in the whole run. `neverPassed`: whether no part passed another requirement. */
export const mergeResult = (
  first: RequirementResult,
  parts: readonly RequirementResult[],
  neverPassed: (id: string) => boolean,
): RequirementResult => {
  const byVerdict = parts.toSorted((a, b) => precedence.indexOf(a.verdict) - precedence.indexOf(b.verdict));
  const worst = byVerdict[0] ?? first;
  const { verdict, reason, reasonCode, blockedBy } = decideMerged(worst, parts, neverPassed);
  const { id, level, statement, section } = first;
  return {
    ...{ id, level, statement, section, verdict, reason, reasonCode },
    ...(blockedBy === undefined ? {} : { blockedBy }),
    ...mergeEvidence(parts),
    known: parts.find(({ known }) => known !== null)?.known ?? null,
    checks: sum(parts.map(({ checks }) => checks)),
    durationMs: sum(parts.map(({ durationMs }) => durationMs)),
    failures: mergeBy(
      byVerdict.flatMap(({ failures }) => failures),
      failureKey,
      mergeFailure,
    ),
  };
};
