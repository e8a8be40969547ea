import { type Check, coveredBy, type Phase, tierOf } from '../check/check.ts';
import { checkName } from '../check/check-name.ts';
import type { RunPermissions } from '../check/permissions.ts';
import type { Suite } from '../check/suite.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Client } from '../http/client-types.ts';
import type { ApiDocument } from '../openapi/document.ts';
import type { Plan } from '../openapi/plans.ts';
import { planLimits } from '../openapi/plans.ts';
import { knownOperations } from '../oracle/kind.ts';
import { oracleRequirements } from '../oracle/oracle.ts';
import { estimateRequests } from './estimate-requests.ts';
import type { Execution } from './execution.ts';
import { executeCheck } from './run-check.ts';
import type { Watch } from './run-deps.ts';
import type { Selection } from './selection.ts';
import { budgetOrder, type RankedCase, rankedCases, withinBudget } from './tiers.ts';

const phases: readonly Phase[] = ['first', 'exclusive', 'main', 'filled-store', 'risky', 'exhaust-limit'];
const oneByOne: readonly Phase[] = ['exclusive', 'exhaust-limit'];

interface Permission {
  readonly risky: boolean;
  readonly exhaust: boolean;
}

/** What the oracle judges, and a 429 says nothing of: no limit is used up for them alone. */
const notOver429s: readonly string[] = ['AUTH-6', 'GET-6'];

/**
 * The checks for a document: for the animal store its own, and general ones for operations that its own checks do not know; for another
 * API the general ones.
 */
export const suiteChecks = (
  suite: Suite,
  document: ApiDocument,
  permissions: RunPermissions,
): readonly Check<unknown>[] => {
  if (permissions.foreign) return suite.general(document, document.operations, permissions);
  const added = document.operations.filter(({ id }) => !knownOperations.includes(id));
  return added.length === 0
    ? suite.animalStore
    : [...suite.animalStore, ...suite.general(document, added, permissions)];
};

/** The checks that may have a case by a path: those that are named for what was chosen. */
export const namedBy = (
  checks: readonly Check<unknown>[],
  path: string,
  isChosen: Selection['isChosen'],
): readonly Check<unknown>[] => {
  // Making a case small puts colons into its path.
  const isReached = ({ arbitrary, shrink, dependsOnEarlierCases }: Check<unknown>) =>
    path.includes(':') ? (arbitrary ?? shrink) !== undefined : !dependsOnEarlierCases;
  return checks.filter((check) => isReached(check) && isChosen(check.requirement));
};

/** The checks that a run makes, in the order of their phases. */
export const selectChecks = (
  checks: readonly Check<unknown>[],
  settings: Pick<RunSettings, 'path' | 'only'>,
  selection: Selection,
  permission: Permission,
): readonly Check<unknown>[] => {
  const ofOracle = settings.path === null ? oracleRequirements.filter((id) => selection.isChosen(id)) : [];
  const isEvidence = ({ phase }: Check<unknown>): boolean =>
    ofOracle.some((id) => phase !== 'exhaust-limit' || !notOver429s.includes(id));
  const named = settings.path === null ? checks : namedBy(checks, settings.path, selection.isChosen);
  return named
    .filter((check) => isEvidence(check) || coveredBy(check).some((id) => selection.isChosen(id)))
    .filter(
      ({ phase }) =>
        (phase !== 'risky' || permission.risky) && (phase !== 'exhaust-limit' || permission.exhaust),
    )
    .sort((a, b) => phases.indexOf(a.phase) - phases.indexOf(b.phase));
};

/** What is said of a day's limit that the run takes much of. */
const dayNote = (plan: Plan | null, requests: number): string => {
  const perDay = plan === null ? null : planLimits[plan].perDay;
  return perDay === null || requests < perDay / 2 ? '' : `the ${plan} plan allows ${perDay} a day`;
};

const usingUp = 'with what it takes to use up the limit of the rate limit key';

/** Runs the checks phase by phase; within a phase as many at once as requests may be under way. */
export const executeChecks = async (
  checks: readonly Check<unknown>[],
  execution: Execution,
  { client, watch, plan }: { readonly client: Client; readonly watch: Watch; readonly plan: Plan | null },
): Promise<void> => {
  const { sent: before, unauthenticated } = client.state();
  const { requests, keyed, waitMs } = await estimateRequests(checks, execution, before);
  const planned = before + requests;
  const plannedKeyed = before - unauthenticated + keyed;
  const { ms, note } = client.estimate(keyed);
  const notes = [note, dayNote(plan, plannedKeyed), waitMs > 0 ? usingUp : ''];
  watch({
    kind: 'planned',
    requests: planned,
    estimateMs: ms + waitMs,
    note: notes.filter((text) => text !== '').join('; '),
  });
  const { clock } = execution;
  let exhaustsSince: number | null = null;
  const tell = (check: Check<unknown>) => {
    const { sent, done, unauthenticated } = client.state();
    if (check.phase === 'exhaust-limit') exhaustsSince ??= clock.now();
    const waited = clock.now() - (exhaustsSince ?? clock.now());
    watch({
      kind: 'progress',
      done,
      planned: Math.max(planned, sent),
      failures: execution.evidenceLog.causes,
      // Most of those who watch do not ask.
      get remainingMs() {
        const { ms } = client.estimate(Math.max(plannedKeyed - (sent - unauthenticated), 0));
        return ms + Math.max(0, waitMs - waited);
      },
      check: checkName(check),
    });
  };
  const groups = execution.budget === null ? [] : budgetOrder(await systematicCases(checks, execution));
  for (const covers of passes(groups, execution, client)) {
    await inPhases(checks, { ...execution, onExchange: tell, covers });
  }
};

/** Until every replica has to show two fifths of what was created: so much at least may no longer be missing. */
const settled = async ({ runContext, clock, signal }: Execution): Promise<void> => {
  const created = runContext.created();
  const awaited = created[Math.floor(created.length * 0.4)]?.at ?? 0;
  const left = awaited + 2_200 - clock.now();
  if (left > 0 && !signal.aborted) await clock.sleep(left, signal).catch(() => {});
};

const inPhases = async (checks: readonly Check<unknown>[], execution: Execution): Promise<void> => {
  for (const phase of phases) {
    const queue = checks.filter((check) => check.phase === phase);
    if (phase === 'filled-store' && queue.length > 0) await settled(execution);
    await inParallel(queue, oneByOne.includes(phase) ? 1 : execution.runContext.concurrency, (check) =>
      executeCheck(check, execution),
    );
  }
};

/** The systematic cases that a run covers. Inputs that cannot be made are none: the check's execution reports the error. */
const systematicCases = async (
  checks: readonly Check<unknown>[],
  { inputsOf, covers, runContext }: Execution,
): Promise<readonly RankedCase[]> => {
  const all = await Promise.all(
    checks.map(async (check) => {
      const inputs = await inputsOf(check).catch(() => []);
      return rankedCases(check, inputs.map(tierOf), runContext);
    }),
  );
  return all.flat().filter(({ check, index }) => covers(check, index));
};

/**
 * All cases at once; on a budget one group of cases after the other, as many as the budget is enough for. A case may send fewer
 * requests than expected: the rest of the budget goes to cases that were passed over, and at last to all that is left in its order.
 */
function* passes(
  groups: readonly (readonly RankedCase[])[],
  { covers, budget }: Execution,
  client: Client,
): Generator<Execution['covers']> {
  const made = createCaseSet();
  for (const group of groups) {
    let left = group;
    while (budget !== null) {
      const next = withinBudget(left, budget - client.state().sent);
      if (next.size === 0) break;
      const chosen = createCaseSet(next);
      yield chosen.has;
      for (const one of next) made.add(one);
      left = left.filter((one) => !next.has(one));
    }
  }
  yield (check, index) => covers(check, index) && !made.has(check, index);
}

/** A set of cases that is asked by check and index. */
const createCaseSet = (cases: Iterable<RankedCase> = []) => {
  const indexes = new Map<Check<unknown>, Set<number>>();
  const add = ({ check, index }: Pick<RankedCase, 'check' | 'index'>): void => {
    indexes.set(check, (indexes.get(check) ?? new Set()).add(index));
  };
  for (const one of cases) add(one);
  return { add, has: (check: Check<unknown>, index: number) => indexes.get(check)?.has(index) ?? false };
};

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
