import { type Told, theSameOn, together } from '../../report/alike.ts';
import { oneLine, shorten } from '../../report/escape.ts';
import { commandLine, failureText } from '../../report/failure-text.ts';
import { rootCause } from '../../report/root-cause.ts';
import { suspicion } from '../../report/suspicion.ts';
import { count, counted, duration, whatWasCreated } from '../../report/units.ts';
import { idsOf, untried } from '../../report/untried.ts';
import {
  countStandings,
  headline,
  isDoubtful,
  isUncontradicted,
  passesAgain,
  type Standing,
  standings,
  withStanding,
} from '../../report/verdicts.ts';
import { hinderedBy, mostPressingFirst } from '../../report/weight.ts';
import { type Failure, isUnjudgeable, type Outcome, type RequirementResult } from '../../run/outcome.ts';
import type { Paint } from './screen.ts';
import { painter } from './screen.ts';

const longestValue = 160;
const mostObservations = 60;
const mostOthers = 3;

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

const line = (text: string): string => shorten(oneLine(text), longestValue);

/** The same request, whatever it was sent for. */
const requestKey = ({ request: { method, url, headers, body } }: Failure): string =>
  JSON.stringify([method, url, headers, body]);

const alsoOn = ({ alsoOn: operations }: Told): readonly string[] =>
  operations.length === 0 ? [] : [`  also      ${line(theSameOn(operations))}`];

interface Showing {
  readonly colour: boolean;
  /** Every failure in full. */
  readonly verbose: boolean;
}

interface Telling extends Showing {
  readonly toldUnder: string | null;
  readonly hindered: readonly string[];
}

/** A requirement that fails: its first failure in full, some others in a line each, or all in full. */
const failed = (
  result: RequirementResult,
  { colour, verbose, toldUnder, hindered }: Telling,
): readonly string[] => {
  if (verbose && result.failures.length > 1)
    return result.failures.flatMap((failure) => ['', failureText(result, failure, { colour, hindered })]);
  const [first, ...others] = together(result.failures);
  if (first === undefined)
    return ['', `${standings.failed.sign} ${result.id} ${line(result.reason ?? result.statement)}`];
  const shown = others.slice(0, mostOthers);
  const rest = others.length - shown.length;
  return [
    '',
    failureText(result, first.failure, { colour, toldUnder, hindered }),
    ...alsoOn(first),
    ...shown.flatMap((told) => [
      `  also      ${line(`${told.failure.operation}: ${told.failure.message}`)}`,
      ...alsoOn(told),
    ]),
    ...(rest > 0 ? [`  also      ${rest} more, in the reports`] : []),
  ];
};

/** The command that sends the request again for which most requirements fail. */
const rootCauseCommand = (outcome: Outcome): readonly string[] => {
  const found = rootCause(outcome);
  return found === null ? [] : [commandLine('curl', found.culprit.curl)];
};

/** Requirements that fail, the most pressing first; a request that several of them show is written out once. */
const allFailed = ({ requirements }: Outcome, showing: Showing): readonly string[] => {
  const told = new Map<string, string>();
  return mostPressingFirst(withStanding(requirements, 'failed'), requirements).flatMap((result) => {
    const [first] = result.failures;
    const key = first === undefined ? '' : requestKey(first);
    const toldUnder = told.get(key) ?? null;
    if (toldUnder === null && first !== undefined) told.set(key, result.id);
    return failed(result, { ...showing, toldUnder, hindered: hinderedBy(result.id, requirements) });
  });
};

const warning = ({ message, expected, actual, replay }: Failure): readonly string[] => [
  `      ${line(message)}`,
  `      expected  ${line(expected)}`,
  `      actual    ${line(actual)}`,
  `      replay    ${oneLine(replay)}`,
];

const warned = (result: RequirementResult, paint: Paint): readonly string[] => [
  `  ${paint('yellow', `! ${result.id}`)} ${line(result.statement)}`,
  ...(result.known === null ? [] : [`      known: ${line(result.known)}`]),
  ...together(result.failures).flatMap(({ failure, alsoOn: operations }, index) => [
    ...(index === 0 ? warning(failure) : [`      also      ${line(failure.message)}`]),
    ...(operations.length === 0 ? [] : [`      also      ${line(theSameOn(operations))}`]),
  ]),
];

/** Requirements that share a reason share its line. */
const byReason = (standing: Standing, all: readonly RequirementResult[]): readonly string[] =>
  [...Map.groupBy(withStanding(all, standing), ({ reason }) => reason ?? 'no reason is recorded')].map(
    ([reason, members]) => `  ${idsOf(members, all)}: ${line(reason)}`,
  );

/** Subjects of one requirement with the same value share a line. */
const observed = ({ observations }: Outcome): readonly string[] => {
  const rows = [...Map.groupBy(observations, ({ id, value }) => JSON.stringify([id, value])).values()];
  const shown = rows.slice(0, mostObservations).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { id, subject, value } = first;
    if (others.length === 0) return [`  ${id} ${line(`${subject}: ${value}`)}`];
    const subjects = [first, ...others].map((observation) => observation.subject).join(', ');
    return [`  ${id} ${line(`${value} (${others.length + 1} cases): ${subjects}`)}`];
  });
  const rest = rows.length - shown.length;
  return rest > 0 ? [...shown, `  and ${count(rest)} more in the reports`] : shown;
};

const known = ({ requirements }: Outcome, paint: Paint): readonly string[] => [
  ...withStanding(requirements, 'known').map((result) => `  ${result.id}: ${line(result.known ?? '')}`),
  ...requirements
    .filter(passesAgain)
    .map(({ id }) => `  ${paint('red', `${id} passes again`)}: take it off the list of known failures`),
];

const totals = (outcome: Outcome, reports: readonly string[]): readonly string[] => {
  const counts = [...countStandings(outcome.requirements)].map(
    ([name, number]) => `${number} ${standings[name].word}`,
  );
  const { requests, rateLimited } = outcome.traffic;
  return [
    '',
    `Requirements  ${counts.join(', ') || 'none judged'}`,
    `Traffic       ${counted(requests, 'request')} sent in ${duration(outcome.durationMs)}, ${count(rateLimited)} answered 429, ${whatWasCreated(outcome)}`,
    `Repeat with   --seed ${outcome.seed}`,
    ...reports.map((path, index) => `${index === 0 ? 'Reports' : ''}`.padEnd(14) + path),
  ];
};

const verdictLine = (outcome: Outcome, paint: Paint): string => {
  const tone = { conformant: 'green', nonconformant: 'red', 'not-judged': 'yellow' } as const;
  const target = outcome.target.reference ? 'the built-in reference server' : oneLine(outcome.target.baseUrl);
  const shade = isDoubtful(outcome) ? 'yellow' : tone[outcome.verdict];
  return `${paint([shade, 'bold'], headline(outcome))} - ${target}`;
};

/** Beside a verdict that nothing speaks against. */
const notTried = (outcome: Outcome): readonly string[] =>
  [untried(outcome)].filter((text) => text !== null).map((text) => `Not tried: ${oneLine(text)}`);

/** Why a run ended before everything was tested, or why nothing could be: in full, as it says what to do. */
const ending = (outcome: Outcome): readonly string[] =>
  outcome.ended === null
    ? []
    : [`${isUnjudgeable(outcome) ? 'Not tested' : 'Ended early'}: ${oneLine(outcome.ended)}`];

/**
 * What a run found out, for a terminal or a log: the verdict, each failed requirement once, then what is of less weight, then
 * totals and where the reports are. Nothing from the target is obeyed by the terminal.
 */
export const summaryText = (
  outcome: Outcome,
  {
    colour,
    verbose = false,
    reports,
  }: Partial<Showing> & { readonly colour: boolean; readonly reports: readonly string[] },
): string => {
  const paint = painter(colour);
  const { requirements } = outcome;
  const title = (text: string) => paint('bold', text);
  return [
    '',
    verdictLine(outcome, paint),
    ...ending(outcome),
    ...(isUncontradicted(outcome) ? notTried(outcome) : []),
    ...[suspicion(outcome)].filter((text) => text !== null).map(oneLine),
    ...rootCauseCommand(outcome),
    ...allFailed(outcome, { colour, verbose }),
    ...section(
      title('Faults of this suite, not of the server'),
      withStanding(requirements, 'error').map((result) => `  ${result.id}: ${line(result.reason ?? '')}`),
    ),
    ...section(title('Known failures'), known(outcome, paint)),
    ...section(
      title('Warnings'),
      withStanding(requirements, 'warned').flatMap((result) => warned(result, paint)),
    ),
    ...section(title('Observed where the document is silent'), observed(outcome)),
    ...section(title('Inconclusive'), byReason('inconclusive', requirements)),
    ...section(title('Skipped'), byReason('skipped', requirements)),
    ...totals(outcome, reports),
    '',
  ].join('\n');
};
