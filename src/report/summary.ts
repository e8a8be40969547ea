import { type Failure, isUnjudgeable, type Outcome, type RequirementResult } from '../run/outcome.ts';
import { diagnosis } from './diagnosis.ts';
import { summaryLine } from './group-failures.ts';
import { countsText, headline } from './headline.ts';
import { notTested } from './not-tested.ts';
import { byRootCause, rootCauses, shownFailure } from './root-causes.ts';
import { byBlockedCount } from './sort-failures.ts';
import { escapeMarkdown, markdownCode, shorten } from './text/escape.ts';
import { effectText, type RootCause, rootCauseText } from './text/root-causes.ts';
import { counted, duration, moment, whatWasCreated } from './text/units.ts';
import { hasNoFailure, isUnexpectedPass, needsCaution, withVerdict } from './verdicts.ts';

const MOST_OTHERS = 4;
/** A longer command contains a huge input, and is only in the page: GitHub shows no summary above 1 MiB. */
const LONGEST_COMMAND = 2_000;

const cell = (text: string): string => escapeMarkdown(shorten(text, 160));

const causeOf = (result: RequirementResult): string => summaryLine(result.failures) ?? result.reason ?? '';

const replayOf = (failure: Failure | undefined): readonly string[] => {
  if (failure === undefined) return [];
  return [failure.replay.length > LONGEST_COMMAND ? 'replay: see index.html' : markdownCode(failure.replay)];
};

const failureItem = (result: RequirementResult, causes: readonly RootCause[]): string =>
  [`- **${cell(result.id)}** ${cell(causeOf(result))}`, ...replayOf(shownFailure(result, causes))].join(
    '<br>',
  );

/** What to fix first, then every failed requirement with its replay command. */
const failures = (outcome: Outcome): readonly string[] => {
  const causes = rootCauses(outcome);
  const failed = byRootCause(
    byBlockedCount(withVerdict(outcome.requirements, 'failed'), outcome.requirements),
    causes,
  );
  const first = causes.map(
    (cause, index) => `${index + 1}. ${cell(rootCauseText(cause))} (${cell(effectText(cause))})`,
  );
  return [
    ...(first.length === 0 ? [] : ['', '**Fix first**', '', ...first]),
    ...(failed.length === 0
      ? []
      : ['', '**Failed requirements, with the command that repeats the failure**', '']),
    ...failed.map((result) => failureItem(result, causes)),
  ];
};

/** Lists results of one kind in one line, so that the failures stay in sight. */
const briefList = (
  title: string,
  results: readonly RequirementResult[],
  textOf: (result: RequirementResult) => string,
) => {
  if (results.length === 0) return [];
  const shown = results.slice(0, MOST_OTHERS).map((result) => `${cell(result.id)} (${cell(textOf(result))})`);
  const rest = results.length - shown.length;
  return ['', `**${title}:** ${shown.join('; ')}${rest > 0 ? `; ${rest} more in index.html` : ''}`];
};

const facts = (outcome: Outcome): string =>
  [
    outcome.target.reference ? 'the built-in reference server' : markdownCode(outcome.target.baseUrl),
    ...(outcome.target.plan === null ? [] : [`plan ${cell(outcome.target.plan)}`]),
    cell(moment(outcome.startedAt)),
    duration(outcome.durationMs),
    counted(outcome.traffic.requests, 'request'),
    whatWasCreated(outcome),
    `seed ${outcome.seed}`,
  ].join(' · ');

/** What a reviewer needs to know, in GitHub's Markdown. */
export const summaryMarkdown = (outcome: Outcome): string => {
  const missing = notTested(outcome);
  const mark = needsCaution(outcome)
    ? '⚠️'
    : { conformant: '✅', nonconformant: '❌', 'not-judged': '⚠️' }[outcome.verdict];
  const lines = [
    `## ${mark} ${headline(outcome)}`,
    '',
    facts(outcome),
    '',
    `**Requirements:** ${countsText(outcome.requirements)}`,
    ...(outcome.ended === null
      ? []
      : ['', `**${isUnjudgeable(outcome) ? 'Not tested' : 'Ended early'}:** ${cell(outcome.ended)}`]),
    ...(missing === null || !hasNoFailure(outcome) ? [] : ['', `**Not tested:** ${escapeMarkdown(missing)}`]),
    ...[diagnosis(outcome)].filter((text) => text !== null).flatMap((text) => ['', cell(text)]),
    ...failures(outcome),
    ...briefList('Errors in the suite', withVerdict(outcome.requirements, 'error'), causeOf),
    ...briefList(
      'Known failures that pass now',
      outcome.requirements.filter(isUnexpectedPass),
      ({ known }) => known ?? '',
    ),
    ...briefList('Known failures', withVerdict(outcome.requirements, 'known'), ({ known }) => known ?? ''),
    ...briefList('Warnings', withVerdict(outcome.requirements, 'warned'), causeOf),
    ...briefList(
      'Inconclusive',
      withVerdict(outcome.requirements, 'inconclusive'),
      ({ reason }) => reason ?? '',
    ),
  ];
  return `${lines.join('\n')}\n`;
};
