import { oneLine, shorten } from '../../report/text/escape.ts';
import { counted } from '../../report/text/units.ts';
import type { RequirementFinding } from '../../selftest/examination.ts';
import { isGood, type JudgedServer } from '../../selftest/judge.ts';
import { type BudgetShare, percent, type SelfTestReport } from '../../selftest/report.ts';
import type { Screen } from './screen.ts';

const eraseLine = '\r\u001b[K';

/** Counts the servers that are judged, in one line that is written over itself or in a line for each tenth. */
export const createCounter = ({ write, live }: Pick<Screen, 'write' | 'live'>) => {
  let total = 0;
  let count = 0;
  let complaints = 0;
  const clear = () => live && write(eraseLine);
  const draw = () => {
    const text = `${count} of ${total}${complaints === 0 ? '' : `, ${complaints} unexpected`}`;
    if (live) write(eraseLine + text);
    else if (Math.floor((count * 10) / total) > Math.floor(((count - 1) * 10) / total)) write(`${text}\n`);
  };
  return {
    start: (expected: number, title: string) => {
      total = expected;
      write(`${title}: ${expected} servers\n`);
    },
    /** One more is judged; a complaint about it gets a line of its own. */
    done: (complaint: string | null) => {
      count += 1;
      if (complaint !== null) {
        complaints += 1;
        clear();
        write(`${complaint}\n`);
      }
      draw();
    },
    /** Takes the count away for good. */
    stop: clear,
  };
};

const longestLine = 300;
const line = (text: string): string => shorten(oneLine(text), longestLine);
const withReason = (text: string, reason: string | null): string =>
  reason === null ? text : `${text}: ${line(reason)}`;

const troubleOf = (server: JudgedServer): string => {
  if (server.broken !== null) return `the suite itself failed: ${server.broken}`;
  const unexpectedFailures = server.unexpectedFailures.map(({ id }) => id).join(', ');
  if (server.kind === 'fault') {
    const { standing, requirement, finding } = server;
    return standing === 'survived'
      ? `survived: ${requirement} ${finding?.verdict ?? 'not tested'}`
      : `killed by ${requirement}, but also failed: ${unexpectedFailures}`;
  }
  if (server.kind === 'degenerate') {
    return server.exit === server.expectedExit
      ? 'accepted as a conforming server'
      : `exit ${server.exit}, expected ${server.expectedExit}`;
  }
  return unexpectedFailures === ''
    ? withReason('not accepted, although nothing failed', server.reason)
    : `false alarm: ${unexpectedFailures}`;
};

/** What is unexpected in the result of a server, in a line; null: nothing. */
export const complaintOf = (server: JudgedServer): string | null =>
  isGood(server) ? null : `✕ ${server.name}: ${line(troubleOf(server))}`;

/** A requirement and the requests that decided it. */
const findingLines = ({ id, verdict, reason, evidence }: RequirementFinding): readonly string[] => [
  `    ${withReason(`${id} ${verdict}`, reason)}`,
  ...evidence.flatMap(({ message, request, answer, check, seen, tries }) => [
    `      ${line(message)} (${seen} of ${tries} times)`,
    `        ${line(request)}`,
    `        → ${line(answer)}`,
    `        ${line(check)}`,
  ]),
];

const headlineOf = (server: JudgedServer): string => {
  const { name, standing } = server;
  if (server.kind === 'fault') return `${name}  ${server.requirement}: ${standing}`;
  if (server.kind === 'degenerate')
    return `${name}: ${standing} (exit ${server.exit ?? 'none'}, ${server.expectedExit} expected)`;
  return `${name}: ${standing}${server.reason === null ? '' : ` (${line(server.reason)})`}`;
};

/** Everything that is known of a server with an unexpected result. */
const detailsOf = (server: JudgedServer, seed: number): readonly string[] => {
  const { name, broken, unexpectedFailures } = server;
  const survived = server.kind === 'fault' && server.standing === 'survived' ? server.finding : null;
  const flag = server.kind === 'fault' || server.kind === 'degenerate' ? '--fault' : '--dialect';
  const flags = name.split(' + ').map((each) => `${flag} ${each}`);
  return [
    '',
    headlineOf(server),
    ...(broken?.split('\n').map((each) => `    ${line(each)}`) ?? []),
    ...('description' in server ? [`    ${server.description}`] : []),
    ...[survived ?? [], unexpectedFailures].flat().flatMap(findingLines),
    `    repeat: animal-store-conformance selftest ${flags.join(' ')} --seed ${seed}`,
  ];
};

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
  const { killRate, precision, falseAlarms, degenerateRejected, budgets, dialects, seed } = report;
  const wrong = [...report.faults, ...dialects, ...report.degenerate].filter((server) => !isGood(server));
  const unasked = dialects.reduce((sum, { unasked429 }) => sum + unasked429, 0);
  const kills = `${killRate.hits} of ${counted(killRate.of, 'fault')} made their requirement fail`;
  const precise = `${precision.hits} of ${counted(precision.of, 'kill')} with nothing else failing`;
  const dialectsAre = `on ${counted(falseAlarms.of, 'server')} that conform, ${unasked} unexpected 429s`;
  return [
    ...wrong.flatMap((server) => detailsOf(server, seed)),
    '',
    row('Kill rate', `${percent(killRate)} %`, kills),
    row('Precision', `${percent(precision)} %`, precise),
    row('False alarms', `${falseAlarms.hits}`, dialectsAre),
    row(
      'Degenerate',
      `${degenerateRejected.hits}`,
      `of ${counted(degenerateRejected.of, 'server')} rejected`,
    ),
    ...budgets.map(budgetRow),
    '',
  ].join('\n');
};
