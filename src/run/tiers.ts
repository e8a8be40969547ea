import { type Check, costOf, type Tier } from '../check/check.ts';
import type { RunContext } from '../check/run-context.ts';

/** A systematic case of a run, with what decides when a run on a budget sends it. */
export interface RankedCase {
  readonly check: Check<unknown>;
  /** Its place among the check's inputs. */
  readonly index: number;
  readonly tier: Tier;
  /** The number of requests that are kept for it. */
  readonly cost: number;
}

/** The cases of one check with their tiers; none if it uses up a limit, because its requests cannot be predicted. */
export const rankedCases = (
  check: Check<unknown>,
  tiers: readonly Tier[],
  run: RunContext,
): readonly RankedCase[] => {
  if (check.phase === 'exhaust-limit') return [];
  const cost = costOf(check, run).most;
  return tiers.map((tier, index) => ({ check, index, tier, cost }));
};

const goldenRatio = (1 + Math.sqrt(5)) / 2;

/**
 * Places the cases so that every prefix of the order has inputs from the whole range of each check. A check of n cases gets a share
 * that grows with the square root of n.
 */
const spread = (cases: readonly RankedCase[]): readonly RankedCase[] => {
  const byCheck = Map.groupBy(cases, ({ check }) => check);
  const placed = [...byCheck.values()].flatMap((own) =>
    own.map((one, place) => ({ one, at: ((place * goldenRatio) % 1) * Math.sqrt(own.length) })),
  );
  return placed.sort((a, b) => a.at - b.at).map(({ one }) => one);
};

/** The groups of cases that a run on a budget sends one after the other: smoke, core, full. A group that costs too much is cut in a spread order. */
export const budgetOrder = (cases: readonly RankedCase[]): readonly (readonly RankedCase[])[] => {
  const of = (tier: Tier): readonly RankedCase[] => cases.filter((one) => one.tier === tier);
  return [of('smoke'), of('core'), of('full')].map(spread);
};

/** The first cases that together cost at most this many requests; a case that costs more than is left is passed over. */
export const withinBudget = (cases: readonly RankedCase[], requests: number): ReadonlySet<RankedCase> => {
  const chosen = new Set<RankedCase>();
  let left = requests;
  for (const one of cases) {
    if (one.cost > left) continue;
    chosen.add(one);
    left -= one.cost;
  }
  return chosen;
};
