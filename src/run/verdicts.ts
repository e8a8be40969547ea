import type { Requirement } from '../document/requirement.ts';
import type { Entry } from './ledger.ts';
import { type CaseCount, lossReason } from './lost.ts';
import type { Verdict } from './outcome.ts';

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string | null;
}

interface Evidence {
  entry(requirement: string): Entry;
  /** The cases that could have failed a requirement. */
  casesOf(requirement: string): CaseCount;
  /** Why a requirement was not tried at all; null: it was. */
  skipped(requirement: string): string | null;
  /** Why the run ended before its time; null: it did not. */
  readonly ended: string | null;
}

/** Why a requirement is not judged that stands on one that is breached and never met. */
export const dependencyReason = (id: string): string => `it depends on ${id}, which was never met`;

/** The verdict of a requirement, from the evidence on it and on what it depends on. */
export const judgementOf = (requirement: Requirement, evidence: Evidence): Judgement => {
  const { id, level, dependsOn } = requirement;
  const entry = evidence.entry(id);
  const broken = dependsOn.find((dependency) => isBroken(evidence.entry(dependency)));
  if (entry.causes.length > 0 && broken === undefined) {
    return { verdict: level === 'SHOULD' ? 'warned' : 'failed', reason: null };
  }
  if (entry.errors.length > 0) return { verdict: 'error', reason: entry.errors[0] ?? null };
  const skipped = evidence.skipped(id);
  if (skipped !== null && entry.met === 0) return { verdict: 'skipped', reason: skipped };
  if (broken !== undefined) return { verdict: 'inconclusive', reason: dependencyReason(broken) };
  if (entry.met > 0) return level === 'OPEN' ? { verdict: 'observed', reason: null } : passed(id, evidence);
  const [reason] = mostFrequent(entry.undecided);
  return reason === undefined
    ? { verdict: 'skipped', reason: skipped ?? evidence.ended ?? 'no check of this run gave evidence on it' }
    : { verdict: 'inconclusive', reason };
};

/** Only if no case that could have failed it was lost to a limit of the run. */
const passed = (id: string, { casesOf }: Evidence): Judgement => {
  const reason = lossReason(casesOf(id));
  return reason === null ? { verdict: 'passed', reason } : { verdict: 'inconclusive', reason };
};

/** Breached, and never once met: what depends on it has nothing to stand on. */
const isBroken = (entry: Entry): boolean => entry.met === 0 && entry.causes.length > 0;

const mostFrequent = (reasons: ReadonlyMap<string, number>): readonly string[] =>
  [...reasons].sort(([, a], [, b]) => b - a).map(([reason]) => reason);
