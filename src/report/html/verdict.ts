import { settingsFor } from '../../oracle/reason.ts';
import { isUnjudgeable, type Outcome, type RequirementResult } from '../../run/outcome.ts';
import { headline } from '../headline.ts';
import { idsOf, verbFor } from '../not-tested.ts';
import type { ShownVerdict } from '../text/shown-verdicts.ts';
import { count, counted } from '../text/units.ts';
import { hasLowCoverage, isUnexpectedPass, withVerdict } from '../verdicts.ts';

export interface VerdictText {
  readonly sign: ShownVerdict;
  readonly title: string;
  readonly lead: string;
}

const sentence = (reason: string): string =>
  `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`;

const withoutFailures = (outcome: Outcome): VerdictText => {
  const known = withVerdict(outcome.requirements, 'known').length;
  const [passing] = outcome.requirements.filter(isUnexpectedPass);
  if (passing !== undefined)
    return {
      sign: 'warned',
      title: `Run failed: ${passing.id} is listed as a known failure but passes now`,
      lead: 'No requirement failed. Update the list of known failures.',
    };
  if (hasLowCoverage(outcome))
    return {
      sign: 'inconclusive',
      title: 'No failures so far',
      lead: 'Too little was tested to call the server conformant.',
    };
  return {
    sign: 'passed',
    title: known === 0 ? 'No failures' : `No failures except ${counted(known, 'known failure')}`,
    lead: known === 0 ? 'Every tested requirement passed.' : 'Every other tested requirement passed.',
  };
};

/** The verdict in plain words, for readers who read nothing else. */
export const verdictText = (outcome: Outcome): VerdictText => {
  const { requirements, verdict, ended } = outcome;
  const failed = withVerdict(requirements, 'failed').length;
  const errors = withVerdict(requirements, 'error').length;
  if (failed > 0)
    return {
      sign: 'failed',
      title: `${count(failed)} of ${counted(requirements.length, 'requirement')} failed`,
      lead: 'Clients that follow the interface document may break.',
    };
  if (isUnjudgeable(outcome))
    return { sign: 'inconclusive', title: 'Not judged', lead: sentence(ended ?? '') };
  if (verdict === 'not-judged')
    return {
      sign: 'inconclusive',
      title: headline(outcome),
      lead: 'This run says nothing about the server as a whole.',
    };
  if (errors > 0)
    return {
      sign: 'error',
      title: `The suite itself failed on ${counted(errors, 'requirement')}`,
      lead: 'This says nothing about the server.',
    };
  if (verdict === 'nonconformant')
    return {
      sign: 'warned',
      title: counted(withVerdict(requirements, 'warned').length, 'warning'),
      lead: 'No requirement failed, but --strict treats warnings as failures.',
    };
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
    return [`None of the ${counted(requirements.length, 'requirement')} was tested`];
  const skipped = withVerdict(requirements, 'skipped');
  const inconclusive = withVerdict(requirements, 'inconclusive');
  const of = `of ${count(requirements.length)}`;
  return [
    `${skipped.length} ${of} not tested: ${withOptions(skipped, requirements)}`,
    `${inconclusive.length} ${of} inconclusive: ${withOptions(inconclusive, requirements)}`,
  ].filter((line) => !line.startsWith('0 '));
};
