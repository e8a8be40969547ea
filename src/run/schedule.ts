import { type Check, costOf, isOnce, type Phase, phases } from '../check/check.ts';
import type { RunContext } from '../check/run-context.ts';
import { type Tier, tierOf } from '../check/tiers.ts';
import { checkName } from '../finding/check-name.ts';
import type { Client } from '../http/client-types.ts';
import { type Plan, planLimits } from '../openapi/plans.ts';
import { estimateRequests, fillingOf } from './plan.ts';
import type { Execution } from './run-case.ts';
import { runCheck } from './run-check.ts';
import type { ProgressListener } from './run-deps.ts';

/** Phases in which nothing else may be in flight. */
export const oneByOne: readonly Phase[] = ['exclusive', 'last-exclusive', 'exhaust-limit', 'last'];

/** The daily limit, if the run takes much of it. */
const dayIn = (plan: Plan | null, requests: number) => {
  const perDay = plan === null ? null : planLimits[plan].perDay;
  return plan === null || perDay === null || requests < perDay / 2 ? null : { plan, requests: perDay };
};

interface Observer {
  readonly client: Client;
  readonly watch: ProgressListener;
  /** The plan of the key; null: not known. */
  readonly plan: Plan | null;
  readonly rateLimitPlan: Plan | null;
}

/** Runs the checks phase by phase; within a phase as many at once as requests may be in flight. */
export const runChecks = async (
  checks: readonly Check[],
  execution: Execution,
  observer: Observer,
): Promise<void> => {
  const onExchange = await announcePlan(checks, execution, observer);
  const groups = execution.budget === null ? [] : budgetOrder(await systematicCases(checks, execution));
  for (const includesCase of coveredCases(groups, execution, observer.client))
    await runPhases(checks, { ...execution, onExchange, includesCase });
};

/** A run on a server with many bugs sends about this part of its requests again. */
const mostRepeated = 0.25;

/** How long so many requests with the key wait for its limit, and how many of them the day allows. */
export const forecastOf = (estimate: Client['estimate'], requests: number) => {
  const { ms, basis } = estimate(requests);
  const isCut = basis.kind === 'window' && basis.isBeyondRun && basis.left < requests;
  return {
    estimateMs: ms,
    longestMs: estimate(Math.round(requests * (1 + mostRepeated))).ms,
    leftToday: isCut ? basis.left : null,
    basis,
  };
};

/** Reports what is planned. Returns what reports progress after each exchange. */
const announcePlan = async (
  checks: readonly Check[],
  execution: Execution,
  { client, watch, plan, rateLimitPlan }: Observer,
): Promise<Execution['onExchange']> => {
  const { clock, evidenceLog, runContext } = execution;
  const { sent: before, unauthenticated } = client.state();
  const { requests, authenticated, creations, waitMs } = await estimateRequests(checks, execution, before);
  const planned = before + requests;
  const plannedKeyed = before - unauthenticated + authenticated;
  const forecast = forecastOf((keyed) => client.estimate(keyed), authenticated);
  watch({
    kind: 'planned',
    requests: planned,
    creations,
    ...forecast,
    estimateMs: forecast.estimateMs + waitMs,
    longestMs: forecast.longestMs + waitMs,
    day: dayIn(plan, plannedKeyed),
    usesUpLimit:
      waitMs === 0
        ? 'no'
        : rateLimitPlan === null && (runContext.keyProbe?.window ?? null) === null
          ? 'assumed'
          : 'known',
  });
  let exhaustsSince: number | null = null;
  let repeated = 0;
  return (check, isPlanned) => {
    const state = client.state();
    if (!isPlanned) repeated += 1;
    if (check.phase === 'exhaust-limit') exhaustsSince ??= clock.now();
    const waited = clock.now() - (exhaustsSince ?? clock.now());
    watch({
      kind: 'progress',
      done: state.done,
      planned: Math.max(planned + repeated, state.sent),
      failures: evidenceLog.causes,
      // Most listeners do not read it.
      get remainingMs() {
        const left = plannedKeyed + repeated - (state.sent - state.unauthenticated);
        return client.estimate(Math.max(left, 0)).ms + Math.max(0, waitMs - waited);
      },
      check: checkName(check),
    });
  };
};

const runPhase = (phase: Phase, checks: readonly Check[], execution: Execution): Promise<void> =>
  inParallel(
    checks.filter((check) => check.phase === phase),
    oneByOne.includes(phase) ? 1 : execution.runContext.concurrency,
    (check) => runCheck(check, execution),
  );

const runPhases = async (checks: readonly Check[], execution: Execution): Promise<void> => {
  const postponed = createPostponed(checks, execution);
  for (const phase of phases) {
    await execution.enterPhase?.(phase);
    if (phase === 'exhaust-limit') await postponed.run();
    await runPhase(phase, checks, isLast(phase) ? execution : postponed.execution);
  }
};

/** How many animals the last phases create. */
const creationsAtEnd = async (
  checks: readonly Check[],
  { inputsOf, runContext }: Execution,
): Promise<number> => {
  const needed = checks
    .filter(({ phase }) => isLast(phase))
    .map(async (check) => {
      const inputs = await inputsOf(check).catch(() => []);
      return inputs.length * costOf(check, runContext).creates;
    });
  return (await Promise.all(needed)).reduce((sum, each) => sum + each, 0);
};

/** They may harm what follows, so nothing does. */
const isLast = (phase: Phase): boolean => phases.indexOf(phase) >= phases.indexOf('exhaust-limit');

/** Cases that lack creations, because the rest is kept for others. They run when no others need it. */
const createPostponed = (checks: readonly Check[], execution: Execution) => {
  if (execution.endReserves === undefined) return { execution, run: async () => {} };
  const cases = new Map<Check, Set<number>>();
  return {
    execution: {
      ...execution,
      postpone: (check: Check, index: number) => {
        cases.set(check, (cases.get(check) ?? new Set()).add(index));
      },
      onChecked: (check: Check) => {
        if (!cases.has(check)) execution.onChecked?.(check);
      },
    },
    run: async () => {
      if (cases.size === 0) return;
      execution.endReserves?.(await creationsAtEnd(checks, execution));
      const includesCase = (check: Check, index: number) => cases.get(check)?.has(index) === true;
      for (const phase of phases) await runPhase(phase, [...cases.keys()], { ...execution, includesCase });
      execution.endReserves?.(0);
    },
  };
};

/** The systematic cases that a run covers. Inputs that cannot be made are none: the check's execution reports the error. */
const systematicCases = async (
  checks: readonly Check[],
  { inputsOf, includesCase, runContext }: Execution,
): Promise<readonly RankedCase[]> => {
  const all = await Promise.all(
    checks.map(async (check) => {
      const inputs = await inputsOf(check).catch(() => []);
      return rankedCases(check, inputs.map(tierOf), runContext);
    }),
  );
  return all.flat().filter(({ check, index }) => includesCase(check, index));
};

/**
 * The cases that each pass over the checks covers: all at once, or with a budget one group after the other, as many as the budget is enough
 * for, and for the animals that fill the store for them. A case may send fewer requests than expected: the rest of the budget goes to cases
 * that were passed over, then to all others.
 */
function* coveredCases(
  groups: readonly (readonly RankedCase[])[],
  { includesCase, budget, runContext }: Execution,
  client: Client,
): Generator<Execution['includesCase']> {
  const made = new Set<string>();
  for (const group of groups) {
    let left = group;
    while (budget !== null) {
      const rest = budget - client.state().sent;
      const next = fitBudget(left, rest - fillingOf([...fitBudget(left, rest)], runContext));
      if (next.size === 0) break;
      const chosen = new Set([...next].map(({ check, index }) => caseKey(check, index)));
      yield (check, index) => chosen.has(caseKey(check, index));
      for (const key of chosen) made.add(key);
      left = left.filter((one) => !next.has(one));
    }
  }
  yield (check, index) => includesCase(check, index) && !made.has(caseKey(check, index));
}

const caseKey = ({ id }: Check, index: number): string => `${id} ${index}`;

const inParallel = async <Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(most, items.length)) }, worker));
};

/** A systematic case of a run, with what decides when a run on a budget sends it. */
export interface RankedCase {
  readonly check: Check;
  readonly phase: Phase;
  /** Its place among the check's inputs. */
  readonly index: number;
  readonly tier: Tier;
  /** The number of requests that are kept for it. */
  readonly cost: number;
  /** The number of animals that it probably creates. */
  readonly creations: number;
  /** It creates animals until the store has more than this many. */
  readonly storeAbove: number;
}

/** The cases of one check with their tiers; none if it runs once, after all others. */
export const rankedCases = (check: Check, tiers: readonly Tier[], run: RunContext): readonly RankedCase[] => {
  if (isOnce(check.phase)) return [];
  const { phase } = check;
  const { most: cost, creates: creations, storeAbove } = costOf(check, run);
  return tiers.map((tier, index) => ({ check, phase, index, tier, cost, creations, storeAbove }));
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
export const fitBudget = (cases: readonly RankedCase[], requests: number): ReadonlySet<RankedCase> => {
  const chosen = new Set<RankedCase>();
  let left = requests;
  for (const one of cases) {
    if (one.cost > left) continue;
    chosen.add(one);
    left -= one.cost;
  }
  return chosen;
};
