import { settingsFor } from '../../oracle/reason.ts';
import { isUnjudgeable, type Outcome, type RequirementResult } from '../../run/outcome.ts';
import { headline } from '../headline.ts';
import { idsOf, verbFor } from '../not-tested.ts';
import { untestedWords, type VerdictWords, verdictWords } from '../text/page.ts';
import type { ShownVerdict } from '../text/shown-verdicts.ts';
import { hasLowCoverage, isUnexpectedPass, withVerdict } from '../verdicts.ts';

export interface VerdictText extends VerdictWords {
  readonly sign: ShownVerdict;
}

const withoutFailures = (outcome: Outcome): VerdictText => {
  const [passing] = outcome.requirements.filter(isUnexpectedPass);
  if (passing !== undefined) return { sign: 'warned', ...verdictWords.knownFailurePasses(passing.id) };
  if (hasLowCoverage(outcome)) return { sign: 'inconclusive', ...verdictWords.lowCoverage() };
  return { sign: 'passed', ...verdictWords.passed(withVerdict(outcome.requirements, 'known').length) };
};

/** The verdict in plain words, for readers who read nothing else. */
export const verdictText = (outcome: Outcome): VerdictText => {
  const { requirements, verdict, ended } = outcome;
  const failed = withVerdict(requirements, 'failed').length;
  const errors = withVerdict(requirements, 'error').length;
  const warned = withVerdict(requirements, 'warned').length;
  if (failed > 0) return { sign: 'failed', ...verdictWords.failed(failed, requirements.length) };
  if (isUnjudgeable(outcome)) return { sign: 'inconclusive', ...verdictWords.unjudgeable(ended ?? '') };
  if (verdict === 'not-judged') return { sign: 'inconclusive', ...verdictWords.notJudged(headline(outcome)) };
  if (errors > 0) return { sign: 'error', ...verdictWords.errors(errors) };
  if (verdict === 'nonconformant') return { sign: 'warned', ...verdictWords.strict(warned) };
  return withoutFailures(outcome);
};

const LONGEST_REASON = 70;

/** The options that may give a result, as code. */
const optionsFor = ({ reasonCode }: RequirementResult): string =>
  settingsFor(reasonCode)
    .map((option) => `\`${option}\``)
    .join(', ');

/** A reason after ids, in parentheses. */
const aside = (reason: string): string => reason.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** `RATE-5 to RATE-9 (need --rate-limit-key), GET-5`: requirements without a result, with the options that matter. */
const withOptions = (untested: readonly RequirementResult[], all: readonly RequirementResult[]): string =>
  [...Map.groupBy(untested, optionsFor)]
    .map(([options, members]) => {
      const ids = idsOf(members, all);
      if (options !== '') return `${ids} (${verbFor(members)} ${options})`;
      const [first, ...others] = new Set(members.map(({ reason }) => reason));
      const isShort = first && others.length === 0 && first.length <= LONGEST_REASON;
      return isShort ? `${ids} (${aside(first)})` : ids;
    })
    .join(', ');

/** What was not tested, or tested without a clear result, in a line each. The verdict says why if nothing was. */
export const untestedLines = ({
  requirements,
  ended,
}: Pick<Outcome, 'requirements' | 'ended'>): readonly string[] => {
  if (requirements.every(({ verdict, reason }) => verdict === 'skipped' && reason === ended))
    return [untestedWords.none(requirements.length)];
  return (['skipped', 'inconclusive'] as const).flatMap((verdict) => {
    const members = withVerdict(requirements, verdict);
    return members.length === 0
      ? []
      : [untestedWords[verdict](members.length, requirements.length, withOptions(members, requirements))];
  });
};
