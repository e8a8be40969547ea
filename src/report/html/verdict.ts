import { settingsFor } from '../../finding/reason.ts';
import { isUnjudgeable, type Outcome, type RequirementResult } from '../../run/outcome.ts';
import { headline } from '../headline.ts';
import { idsOf, verbFor } from '../not-tested.ts';
import { verdictLeads as leads, verdictTitles as titles, untestedWords as words } from '../text/page.ts';
import type { ShownVerdict } from '../text/shown-verdicts.ts';
import { hasLowCoverage, isUnexpectedPass, withVerdict } from '../verdicts.ts';

export interface VerdictText {
  readonly sign: ShownVerdict;
  readonly title: string;
  readonly lead: string;
}

const withoutFailures = (outcome: Outcome): VerdictText => {
  const [passing] = outcome.requirements.filter(isUnexpectedPass);
  const known = withVerdict(outcome.requirements, 'known').length;
  if (passing !== undefined)
    return { sign: 'warned', title: titles.knownFailurePasses(passing.id), lead: leads.knownFailurePasses };
  return hasLowCoverage(outcome)
    ? { sign: 'inconclusive', title: titles.lowCoverage, lead: leads.lowCoverage }
    : { sign: 'passed', title: titles.passed(known), lead: leads.passed(known) };
};

/** The verdict in plain words, for readers who read nothing else. */
export const verdictText = (outcome: Outcome): VerdictText => {
  const { requirements, verdict, ended } = outcome;
  const numberOf = (shown: ShownVerdict) => withVerdict(requirements, shown).length;
  const [failed, errors] = [numberOf('failed'), numberOf('error')];
  if (failed > 0)
    return {
      sign: 'failed',
      title: titles.failed(failed, requirements.length),
      lead: outcome.clients === undefined ? leads.failed : leads.failedClient,
    };
  if (isUnjudgeable(outcome))
    return { sign: 'inconclusive', title: titles.unjudgeable, lead: leads.unjudgeable(ended ?? '') };
  if (verdict === 'not-judged')
    return { sign: 'inconclusive', title: headline(outcome), lead: leads.notJudged };
  if (errors > 0) return { sign: 'error', title: titles.errors(errors), lead: leads.errors };
  if (verdict === 'nonconformant')
    return { sign: 'warned', title: titles.strict(numberOf('warned')), lead: leads.strict };
  return withoutFailures(outcome);
};

type Run = Pick<Outcome, 'requirements' | 'ended' | 'settings' | 'shard'>;

const LONGEST_REASON = 70;
/** With more reasons, the section of what was not tested has them. */
const MOST_REASONS = 2;

/** The options that may give a result, as code. */
const optionsFor = ({ reasonCode }: RequirementResult): string =>
  settingsFor(reasonCode)
    .map((option) => `\`${option}\``)
    .join(', ');

/** A reason after ids, in parentheses. */
const aside = (reason: string): string => reason.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** Requirements that no option helps, with their reasons if these are few and short. */
const withReasons = (members: readonly RequirementResult[], all: readonly RequirementResult[]): string => {
  const byReason = [
    ...Map.groupBy(members, ({ reason, reasonCode }) => (reasonCode === 'interrupted' ? reasonCode : reason)),
  ];
  return byReason.length <= MOST_REASONS &&
    byReason.every(([reason]) => (reason?.length ?? Infinity) <= LONGEST_REASON)
    ? byReason.map(([reason, same]) => `${idsOf(same, all)} (${aside(reason ?? '')})`).join(', ')
    : idsOf(members, all);
};

/** `RATE-5 to RATE-9 (need --rate-limit-key), LIST-2`: requirements without a result, with the options that matter. */
const withOptions = (untested: readonly RequirementResult[], all: readonly RequirementResult[]): string =>
  [...Map.groupBy(untested, optionsFor)]
    .map(([options, members]) =>
      options === '' ? withReasons(members, all) : `${idsOf(members, all)} (${verbFor(members)} ${options})`,
    )
    .join(', ');

const isNotYet = ({ reasonCode }: RequirementResult): boolean => reasonCode === 'before-removal';

/** What other runs test: requirements that apply only later, that were not selected, or that are in other shards. */
const ofOtherRuns = ({ requirements, settings, shard }: Run, unselected: number): readonly string[] => {
  const notYet = requirements.filter(isNotYet);
  const options = Object.entries(settings ?? {})
    .filter(([name]) => name === 'only' || name === 'skip')
    .flatMap(([name, ids]) => [ids].flat().map((id) => `\`--${name} ${id}\``));
  return [
    ...(notYet.length === 0
      ? []
      : [words.notYet(idsOf(notYet, requirements), aside(notYet[0]?.reason ?? ''))]),
    ...(unselected === 0
      ? []
      : [words.unselected(unselected, requirements.length + unselected, options.join(' '))]),
    ...(shard === undefined ? [] : [words.shard(shard.index, shard.of)]),
  ];
};

/** What was not tested, or tested without a clear result, in a line each. The verdict says why if nothing was. */
export const untestedLines = (run: Run, unselected: number): readonly string[] => {
  const { requirements, ended } = run;
  if (requirements.every(({ verdict, reason }) => verdict === 'skipped' && reason === ended))
    return [words.none(requirements.length)];
  const untested = (['skipped', 'inconclusive'] as const).flatMap((verdict) => {
    const members = withVerdict(requirements, verdict).filter((result) => !isNotYet(result));
    return members.length === 0
      ? []
      : [words[verdict](members.length, requirements.length, withOptions(members, requirements))];
  });
  return [...untested, ...ofOtherRuns(run, unselected)];
};
