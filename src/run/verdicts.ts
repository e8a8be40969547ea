import type { Requirement } from '../openapi/requirement.ts';
import type { Reason } from '../oracle/reason.ts';
import type { Entry } from './evidence.ts';
import { type CaseCount, lossReason } from './lost-cases.ts';
import type { Verdict } from './outcome.ts';

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: Reason | null;
}

interface Evidence {
  entry(requirement: string): Entry;
  /** The cases that could have failed a requirement. */
  casesOf(requirement: string): CaseCount;
  /** Why a requirement was not tried at all; null: it was. */
  skipped(requirement: string): Reason | null;
  /** Why the run ended early; null: it did not. */
  readonly ended: Reason | null;
}

/** The verdict of a requirement, from the evidence on it and on what it depends on. */
export const judgementOf = (requirement: Requirement, evidence: Evidence): Judgement => {
  const { id, level, dependsOn } = requirement;
  const entry = evidence.entry(id);
  const broken = dependsOn.find((dependency) => isBroken(evidence.entry(dependency)));
  if (entry.causes.length > 0 && broken === undefined) {
    return { verdict: level === 'SHOULD' ? 'warned' : 'failed', reason: null };
  }
  const [error] = entry.errors;
  if (error !== undefined) return { verdict: 'error', reason: { code: 'suite-error', error } };
  const skipped = evidence.skipped(id);
  if (skipped !== null && entry.met === 0) return { verdict: 'skipped', reason: skipped };
  if (broken !== undefined)
    return { verdict: 'inconclusive', reason: { code: 'blocked', requirement: broken } };
  if (entry.met > 0) return level === 'OPEN' ? { verdict: 'observed', reason: null } : passed(id, evidence);
  const [reason] = mostFrequent(entry.undecided);
  return reason === undefined
    ? { verdict: 'skipped', reason: skipped ?? evidence.ended ?? { code: 'not-tested' } }
    : { verdict: 'inconclusive', reason };
};

/** Only if no case that could have failed it was lost to a limit of the run. */
const passed = (id: string, { casesOf }: Evidence): Judgement => {
  const reason = lossReason(casesOf(id));
  return reason === null ? { verdict: 'passed', reason } : { verdict: 'inconclusive', reason };
};

/** Breached, and never once met: what depends on it has nothing to stand on. */
const isBroken = (entry: Entry): boolean => entry.met === 0 && entry.causes.length > 0;

const mostFrequent = (reasons: Entry['undecided']): readonly Reason[] =>
  [...reasons.values()].sort((a, b) => b.count - a.count).map(({ reason }) => reason);
