import type { Outcome, RequirementResult } from '../run/outcome.ts';
import { diagnosis } from './diagnosis.ts';
import { summaryLine } from './group-failures.ts';
import { headline } from './headline.ts';
import { notTested } from './not-tested.ts';
import { rootCauses } from './root-causes.ts';
import { byBlockedCount } from './sort-failures.ts';
import { escapeMarkdown, shorten } from './text/escape.ts';
import { effectText, rootCauseText } from './text/root-causes.ts';
import { shownVerdicts } from './text/shown-verdicts.ts';
import { counted, duration, moment, whatWasCreated } from './text/units.ts';
import { countVerdicts, hasNoFailure, isUnexpectedPass, needsCaution, withVerdict } from './verdicts.ts';

const MOST_FAILURES = 10;
const MOST_OTHERS = 4;

const cell = (text: string): string => escapeMarkdown(shorten(text, 160));

const causeOf = (result: RequirementResult): string => summaryLine(result.failures) ?? result.reason ?? '';

const failureTable = (failed: readonly RequirementResult[]): readonly string[] => {
  if (failed.length === 0) return [];
  const rows = failed
    .slice(0, MOST_FAILURES)
    .map((result) => `| ${cell(result.id)} | ${cell(result.statement)} | ${cell(causeOf(result))} |`);
  const rest = failed.length - rows.length;
  return [
    '',
    '| | requirement | failure |',
    '|---|---|---|',
    ...rows,
    ...(rest > 0 ? [`| … | ${rest} more in index.html | |`] : []),
  ];
};

const fixFirst = (outcome: Outcome): readonly string[] => {
  const causes = rootCauses(outcome);
  return causes.length === 0
    ? []
    : [
        '',
        '**Fix first**',
        '',
        ...causes.map((cause) => `1. ${cell(rootCauseText(cause))} (${cell(effectText(cause))})`),
      ];
};

/** One line a kind, so that many of them do not push the failures out of sight. */
const listed = (
  title: string,
  results: readonly RequirementResult[],
  say: (result: RequirementResult) => string,
) => {
  if (results.length === 0) return [];
  const shown = results.slice(0, MOST_OTHERS).map((result) => `${cell(result.id)} (${cell(say(result))})`);
  const rest = results.length - shown.length;
  return ['', `**${title}:** ${shown.join('; ')}${rest > 0 ? `; ${rest} more in index.html` : ''}`];
};

const facts = (outcome: Outcome): string =>
  [
    `${outcome.target.reference ? 'the built-in reference server' : cell(outcome.target.baseUrl)}`,
    ...(outcome.target.plan === null ? [] : [`plan ${cell(outcome.target.plan)}`]),
    cell(moment(outcome.startedAt)),
    duration(outcome.durationMs),
    counted(outcome.traffic.requests, 'request'),
    whatWasCreated(outcome),
    `seed ${outcome.seed}`,
  ].join(' · ');

/** What a reviewer needs to know, in at most 40 lines of GitHub's Markdown. */
export const summaryMarkdown = (outcome: Outcome): string => {
  const counts = [...countVerdicts(outcome.requirements)].map(
    ([standing, number]) => `${number} ${shownVerdicts[standing].word}`,
  );
  const missing = notTested(outcome);
  const mark = needsCaution(outcome)
    ? '⚠️'
    : { conformant: '✅', nonconformant: '❌', 'not-judged': '⚠️' }[outcome.verdict];
  const lines = [
    `## ${mark} ${headline(outcome)}`,
    '',
    facts(outcome),
    '',
    `**Requirements:** ${counts.join(', ')}`,
    ...(outcome.ended === null ? [] : ['', `**Ended early:** ${cell(outcome.ended)}`]),
    ...(missing === null || !hasNoFailure(outcome) ? [] : ['', `**Not tested:** ${escapeMarkdown(missing)}`]),
    ...[diagnosis(outcome)].filter((text) => text !== null).flatMap((text) => ['', cell(text)]),
    ...fixFirst(outcome),
    ...failureTable(byBlockedCount(withVerdict(outcome.requirements, 'failed'), outcome.requirements)),
    ...listed('Errors in the suite', withVerdict(outcome.requirements, 'error'), causeOf),
    ...listed(
      'Known failures that pass now',
      outcome.requirements.filter(isUnexpectedPass),
      ({ known }) => known ?? '',
    ),
    ...listed('Known failures', withVerdict(outcome.requirements, 'known'), ({ known }) => known ?? ''),
    ...listed('Warnings', withVerdict(outcome.requirements, 'warned'), causeOf),
    ...listed(
      'Inconclusive',
      withVerdict(outcome.requirements, 'inconclusive'),
      ({ reason }) => reason ?? '',
    ),
  ];
  return `${lines.join('\n')}\n`;
};
