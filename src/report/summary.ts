import {
  type Failure,
  isOfServer,
  isUnjudgeable,
  type Outcome,
  type RequirementResult,
} from '../run/outcome.ts';
import { diagnosis } from './diagnosis.ts';
import { summaryLine } from './group-failures.ts';
import { countsText, headline } from './headline.ts';
import { notTested } from './not-tested.ts';
import {
  byRootCause,
  effectText,
  type RootCause,
  rootCauses,
  rootCauseText,
  shownFailure,
} from './root-causes.ts';
import { byBlockedCount } from './sort-failures.ts';
import { escapeMarkdown, markdownCode, shorten } from './text/escape.ts';
import { totalsWords, summaryWords as words } from './text/summary.ts';
import { counted, duration, moment, whatWasCreated } from './text/units.ts';
import { hasNoFailure, isUnexpectedPass, needsCaution, withVerdict } from './verdicts.ts';

const MOST_OTHERS = 4;
/** A longer command contains a huge input, and is only in the page: GitHub shows no summary above 1 MiB. */
const LONGEST_COMMAND = 2_000;

const cell = (text: string): string => escapeMarkdown(shorten(text, 160));

const causeOf = (result: RequirementResult): string => summaryLine(result.failures) ?? result.reason ?? '';

const replayOf = (failure: Failure | undefined): readonly string[] => {
  if (failure === undefined || !isOfServer(failure)) return [];
  return [failure.replay.length > LONGEST_COMMAND ? words.replayInPage : markdownCode(failure.replay)];
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
    ...(first.length === 0 ? [] : ['', `**${words.fixFirst}**`, '', ...first]),
    ...(failed.length === 0 ? [] : ['', `**${words.failedWithReplay}**`, '']),
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
  return ['', `**${title}:** ${shown.join('; ')}${rest > 0 ? `; ${words.moreInPage(rest)}` : ''}`];
};

const facts = (outcome: Outcome): string =>
  [
    outcome.target.reference ? words.reference : markdownCode(outcome.target.baseUrl),
    ...(outcome.target.plan === null ? [] : [words.plan(cell(outcome.target.plan))]),
    cell(moment(outcome.startedAt)),
    duration(outcome.durationMs),
    counted(outcome.traffic.requests, 'request'),
    whatWasCreated(outcome),
    words.seed(outcome.seed),
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
    `**${totalsWords.requirements}:** ${countsText(outcome.requirements)}`,
    ...(outcome.operations === undefined
      ? []
      : ['', `**${totalsWords.operations}:** ${words.requested(outcome.operations)}`]),
    ...(outcome.ended === null
      ? []
      : ['', `**${isUnjudgeable(outcome) ? words.notTested : words.endedEarly}:** ${cell(outcome.ended)}`]),
    ...(missing === null || !hasNoFailure(outcome)
      ? []
      : ['', `**${words.notTested}:** ${escapeMarkdown(missing)}`]),
    ...[diagnosis(outcome)].filter((text) => text !== null).flatMap((text) => ['', cell(text)]),
    ...failures(outcome),
    ...briefList(words.suiteErrors, withVerdict(outcome.requirements, 'error'), causeOf),
    ...briefList(
      words.knownPassing,
      outcome.requirements.filter(isUnexpectedPass),
      ({ known }) => known ?? '',
    ),
    ...briefList(words.known, withVerdict(outcome.requirements, 'known'), ({ known }) => known ?? ''),
    ...briefList(words.warnings, withVerdict(outcome.requirements, 'warned'), causeOf),
    ...briefList(
      words.inconclusive,
      withVerdict(outcome.requirements, 'inconclusive'),
      ({ reason }) => reason ?? '',
    ),
  ];
  return `${lines.join('\n')}\n`;
};
