import { groupOf } from '../openapi/requirement.ts';
import { type ReasonCode, settingsFor } from '../oracle/reason.ts';
import {
  isInterrupted,
  isJudged,
  isUnexpectedPass,
  isUnjudgeable,
  type RequirementResult,
} from '../run/outcome.ts';
import { type ShownVerdict, titleOfGroup, verdictNames } from './text/shown-verdicts.ts';

export { isUnexpectedPass };

export const shownVerdictOf = (result: RequirementResult): ShownVerdict =>
  result.verdict === 'failed' && result.known !== null ? 'known' : result.verdict;

/** How many requirements stand how, without those of no requirement. */
export const countVerdicts = (results: readonly RequirementResult[]): ReadonlyMap<ShownVerdict, number> => {
  const counts = new Map<ShownVerdict, number>();
  for (const name of verdictNames) {
    const count = results.filter((result) => shownVerdictOf(result) === name).length;
    if (count > 0) counts.set(name, count);
  }
  return counts;
};

export const withVerdict = (
  results: readonly RequirementResult[],
  ...wanted: readonly ShownVerdict[]
): readonly RequirementResult[] => results.filter((result) => wanted.includes(shownVerdictOf(result)));

/** Why a requirement that was not selected was not tested. */
const unselectedCodes: readonly (ReasonCode | null)[] = ['not-selected', 'animal-store-only'];

/** The requirements that the run was asked to test. */
export const selected = (results: readonly RequirementResult[]): readonly RequirementResult[] =>
  results.filter(({ verdict, reasonCode }) => verdict !== 'skipped' || !unselectedCodes.includes(reasonCode));

export interface Group {
  /** The part of its requirements' ids before the number. */
  readonly id: string;
  readonly title: string;
  readonly results: readonly RequirementResult[];
}

/** Requirements by group, both in the order in which they come. */
export const groups = (results: readonly RequirementResult[]): readonly Group[] =>
  [...Map.groupBy(results, (result) => groupOf(result.id))].map(([id, members]) => ({
    id,
    title: titleOfGroup(id),
    results: members,
  }));

export interface Judged {
  readonly verdict: 'conformant' | 'nonconformant' | 'not-judged';
  readonly requirements: readonly RequirementResult[];
  /** Why the run ended before everything was judged; null: it did not. */
  readonly ended: string | null;
  readonly endedCode?: ReasonCode;
}

/** A conforming server, and yet a run that is no success: the list of known failures, or the suite itself, is at fault. */
const passedWithCaveat = ({ verdict, requirements }: Judged): boolean =>
  verdict === 'conformant' &&
  (requirements.some(isUnexpectedPass) || withVerdict(requirements, 'error').length > 0);

/** Whoever reads the first line alone is not to take for conforming what was hardly judged. */
const isWhole = ({ requirements, ended }: Judged): boolean =>
  ended === null &&
  withVerdict(requirements, 'inconclusive').length <= withVerdict(requirements, 'passed').length;

/** Nothing speaks against the server, and that says little. */
export const hasLowCoverage = (run: Judged): boolean => run.verdict === 'conformant' && !isWhole(run);

/** Nothing speaks against the server, and yet the run is no success, or judged little. */
export const needsCaution = (run: Judged): boolean => passedWithCaveat(run) || hasLowCoverage(run);

type Open = Pick<Judged, 'requirements' | 'ended'>;

const demanded = (results: readonly RequirementResult[]) => results.filter(({ level }) => level === 'MUST');

/** What the document demands and the run did not come to before it ended. */
export const notReached = ({ requirements, ended }: Open): readonly RequirementResult[] =>
  ended === null
    ? []
    : demanded(withVerdict(requirements, 'skipped')).filter(
        ({ reasonCode }) => reasonCode === 'interrupted' || reasonCode === 'run-ended',
      );

/** What the document demands and the settings left out. What is not due, such as a removal that is still ahead, names no setting. */
export const limitedBySettings = ({ requirements }: Open): readonly RequirementResult[] =>
  demanded(withVerdict(requirements, 'skipped', 'inconclusive')).filter(
    ({ reasonCode }) => settingsFor(reasonCode).length > 0,
  );

/** What the document demands and this run gave no result for. What applies only later does not count. */
export const withoutResult = (run: Open): ReadonlySet<RequirementResult> =>
  new Set([
    ...limitedBySettings(run),
    ...notReached(run),
    ...demanded(withVerdict(run.requirements, 'inconclusive')),
  ]);

/** What a run is not judged for. */
type NotJudgedReason = 'the target' | 'interrupted' | 'nothing selected';

/** Why a run is not judged. Parts of a run, put together, may have judged something, and yet not been able to judge the target. */
export const whyNotJudged = (run: Judged): NotJudgedReason => {
  if (isInterrupted(run)) return 'interrupted';
  return isUnjudgeable(run) || run.requirements.some(isJudged) ? 'the target' : 'nothing selected';
};

/** Not judged, and not for the target's sake: nothing speaks against it. */
const isUndecided = (run: Judged): boolean =>
  run.verdict === 'not-judged' && whyNotJudged(run) !== 'the target';

/** Nothing speaks against the server, so what was not tried is of weight. */
export const hasNoFailure = (run: Judged): boolean => run.verdict === 'conformant' || isUndecided(run);
