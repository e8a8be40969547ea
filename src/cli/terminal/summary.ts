import { basename } from 'node:path';
import { diagnosis } from '../../report/diagnosis.ts';
import { briefText, commandLine, failureText } from '../../report/failure-text.ts';
import { groupFailures, summaryLine } from '../../report/group-failures.ts';
import { headline } from '../../report/headline.ts';
import { likelyBugText } from '../../report/likely-bugs.ts';
import { idsOf, notTested } from '../../report/not-tested.ts';
import { type Paint, painter } from '../../report/paint.ts';
import { rootCauses } from '../../report/root-causes.ts';
import { blockedBy, byBlockedCount } from '../../report/sort-failures.ts';
import { oneLine, shorten } from '../../report/text/escape.ts';
import { effectText, type RootCause, rootCauseText } from '../../report/text/root-causes.ts';
import { type ShownVerdict, shownVerdicts } from '../../report/text/shown-verdicts.ts';
import { count, counted, duration, whatWasCreated } from '../../report/text/units.ts';
import {
  countVerdicts,
  hasNoFailure,
  isUnexpectedPass,
  needsCaution,
  withVerdict,
} from '../../report/verdicts.ts';
import { type Failure, isUnjudgeable, type Outcome, type RequirementResult } from '../../run/outcome.ts';

const longestLine = 160;
const mostDetailed = 3;

interface Showing {
  readonly colour: boolean;
  /** Every failure and observation in full. */
  readonly verbose: boolean;
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

const line = (text: string): string => shorten(oneLine(text), longestLine);

const ordered = ({ requirements }: Outcome): readonly RequirementResult[] =>
  byBlockedCount(withVerdict(requirements, 'failed'), requirements);

const rootCauseLines = (cause: RootCause, index: number): readonly string[] => [
  `  ${index + 1}. ${line(rootCauseText(cause))}`,
  `     ${line(effectText(cause))}`,
  ...(cause.kind === 'request' ? [`     ${commandLine('curl', cause.culprit.curl).trim()}`] : []),
];

/** The number of the root cause whose fix clears the requirement. */
const clearedBy = ({ id }: RequirementResult, causes: readonly RootCause[]): number | null => {
  const index = causes.findIndex(({ clears }) => clears.includes(id));
  return index < 0 ? null : index + 1;
};

/** A root cause names the requirement, and clears it. */
const isToldFirst = ({ id }: RequirementResult, causes: readonly RootCause[]): boolean =>
  causes.some((cause) => cause.kind === 'failure' && cause.requirement === id && cause.clears.includes(id));

const failedText = (result: RequirementResult, causes: readonly RootCause[]): string => {
  const [first] = result.failures;
  const number = clearedBy(result, causes);
  const bug = first === undefined || number !== null ? null : likelyBugText(result, first);
  const text = bug ?? summaryLine(result.failures) ?? result.reason ?? result.statement;
  return number === null ? text : `(fix ${number}) ${text}`;
};

const widthOf = (results: readonly RequirementResult[]): number =>
  Math.max(0, ...results.map(({ id }) => id.length)) + 2;

/** Every failure of a requirement in full. */
const inFull = (result: RequirementResult, outcome: Outcome, colour: boolean): readonly string[] => {
  const blocked = blockedBy(result.id, outcome.requirements);
  return result.failures.flatMap((failure) => ['', failureText(result, failure, { colour, blocked })]);
};

interface Detail {
  readonly result: RequirementResult;
  readonly failure: Failure;
}

/** The failures of root causes come first, then those that no root cause clears. */
const worthDetails = (outcome: Outcome, causes: readonly RootCause[]): readonly Detail[] => {
  const failed = ordered(outcome);
  const leading = causes.flatMap((cause) =>
    cause.kind === 'failure'
      ? failed
          .filter(({ id }) => id === cause.requirement)
          .map((result) => ({ result, failure: cause.failure }))
      : [],
  );
  const open = failed.filter(
    (result) => clearedBy(result, causes) === null && leading.every((each) => each.result !== result),
  );
  const others = open.flatMap((result) =>
    result.failures.slice(0, 1).map((failure) => ({ result, failure })),
  );
  return [...leading, ...others].slice(0, mostDetailed);
};

const details = (
  outcome: Outcome,
  causes: readonly RootCause[],
  { colour, verbose }: Showing,
): readonly string[] => {
  if (verbose) return ordered(outcome).flatMap((result) => inFull(result, outcome, colour));
  const chosen = worthDetails(outcome, causes);
  const all = withVerdict(outcome.requirements, 'failed').flatMap((result) => result.failures).length;
  const hidden = all - chosen.length;
  return [
    ...chosen.flatMap(({ result, failure }) => ['', briefText(result, failure, { colour })]),
    ...(hidden > 0
      ? [
          '',
          `${counted(hidden, 'more failure')}, and texts cut with …: --verbose, or index.html in the reports`,
        ]
      : []),
  ];
};

const failures = (outcome: Outcome, showing: Showing, paint: Paint): readonly string[] => {
  const causes = rootCauses(outcome);
  const others = ordered(outcome).filter((result) => !isToldFirst(result, causes));
  const width = widthOf(others);
  return [
    ...section(paint('bold', 'Fix first'), causes.flatMap(rootCauseLines)),
    ...section(
      paint('bold', causes.length === 0 ? 'Failed requirements' : 'Other failed requirements'),
      others.map(
        (result) =>
          `  ${paint('red', `${shownVerdicts.failed.sign} ${result.id}`.padEnd(width))}  ${line(failedText(result, causes))}`,
      ),
    ),
    ...details(outcome, causes, showing),
  ];
};

const warning = (failure: Failure): readonly string[] => [
  `      expected  ${line(failure.expected)}`,
  `      actual    ${line(failure.actual)}`,
  `      replay    ${oneLine(failure.replay)}`,
];

const warned = (result: RequirementResult, { verbose }: Showing, paint: Paint): readonly string[] => [
  `  ${paint('yellow', `! ${result.id}`)}  ${line(summaryLine(result.failures) ?? result.statement)}`,
  ...(result.known === null ? [] : [`      known: ${line(result.known)}`]),
  ...(verbose ? groupFailures(result.failures).flatMap(({ failure }) => warning(failure)) : []),
];

/** Requirements that share a reason share its line. */
const byReason = (standing: ShownVerdict, all: readonly RequirementResult[]): readonly string[] =>
  [...Map.groupBy(withVerdict(all, standing), ({ reason }) => reason ?? 'no reason recorded')].map(
    ([reason, members]) => `  ${idsOf(members, all)}: ${oneLine(reason)}`,
  );

/** Without a result: in one line, or with the reasons. */
const without = (
  standing: ShownVerdict,
  { requirements }: Outcome,
  { verbose }: Showing,
  paint: Paint,
): readonly string[] => {
  const members = withVerdict(requirements, standing);
  if (members.length === 0) return [];
  const { word } = shownVerdicts[standing];
  const title = `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
  if (verbose) return section(paint('bold', title), byReason(standing, requirements));
  return [`${title.padEnd(14)}${members.length}: ${idsOf(members, requirements)}`];
};

const observed = ({ observations }: Outcome, { verbose }: Showing, paint: Paint): readonly string[] => {
  if (observations.length === 0) return [];
  return verbose
    ? section(
        paint('bold', 'Observations (not specified by the document)'),
        observations.map(({ id, subject, value }) => `  ${id} ${oneLine(`${subject}: ${value}`)}`),
      )
    : [`${'Observations'.padEnd(14)}${count(observations.length)} (not specified by the document)`];
};

const known = ({ requirements }: Outcome, paint: Paint): readonly string[] => [
  ...withVerdict(requirements, 'known').map((result) => `  ${result.id}: ${line(result.known ?? '')}`),
  ...requirements
    .filter(isUnexpectedPass)
    .map(({ id }) => `  ${paint('red', `${id} passes now`)}: remove it from the known failures`),
];

/** A report that was written, and whom it is for. */
interface ReportFile {
  readonly path: string;
  readonly for: string;
}

const reportLines = ([page, ...others]: readonly ReportFile[]): readonly string[] =>
  page === undefined
    ? []
    : [
        `Reports       ${[`${page.path} (for ${page.for})`, ...others.map(({ path, for: use }) => `${basename(path)} (${use})`)].join(', ')}`,
      ];

const totals = (outcome: Outcome, reports: readonly ReportFile[]): readonly string[] => {
  const counts = [...countVerdicts(outcome.requirements)].map(
    ([name, number]) => `${number} ${shownVerdicts[name].word}`,
  );
  const { requests, rateLimited } = outcome.traffic;
  return [
    `Requirements  ${counts.join(', ') || 'none tested'}`,
    `Traffic       ${counted(requests, 'request')} in ${duration(outcome.durationMs)}, ${count(rateLimited)} got 429, ${whatWasCreated(outcome)}, seed ${outcome.seed}`,
    ...reportLines(reports),
  ];
};

const verdictLine = (outcome: Outcome, paint: Paint): string => {
  const tone = { conformant: 'green', nonconformant: 'red', 'not-judged': 'yellow' } as const;
  const target = outcome.target.reference ? 'the built-in reference server' : oneLine(outcome.target.baseUrl);
  const shade = needsCaution(outcome) ? 'yellow' : tone[outcome.verdict];
  return `${paint([shade, 'bold'], headline(outcome))} - ${target}`;
};

/** Beside a verdict without failures. */
const notTestedLines = (outcome: Outcome): readonly string[] =>
  [notTested(outcome)].filter((text) => text !== null).map((text) => `Not tested: ${oneLine(text)}`);

/** Why a run ended before everything was tested, or why nothing could be: in full, as it says what to do. */
const ending = (outcome: Outcome): readonly string[] =>
  outcome.ended === null
    ? []
    : [`${isUnjudgeable(outcome) ? 'Not tested' : 'Ended early'}: ${oneLine(outcome.ended)}`];

const lesser = (outcome: Outcome, showing: Showing, paint: Paint): readonly string[] => {
  const { requirements } = outcome;
  return [
    ...section(
      paint('bold', 'Errors in the suite, not failures of the server'),
      withVerdict(requirements, 'error').map((result) => `  ${result.id}: ${line(result.reason ?? '')}`),
    ),
    ...section(paint('bold', 'Known failures'), known(outcome, paint)),
    ...(isBesideFailures(outcome, showing)
      ? []
      : section(
          paint('bold', 'Warnings'),
          withVerdict(requirements, 'warned').flatMap((result) => warned(result, showing, paint)),
        )),
  ];
};

/** Beside failures, warnings get one line. */
const isBesideFailures = ({ requirements }: Outcome, { verbose }: Showing): boolean =>
  !verbose && withVerdict(requirements, 'failed').length > 0;

/** A run that tested nothing has one reason, and no list of what it did not test. */
const leftOver = (outcome: Outcome, showing: Showing, paint: Paint): readonly string[] =>
  isUnjudgeable(outcome)
    ? []
    : [
        ...(isBesideFailures(outcome, showing) ? without('warned', outcome, showing, paint) : []),
        ...observed(outcome, showing, paint),
        ...without('inconclusive', outcome, showing, paint),
        ...without('skipped', outcome, showing, paint),
      ];

/**
 * The result of a run, for a terminal or a log: the verdict, what to fix first, each failed requirement in a line, details of the first
 * three, then totals and where the reports are. Nothing from the target is obeyed by the terminal.
 */
export const summaryText = (
  outcome: Outcome,
  {
    colour,
    verbose = false,
    reports,
  }: Partial<Showing> & { readonly colour: boolean; readonly reports: readonly ReportFile[] },
): string => {
  const paint = painter(colour);
  const showing = { colour, verbose };
  return [
    '',
    verdictLine(outcome, paint),
    ...ending(outcome),
    ...(hasNoFailure(outcome) ? notTestedLines(outcome) : []),
    ...[diagnosis(outcome)].filter((text) => text !== null).map(oneLine),
    ...failures(outcome, showing, paint),
    ...lesser(outcome, showing, paint),
    '',
    ...leftOver(outcome, showing, paint),
    ...totals(outcome, reports),
    '',
  ].join('\n');
};
