import { basename } from 'node:path';
import { diagnosis } from '../../report/diagnosis.ts';
import { briefText, commandLine, failureText } from '../../report/failure-text.ts';
import type { WrittenReport } from '../../report/files.ts';
import { groupFailures, summaryLine } from '../../report/group-failures.ts';
import { countsText, headline } from '../../report/headline.ts';
import { likelyBug } from '../../report/likely-bugs.ts';
import { idsOf, notTested, withShortReasons } from '../../report/not-tested.ts';
import { type Paint, painter } from '../../report/paint.ts';
import { effectText, type RootCause, rootCauses, rootCauseText } from '../../report/root-causes.ts';
import { blockedBy, byBlockedCount } from '../../report/sort-failures.ts';
import { oneLine, shorten } from '../../report/text/escape.ts';
import { passesNow, type ShownVerdict, shownVerdicts } from '../../report/text/shown-verdicts.ts';
import { failureLabels as labels, seenText } from '../../report/text/steps.ts';
import { totalsWords, summaryWords as words } from '../../report/text/summary.ts';
import { capitalized, count, whatWasCreated } from '../../report/text/units.ts';
import {
  hasNoFailure,
  isUnexpectedPass,
  needsCaution,
  selected,
  withVerdict,
} from '../../report/verdicts.ts';
import {
  type Failure,
  isOfServer,
  isUnjudgeable,
  type Outcome,
  type RequirementResult,
} from '../../run/outcome.ts';
import { clearedBy, explains, isNamedByRootCause } from './cleared-by.ts';

const longestLine = 160;
const mostDetailed = 3;
const mostOperations = 5;

interface Showing {
  readonly color: boolean;
  readonly paint: Paint;
  /** Every failure and observation in full. */
  readonly verbose: boolean;
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

const line = (text: string): string => shorten(oneLine(text), longestLine);

const sortedFailures = ({ requirements }: Outcome): readonly RequirementResult[] =>
  byBlockedCount(withVerdict(requirements, 'failed'), requirements);

const rootCauseLines = (cause: RootCause, index: number): readonly string[] => [
  `  ${index + 1}. ${oneLine(rootCauseText(cause))}`,
  `     ${oneLine(effectText(cause))}`,
  ...(cause.kind === 'request' ? [`     ${commandLine(labels.curl, cause.culprit.curl).trim()}`] : []),
];

const failedText = (result: RequirementResult, causes: readonly RootCause[], outcome: Outcome): string => {
  const numbers = clearedBy(result, causes);
  const isOpen = (failure: Failure): boolean => !causes.some((cause) => explains(cause, failure));
  const shown = numbers.length > 0 ? result.failures : result.failures.filter(isOpen);
  const [first] = shown;
  const isPart = causes.some(({ partly }) => partly.some((failure) => shown.includes(failure)));
  const bug = first === undefined || numbers.length > 0 ? null : likelyBug(result, first, outcome);
  const text =
    bug === null ? line(summaryLine(shown) ?? result.reason ?? result.statement) : oneLine(bug.text);
  const often = first === undefined || !isOfServer(first) ? null : seenText(first);
  return [
    ...(numbers.length === 0 ? [] : [words.fixes(numbers, isPart)]),
    text,
    ...(often === null ? [] : [`(${often})`]),
  ].join(' ');
};

const widthOf = (results: readonly RequirementResult[]): number =>
  Math.max(0, ...results.map(({ id }) => id.length)) + 2;

/** Returns every failure of a requirement in full. */
const fullTexts = (result: RequirementResult, outcome: Outcome, color: boolean): readonly string[] => {
  const blocked = blockedBy(result.id, outcome.requirements);
  return result.failures.flatMap((failure) => ['', failureText(result, failure, { color, blocked })]);
};

interface Detail {
  readonly result: RequirementResult;
  readonly failure: Failure;
}

/** Returns the failures to show in detail: first of root causes, then failures that no root cause clears. */
const failuresInDetail = (outcome: Outcome, causes: readonly RootCause[]): readonly Detail[] => {
  const failed = sortedFailures(outcome);
  const leading = causes.flatMap((cause) =>
    cause.kind === 'failure'
      ? failed
          .filter(({ id }) => id === cause.requirement)
          .map((result) => ({ result, failure: cause.failure }))
      : [],
  );
  const isShown = (failure: Failure): boolean =>
    causes.some(({ sameBody }) => sameBody.some((each) => each.failure === failure));
  const open = failed.filter(
    (result) => clearedBy(result, causes).length === 0 && leading.every((each) => each.result !== result),
  );
  const others = open.flatMap((result) =>
    result.failures
      .filter((failure) => !isShown(failure))
      .slice(0, 1)
      .map((failure) => ({ result, failure })),
  );
  return [...leading, ...others].slice(0, mostDetailed);
};

/** With more lines above them, details have none for what was expected and what came: a summary should fit on a screen. */
const mostLinesAbove = 23;

const details = (
  outcome: Outcome,
  causes: readonly RootCause[],
  { color, verbose }: Showing,
  linesAbove: number,
) => {
  if (verbose) return sortedFailures(outcome).flatMap((result) => fullTexts(result, outcome, color));
  const compares = linesAbove <= mostLinesAbove;
  const chosen = failuresInDetail(outcome, causes);
  const all = withVerdict(outcome.requirements, 'failed').flatMap((result) => result.failures).length;
  const hidden = all - chosen.length;
  return [
    ...chosen.flatMap(({ result, failure }) => ['', briefText(result, failure, { color, compares })]),
    ...(hidden > 0 ? ['', words.moreFailures(hidden)] : []),
  ];
};

const failures = (outcome: Outcome, showing: Showing): readonly string[] => {
  const { paint } = showing;
  const causes = rootCauses(outcome);
  const others = sortedFailures(outcome).filter((result) => !isNamedByRootCause(result, causes));
  const width = widthOf(others);
  const named = [
    ...section(paint('bold', words.fixFirst), causes.flatMap(rootCauseLines)),
    ...section(
      paint('bold', causes.length === 0 ? words.failed : words.otherFailed),
      others.map(
        (result) =>
          `  ${paint('red', `${shownVerdicts.failed.sign} ${result.id}`.padEnd(width))}  ${failedText(result, causes, outcome)}`,
      ),
    ),
  ];
  return [...named, ...details(outcome, causes, showing, named.length)];
};

const warningDetails = (failure: Failure): readonly string[] => [
  `      ${labels.expected.padEnd(10)}${line(failure.expected)}`,
  `      ${labels.actual.padEnd(10)}${line(failure.actual)}`,
  ...(isOfServer(failure) ? [`      ${labels.replay.padEnd(10)}${oneLine(failure.replay)}`] : []),
];

const warningLines = (result: RequirementResult, { verbose, paint }: Showing): readonly string[] => [
  `  ${paint('yellow', `! ${result.id}`)}  ${line(summaryLine(result.failures) ?? result.statement)}`,
  ...(result.known === null ? [] : [`      ${words.knownAs(line(result.known))}`]),
  ...(verbose ? groupFailures(result.failures).flatMap(({ failure }) => warningDetails(failure)) : []),
];

/** Returns one line for each reason, with all its requirements. */
const byReason = (some: readonly RequirementResult[], all: readonly RequirementResult[]): readonly string[] =>
  [...Map.groupBy(some, ({ reason }) => reason ?? words.noReason)].map(
    ([reason, members]) => `  ${idsOf(members, all)}: ${oneLine(reason)}`,
  );

/** Returns the requirements with a verdict: in one line, or with their whole reasons. */
const withVerdictLines = (verdict: ShownVerdict, outcome: Outcome, { verbose, paint }: Showing) => {
  const members = withVerdict(selected(outcome.requirements), verdict);
  if (members.length === 0) return [];
  const { word } = shownVerdicts[verdict];
  const title = capitalized(word);
  if (verbose) return section(paint('bold', title), byReason(members, outcome.requirements));
  const listed = verdict === 'inconclusive' ? withShortReasons : idsOf;
  return [`${title.padEnd(14)}${members.length}: ${listed(members, outcome.requirements)}`];
};

const observationLines = ({ observations }: Outcome, { verbose, paint }: Showing) => {
  if (observations.length === 0) return [];
  return verbose
    ? section(
        paint('bold', `${words.observations} ${words.unspecified}`),
        observations.map(({ id, subject, value }) => `  ${id} ${oneLine(`${subject}: ${value}`)}`),
      )
    : [`${words.observations.padEnd(14)}${count(observations.length)} ${words.unspecified}`];
};

const knownFailureLines = ({ requirements }: Outcome, { paint }: Showing): readonly string[] => [
  ...withVerdict(requirements, 'known').map((result) => `  ${result.id}: ${line(result.known ?? '')}`),
  ...requirements.filter(isUnexpectedPass).map(({ id }) => `  ${paint('red', id)} ${passesNow()}`),
];

const reportLines = ([page, ...others]: Options['reports']): readonly string[] =>
  page === undefined
    ? []
    : [
        `${totalsWords.reports.padEnd(14)}${[words.report(page.path, page.for), ...others.map(({ path, for: use }) => words.otherReport(basename(path), use))].join(', ')}`,
      ];

/** The operations of another API that got a request, and why the first others did not. */
const operationLines = ({ operations }: Outcome): readonly string[] =>
  operations === undefined
    ? []
    : [
        `${totalsWords.operations.padEnd(14)}${words.requested(operations)}`,
        ...operations.notRequested.slice(0, mostOperations).map((reason) => `  ${line(reason)}`),
      ];

const totals = (outcome: Outcome, reports: Options['reports']): readonly string[] => {
  const { traffic, durationMs, seed } = outcome;
  return [
    `${totalsWords.requirements.padEnd(14)}${countsText(outcome.requirements)}`,
    ...operationLines(outcome),
    `${totalsWords.traffic.padEnd(14)}${words.traffic(traffic, durationMs, whatWasCreated(outcome), seed)}`,
    ...reportLines(reports),
  ];
};

const verdictLine = (outcome: Outcome, { paint }: Showing): string => {
  const tone = { conformant: 'green', nonconformant: 'red', 'not-judged': 'yellow' } as const;
  const target = outcome.target.reference ? words.reference : oneLine(outcome.target.baseUrl);
  const shade = needsCaution(outcome) ? 'yellow' : tone[outcome.verdict];
  return `${paint([shade, 'bold'], headline(outcome))} - ${target}`;
};

/** Shown beside a verdict without failures. */
const notTestedLines = (outcome: Outcome): readonly string[] =>
  [notTested(outcome)].filter((text) => text !== null).map((text) => `${words.notTested}: ${oneLine(text)}`);

/** Why a run ended early, or tested nothing. It is not cut, because it says what to do. */
const endLines = (outcome: Outcome): readonly string[] =>
  outcome.ended === null
    ? []
    : [`${isUnjudgeable(outcome) ? words.notTested : words.endedEarly}: ${oneLine(outcome.ended)}`];

const otherSections = (outcome: Outcome, showing: Showing): readonly string[] => {
  const { requirements } = outcome;
  const { paint } = showing;
  return [
    ...section(
      paint('bold', words.suiteErrorsOnly),
      withVerdict(requirements, 'error').map((result) => `  ${result.id}: ${line(result.reason ?? '')}`),
    ),
    ...section(paint('bold', words.known), knownFailureLines(outcome, showing)),
    ...(hasShortWarnings(outcome, showing)
      ? []
      : section(
          paint('bold', words.warnings),
          withVerdict(requirements, 'warned').flatMap((result) => warningLines(result, showing)),
        )),
  ];
};

/** Whether there are failures, so that warnings get only one line. */
const hasShortWarnings = ({ requirements }: Outcome, { verbose }: Showing): boolean =>
  !verbose && withVerdict(requirements, 'failed').length > 0;

/** Returns what did not fail, in short. A run that tested nothing has one reason, and no lists. */
const shortLines = (outcome: Outcome, showing: Showing): readonly string[] =>
  isUnjudgeable(outcome)
    ? []
    : [
        ...(hasShortWarnings(outcome, showing) ? withVerdictLines('warned', outcome, showing) : []),
        ...observationLines(outcome, showing),
        ...withVerdictLines('inconclusive', outcome, showing),
        ...withVerdictLines('skipped', outcome, showing),
      ];

interface Options {
  readonly color: boolean;
  readonly verbose?: boolean;
  readonly reports: readonly Pick<WrittenReport, 'path' | 'for'>[];
}

/**
 * The result of a run, for a terminal or a log: the verdict, what to fix first, each failed requirement in a line, details of the first
 * three, then totals and the paths of the reports. Text from the server is escaped, so that it cannot control the terminal.
 */
export const summaryText = (outcome: Outcome, { color, verbose = false, reports }: Options): string => {
  const showing = { color, verbose, paint: painter(color) };
  return [
    '',
    verdictLine(outcome, showing),
    ...endLines(outcome),
    ...(hasNoFailure(outcome) ? notTestedLines(outcome) : []),
    ...[diagnosis(outcome)].filter((text) => text !== null).map(oneLine),
    ...failures(outcome, showing),
    ...otherSections(outcome, showing),
    '',
    ...shortLines(outcome, showing),
    ...totals(outcome, reports),
    '',
  ].join('\n');
};
