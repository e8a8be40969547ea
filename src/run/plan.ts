import { type Check, costOf, coveredBy, isOnce, phases } from '../check/check.ts';
import type { RunPermissions } from '../check/permissions.ts';
import type { RunContext } from '../check/run-context.ts';
import type { Suite } from '../check/suite.ts';
import { needsOwnKey, needsRefusal, selected } from '../config/selection.ts';
import type { RunSettings } from '../config/settings.ts';
import { partsOfPath } from '../config/values.ts';
import type { Reason } from '../finding/reason.ts';
import type { ApiDocument } from '../openapi/document.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { knownOperations } from '../oracle/kind.ts';
import { oracleRequirements } from '../oracle/oracle.ts';
import { hashOf } from '../util/hash.ts';
import type { Execution } from './run-case.ts';
import { generatedCases } from './run-check.ts';
import type { Target } from './run-deps.ts';

interface AllowedPhases {
  readonly risky: boolean;
  readonly exhaust: boolean;
}

/** Requirements of the oracle that a 429 does not test: no limit is used up only for them. */
const notTestedBy429s: readonly string[] = ['AUTH-6', 'GET-6'];

/**
 * The checks for a document: for the animal store its own, and general ones for operations that its own checks do not know; for another
 * API the general ones.
 */
export const suiteChecks = (
  suite: Suite,
  document: ApiDocument,
  permissions: RunPermissions,
): readonly Check[] => {
  if (permissions.otherApi) return suite.general(document, document.operations, permissions);
  const added = document.operations.filter(({ id }) => !knownOperations.includes(id));
  return added.length === 0
    ? suite.animalStore
    : [...suite.animalStore, ...suite.general(document, added, permissions)];
};

/** The checks that may have a case by a path: the check that it names, otherwise checks of the selected requirements. */
export const checksForPath = (
  checks: readonly Check[],
  path: string,
  isChosen: Selection['isChosen'],
): readonly Check[] => {
  const { position, check: named } = partsOfPath(path);
  // Shrinking puts colons into the path of a case.
  const isReached = ({ arbitrary, shrink, dependsOnEarlierCases }: Check) =>
    position.includes(':') ? (arbitrary ?? shrink) !== undefined : named !== null || !dependsOnEarlierCases;
  return checks.filter(
    (check) => isReached(check) && (named === null ? isChosen(check.requirement) : check.id === named),
  );
};

/** The checks that a run makes, in the order of their phases. */
export const selectChecks = (
  checks: readonly Check[],
  settings: Pick<RunSettings, 'path' | 'only'>,
  selection: Selection,
  allowed: AllowedPhases,
): readonly Check[] => {
  const ofOracle = settings.path === null ? oracleRequirements.filter((id) => selection.isChosen(id)) : [];
  const isEvidence = ({ phase }: Check): boolean =>
    ofOracle.some((id) => phase !== 'exhaust-limit' || !notTestedBy429s.includes(id));
  const named =
    settings.path === null
      ? checks.filter((check) => isEvidence(check) || coveredBy(check).some((id) => selection.isChosen(id)))
      : checksForPath(checks, settings.path, selection.isChosen);
  return named
    .filter(
      ({ phase }) => (phase !== 'risky' || allowed.risky) && (phase !== 'exhaust-limit' || allowed.exhaust),
    )
    .sort((a, b) => phases.indexOf(a.phase) - phases.indexOf(b.phase));
};

type Shard = { readonly index: number; readonly of: number };

/**
 * Tells whether a shard covers a case. With `repeats`, every check has a case in every shard, so that each shard tests every requirement; a
 * check with fewer cases than shards repeats some. Checks start at different shards: otherwise the first shard gets the most cases.
 * A check that runs once is in the first shard only: shards may run at once, and they have the same keys.
 */
export const coversCase =
  ({ index, of }: Shard, caseCount: (check: Check) => number, { repeats }: { readonly repeats: boolean }) =>
  (check: Check, position: number): boolean => {
    if (isOnce(check.phase)) return index === 1;
    const shard = (index - 1 + hashOf(check.id)) % of;
    const count = caseCount(check);
    return repeats && count < of ? position === shard % count : position % of === shard;
  };

/** What checks will probably do. */
export interface RequestEstimate {
  readonly requests: number;
  /** How many of them with the key. */
  readonly authenticated: number;
  /** How many animals they create. */
  readonly creations: number;
  /** How long checks wait that use up limits, in milliseconds. */
  readonly waitMs: number;
}

type Extent = Pick<
  Execution,
  'inputsOf' | 'runs' | 'runContext' | 'budget' | 'maxCreates' | 'path' | 'includesCase' | 'isStoreFilled'
>;

const casesOf = async (check: Check, { inputsOf, runs, path, includesCase }: Extent): Promise<number> => {
  if (path !== null) return 1;
  const inputs = await inputsOf(check);
  const all = Array.from({ length: inputs.length + generatedCases(check, runs) });
  return all.filter((_, index) => includesCase(check, index)).length;
};

type CheckEstimate = Awaited<ReturnType<typeof estimateCheck>>;

const estimateCheck = async (check: Check, extent: Extent) => {
  const cases = await casesOf(check, extent);
  const { requests, keyless, readOnly, creates, storeAbove, waitMs } = costOf(check, extent.runContext);
  return {
    phase: check.phase,
    requests: cases * requests,
    /** If no check creates an animal. */
    withoutAnimals: cases * (check.dependsOnEarlierCases === true ? readOnly : requests),
    authenticated: cases * Math.max(0, requests - keyless),
    creations: cases * creates,
    storeAbove: cases === 0 ? 0 : storeAbove,
    waitMs: cases * waitMs,
  };
};

/** How many animals are created only to fill the store; none if the run may not create so many. */
export const fillingOf = (
  planned: readonly Pick<CheckEstimate, 'phase' | 'creations' | 'storeAbove'>[],
  { storeSize, remainingCreations, isBudgeted }: RunContext,
): number => {
  const before = planned.filter(({ phase }) => phases.indexOf(phase) < phases.indexOf('filled-store'));
  const created = Math.round(sumOf(before, 'creations'));
  const above = Math.max(0, ...planned.map(({ storeAbove }) => storeAbove));
  const missing = above === 0 ? 0 : above + 1 - storeSize() - created;
  // A budget limits only the animals that fill the store.
  const allowed = isBudgeted ? remainingCreations() : remainingCreations() - created;
  return missing > allowed ? 0 : Math.max(0, missing);
};

const sumOf = <Of extends string>(estimates: readonly Readonly<Record<Of, number>>[], of: Of): number =>
  estimates.reduce((total, each) => total + each[of], 0);

/** The requests to send, if `sent` requests of a budget are used. */
export const estimateRequests = async (
  checks: readonly Check[],
  extent: Extent,
  sent: number,
): Promise<RequestEstimate> => {
  const { runContext, budget, maxCreates, isStoreFilled = false } = extent;
  const each = await Promise.all(checks.map((check) => estimateCheck(check, extent)));
  const before = each.filter(({ phase }) => phase !== 'exhaust-limit');
  // A budget is not for using up limits, unless other checks leave some of it.
  const all = sent + sumOf(before, 'requests') >= (budget ?? Number.POSITIVE_INFINITY) ? before : each;
  const wanted = sumOf(all, 'creations') + (isStoreFilled ? 0 : fillingOf(all, runContext));
  const creations = Math.min(wanted, maxCreates);
  // Each creation that fills the store is a request more, each one that is not allowed is one fewer.
  const besides = creations - sumOf(all, 'creations');
  const planned = Math.max(0, sumOf(all, wanted === 0 ? 'withoutAnimals' : 'requests') + besides);
  const requests = Math.min(Math.round(planned), (budget ?? Number.POSITIVE_INFINITY) - sent);
  const part = requests / Math.max(1, planned);
  return {
    requests,
    authenticated: Math.min(requests, Math.round(part * (sumOf(all, 'authenticated') + besides))),
    creations: Math.round(part * creations),
    waitMs: part * sumOf(all, 'waitMs'),
  };
};

/** Which requirements a run tests, and why not the others. */
export interface Selection {
  isChosen(requirement: string): boolean;
  /** Why a requirement is not tested; null: it is. */
  skipped(requirement: string): Reason | null;
}

/** Why the limits cannot be compared with a plan. */
const whyNoFigure = ({ plans }: Target): Reason | null => {
  const named = Object.values(plans).filter((plan) => plan !== null);
  if (named.length === 0) return { code: 'unknown-plan', detail: 'plan' };
  return named.every((plan) => plan === 'enterprise') ? { code: 'individual-plan' } : null;
};

/** The selection of the settings, with the keys of the target. */
export const createSelection = (
  settings: RunSettings,
  catalogue: readonly Requirement[],
  target: Target,
  subjects?: readonly Requirement['subject'][],
): Selection => {
  const chosen = new Set(selected(catalogue, settings, subjects).map(({ id }) => id));
  const hasKey = target.keys['rate-limit'] !== null;
  return {
    isChosen: (requirement) => chosen.has(requirement),
    skipped: (requirement) => {
      if (!chosen.has(requirement)) return { code: 'not-selected' };
      if (needsOwnKey.includes(requirement) && !hasKey)
        return { code: 'needs-rate-limit-key', detail: 'key' };
      if (needsRefusal.includes(requirement) && !hasKey)
        return { code: 'needs-rate-limit-key', detail: '429' };
      if (requirement === 'RATE-11' && !settings.exhaustDaily) return { code: 'needs-exhaust-daily' };
      if (requirement === 'RATE-3') return whyNoFigure(target);
      if (requirement === 'VER-1' && settings.allowAnyPath) return { code: 'path-waived' };
      return null;
    },
  };
};
