import { oneLine, shorten } from '../report/escape.ts';
import { counted } from '../report/units.ts';
import type { RequirementFinding } from './examination.ts';
import type { JudgedDegenerate, JudgedDialect, JudgedFault } from './judge.ts';
import { type BudgetShare, isGood, type Judgement, percent, type SelfTestReport } from './report.ts';

/** What is wrong with a judgement, in a line; null: nothing. */
export const complaintOf = (judgement: Judgement): string | null => {
  if (isGood(judgement)) return null;
  const { name, broken } = judgement.result;
  const trouble = broken === null ? troubleOf(judgement) : `the suite itself failed: ${broken}`;
  return `✕ ${name}: ${line(trouble)}`;
};

const troubleOf = (judgement: Judgement): string => {
  if (judgement.kind === 'fault') return troubleOfFault(judgement.result);
  if (judgement.kind === 'dialect') return `a false alarm${alarmText(judgement.result)}`;
  const { exit, expectedExit } = judgement.result;
  return exit === expectedExit
    ? 'the server is taken for a conforming one'
    : `exit ${exit}, and ${expectedExit} was expected`;
};

const troubleOfFault = ({ standing, requirement, finding, strays }: JudgedFault): string =>
  standing === 'survived'
    ? `survives, ${requirement} ${finding?.verdict ?? 'was not judged'}`
    : `killed by ${requirement}, and not by it alone: ${idsOf(strays)}`;

const alarmText = ({ strays, reason }: JudgedDialect): string =>
  strays.length > 0 ? ` of ${idsOf(strays)}` : ` without a failure${reason === null ? '' : `: ${reason}`}`;

const idsOf = (findings: readonly RequirementFinding[]): string => findings.map(({ id }) => id).join(', ');

const longestLine = 300;
const line = (text: string): string => shorten(oneLine(text), longestLine);

/** A requirement and the requests that decided it. */
const findingLines = ({ id, verdict, reason, evidence }: RequirementFinding): readonly string[] => [
  `    ${id} ${verdict}${reason === null ? '' : `: ${line(reason)}`}`,
  ...evidence.flatMap(({ message, request, answer, check, seen, tries }) => [
    `      ${line(message)} (${seen} of ${tries} times)`,
    `        ${line(request)}`,
    `        → ${line(answer)}`,
    `        ${line(check)}`,
  ]),
];

const faultLines = (fault: JudgedFault): readonly string[] => [
  `    ${fault.description}`,
  ...(fault.standing === 'survived' && fault.finding !== null ? findingLines(fault.finding) : []),
  ...fault.strays.flatMap(findingLines),
];

const repeatOf = (flag: string, names: string, seed: number): string =>
  `    repeat: animal-store-conformance selftest ${names
    .split(' + ')
    .map((name) => `${flag} ${name}`)
    .join(' ')} --seed ${seed}`;

const brokenLines = ({ broken }: { readonly broken: string | null }): readonly string[] =>
  broken === null ? [] : broken.split('\n').map((each) => `    ${line(each)}`);

/** Everything that is not as it has to be, one server after the other. */
const details = (report: SelfTestReport): readonly string[] => [
  ...report.faults
    .filter(({ standing }) => standing !== 'killed')
    .flatMap((fault) => [
      '',
      `${fault.name}  ${fault.requirement}: ${fault.standing}`,
      ...brokenLines(fault),
      ...faultLines(fault),
      repeatOf('--fault', fault.name, report.seed),
    ]),
  ...report.dialects
    .filter(({ standing }) => standing !== 'accepted')
    .flatMap((dialect) => [
      '',
      `${dialect.name}: ${dialect.standing}${dialect.reason === null ? '' : ` (${line(dialect.reason)})`}`,
      ...brokenLines(dialect),
      ...dialect.strays.flatMap(findingLines),
      repeatOf('--dialect', dialect.name, report.seed),
    ]),
  ...report.degenerate
    .filter(({ standing }) => standing !== 'rejected')
    .flatMap((server) => degenerateLines(server, report.seed)),
];

const degenerateLines = (server: JudgedDegenerate, seed: number): readonly string[] => [
  '',
  `${server.name}: ${server.standing} (exit ${server.exit ?? 'none'}, ${server.expectedExit} expected)`,
  ...brokenLines(server),
  `    ${server.description}`,
  ...server.strays.flatMap(findingLines),
  repeatOf('--fault', server.name, seed),
];

const row = (title: string, figure: string, text: string): string =>
  `${title.padEnd(14)}${figure.padStart(8)}  ${text}`;

const budgetRow = (budget: BudgetShare): string =>
  row(
    `Budget ${budget.budget}`,
    `${percent(budget)} %`,
    `${budget.hits} of ${counted(budget.of, 'fault')} killed (held out: ${percent(budget.heldOut)} % of ${budget.heldOut.of}, at least ${budget.wanted} %)`,
  );

/** The figures of a self-test, below what went wrong. */
export const summaryOf = (report: SelfTestReport): string => {
  const { killRate, precision, falseAlarms, degenerateRejected, budgets, dialects } = report;
  const unasked = dialects.reduce((sum, { unasked429 }) => sum + unasked429, 0);
  const figures = [
    row(
      'Kill rate',
      `${percent(killRate)} %`,
      `${killRate.hits} of ${counted(killRate.of, 'fault')} made their requirement fail`,
    ),
    row(
      'Precision',
      `${percent(precision)} %`,
      `${precision.hits} of ${counted(precision.of, 'kill')} with nothing else failing`,
    ),
    row(
      'False alarms',
      String(falseAlarms.hits),
      `on ${counted(falseAlarms.of, 'server')} that keep to the document, ${unasked} unasked 429s`,
    ),
    row(
      'Degenerate',
      String(degenerateRejected.hits),
      `of ${counted(degenerateRejected.of, 'server')} rejected`,
    ),
    ...budgets.map(budgetRow),
  ];
  return [...details(report), '', ...figures, ''].join('\n');
};
