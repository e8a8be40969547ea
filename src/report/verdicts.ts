import { type EndReason, settingsFor } from '../finding/reason.ts';
import { groupOf } from '../openapi/requirement.ts';
import {
  type AnyResult,
  isDecided,
  isInterrupted,
  isUnexpectedPass,
  isUnjudgeable,
  missesMost,
  type OperationCount,
  type RequirementResult,
} from '../run/outcome.ts';
import { type ShownVerdict, titleOfGroup, verdictNames } from './text/shown-verdicts.ts';

export { isUnexpectedPass };

export const shownVerdictOf = (result: Pick<AnyResult, 'verdict' | 'known'>): ShownVerdict =>
  result.verdict === 'failed' && result.known !== null ? 'known' : result.verdict;

/** The number of requirements by verdict, without verdicts that no requirement has. */
export const countVerdicts = (results: readonly AnyResult[]): ReadonlyMap<ShownVerdict, number> => {
  const counts = new Map<ShownVerdict, number>();
  for (const name of verdictNames) {
    const count = results.filter((result) => shownVerdictOf(result) === name).length;
    if (count > 0) counts.set(name, count);
  }
  return counts;
};

export const withVerdict = <R extends AnyResult>(
  results: readonly R[],
  ...wanted: readonly ShownVerdict[]
): readonly R[] => results.filter((result) => wanted.includes(shownVerdictOf(result)));

/** The requirements that the run selected. */
export const selected = <R extends AnyResult>(results: readonly R[]): readonly R[] =>
  results.filter(({ verdict, reasonCode }) => verdict !== 'skipped' || reasonCode !== 'not-selected');

export interface Group<R extends AnyResult = RequirementResult> {
  /** The part of its requirements' ids before the number. */
  readonly id: string;
  readonly title: string;
  readonly results: readonly R[];
}

/** Requirements by group, both in their order. */
export const groups = <R extends AnyResult>(results: readonly R[]): readonly Group<R>[] =>
  [...Map.groupBy(results, (result) => groupOf(result.id))].map(([id, members]) => ({
    id,
    title: titleOfGroup(id),
    results: members,
  }));

export interface JudgedRun<R extends AnyResult = AnyResult> {
  readonly verdict: 'conformant' | 'nonconformant' | 'not-judged';
  readonly requirements: readonly R[];
  /** Why the run ended early; null: it did not. */
  readonly ended: string | null;
  readonly endedCode?: EndReason['code'];
  readonly silence?: string;
  readonly operations?: OperationCount;
}

/** The server conforms, but the run fails: the list of known failures is outdated, or the suite had errors. */
const passedWithCaveat = ({ verdict, requirements }: JudgedRun): boolean =>
  verdict === 'conformant' &&
  (requirements.some(isUnexpectedPass) || withVerdict(requirements, 'error').length > 0);

/** Whether enough was tested: the headline must not claim conformance after a thin run. */
const isThorough = ({ requirements, ended }: JudgedRun): boolean =>
  ended === null &&
  withVerdict(requirements, 'inconclusive').length <= withVerdict(requirements, 'passed').length;

/** Whether a run without failures tested too little. */
export const hasLowCoverage = (run: JudgedRun): boolean => run.verdict === 'conformant' && !isThorough(run);

/** Whether a run without failures is not a success, or tested too little. */
export const needsCaution = (run: JudgedRun): boolean => passedWithCaveat(run) || hasLowCoverage(run);

type RunResults<R extends AnyResult> = Pick<JudgedRun<R>, 'requirements' | 'ended'>;

export const mustsOf = <R extends AnyResult>(results: readonly R[]): readonly R[] =>
  results.filter(({ level }) => level === 'MUST');

/** The MUSTs that the run did not reach before it ended. */
export const notReached = <R extends AnyResult>({ requirements, ended }: RunResults<R>): readonly R[] =>
  ended === null
    ? []
    : mustsOf(withVerdict(requirements, 'skipped')).filter(
        ({ reasonCode }) => reasonCode === 'interrupted' || reasonCode === 'run-ended',
      );

/** The MUSTs that settings kept from being tested. A requirement that applies only later names no setting. */
export const limitedBySettings = <R extends AnyResult>({ requirements }: RunResults<R>): readonly R[] =>
  mustsOf(withVerdict(requirements, 'skipped', 'inconclusive')).filter(
    ({ reasonCode }) => settingsFor(reasonCode).length > 0,
  );

/** The MUSTs without a result. A requirement that applies only later does not count. */
export const withoutResult = <R extends AnyResult>(run: RunResults<R>): ReadonlySet<R> =>
  new Set([
    ...limitedBySettings(run),
    ...notReached(run),
    ...mustsOf(withVerdict(run.requirements, 'inconclusive')),
  ]);

/** Why a run is not judged. */
type NotJudgedReason = 'unjudgeable' | 'interrupted' | 'operations-missed' | 'nothing-tested';

/** Returns why a run is not judged. Merged shards may have results although one of them could not test the server. */
export const whyNotJudged = (run: JudgedRun): NotJudgedReason => {
  if (isInterrupted(run)) return 'interrupted';
  if (isUnjudgeable(run)) return 'unjudgeable';
  if (!run.requirements.some(isDecided)) return 'nothing-tested';
  return missesMost(run.operations) ? 'operations-missed' : 'unjudgeable';
};

/** Not judged, although the server could be tested: there are no failures. */
const isWithoutResults = (run: JudgedRun): boolean =>
  run.verdict === 'not-judged' && whyNotJudged(run) !== 'unjudgeable';

/** Whether there is no failure, so that reports must name what was not tested. */
export const hasNoFailure = (run: JudgedRun): boolean =>
  run.verdict === 'conformant' || isWithoutResults(run);
