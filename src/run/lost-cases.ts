import type { LossCode, Reason } from '../oracle/reason.ts';

/** How many cases there were, and how many of them were lost to what. */
export interface CaseCount {
  readonly total: number;
  readonly lost: ReadonlyMap<LossCode, number>;
}

/** Why "passed" cannot be claimed; null: no case was lost. */
export const lossReason = ({ total, lost }: CaseCount): Reason | null => {
  const count = lost.values().reduce((sum, each) => sum + each, 0);
  const [most] = [...lost].toSorted(([, a], [, b]) => b - a);
  return most === undefined
    ? null
    : { code: most[0], detail: 'lost', lost: count, of: total, to: [...lost.keys()] };
};

/** Tested on whatever is sent: what was not sent is no loss to them. */
const onWhateverIsSent: readonly string[] = ['RATE-1', 'RATE-2', 'RATE-3'];

const none: CaseCount = { total: 0, lost: new Map() };

/** Counts cases by requirement, and all of them together. */
export const createCaseCounts = () => {
  const counts = new Map<string, { total: number; lost: Map<LossCode, number> }>();
  const all = { total: 0, lost: new Map<LossCode, number>() };
  return {
    /** One more case of a check that is named for this requirement. */
    add: (requirement: string, lostTo: LossCode | null): void => {
      const own = counts.get(requirement) ?? { total: 0, lost: new Map<LossCode, number>() };
      counts.set(requirement, own);
      for (const count of [own, all]) {
        count.total += 1;
        if (lostTo !== null) count.lost.set(lostTo, (count.lost.get(lostTo) ?? 0) + 1);
      }
    },
    of: (requirement: string): CaseCount =>
      onWhateverIsSent.includes(requirement) ? none : (counts.get(requirement) ?? none),
    all: all as CaseCount,
  };
};
