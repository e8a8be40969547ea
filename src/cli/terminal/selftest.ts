import { oneLine, shorten } from '../../report/text/escape.ts';
import { counted } from '../../report/text/units.ts';
import type { RequirementFinding } from '../../selftest/examination.ts';
import { isGood, type JudgedServer } from '../../selftest/judge.ts';
import { type BudgetShare, percent, type SelfTestReport } from '../../selftest/report.ts';
import type { Screen } from './screen.ts';

const eraseLine = '\r\u001b[K';

/** Counts tested servers, in one line that is rewritten or in a line for each tenth. */
export const createCounter = ({ write, live }: Pick<Screen, 'write' | 'live'>) => {
  let total = 0;
  let count = 0;
  let problems = 0;
  const clear = () => live && write(eraseLine);
  const draw = () => {
    const text = `${count} of ${total}${problems === 0 ? '' : `, ${problems} unexpected`}`;
    if (live) write(eraseLine + text);
    else if (Math.floor((count * 10) / total) > Math.floor(((count - 1) * 10) / total)) write(`${text}\n`);
  };
  return {
    start: (expected: number, title: string) => {
      total = expected;
      write(`${title}: ${expected} servers\n`);
    },
    /** Counts one server. A problem gets a line of its own. */
    done: (problem: string | null) => {
      count += 1;
      if (problem !== null) {
        problems += 1;
        clear();
        write(`${problem}\n`);
      }
      draw();
    },
    /** Removes the count. */
    stop: clear,
  };
};

const longestLine = 300;
const line = (text: string): string => shorten(oneLine(text), longestLine);
const withReason = (text: string, reason: string | null): string =>
  reason === null ? text : `${text}: ${line(reason)}`;

const explanationOf = (server: JudgedServer): string => {
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

/** Returns one line on an unexpected result of a server; null: the result is as expected. */
export const problemOf = (server: JudgedServer): string | null =>
  isGood(server) ? null : `✕ ${server.name}: ${line(explanationOf(server))}`;

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

/** The details of a server with an unexpected result. */
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

/** Returns unexpected results and, below them, the figures of a self-test. */
export const summaryOf = (report: SelfTestReport): string => {
  const { killRate, precision, falseAlarms, degenerateRejected, budgets, dialects, seed } = report;
  const unexpected = [...report.faults, ...dialects, ...report.degenerate].filter(
    (server) => !isGood(server),
  );
  const unexpected429s = dialects.reduce((sum, { unasked429 }) => sum + unasked429, 0);
  const kills = `${killRate.hits} of ${counted(killRate.of, 'fault')} made their requirement fail`;
  const precise = `${precision.hits} of ${counted(precision.of, 'kill')} with nothing else failing`;
  const alarms = `on ${counted(falseAlarms.of, 'server')} that conform, ${unexpected429s} unexpected 429s`;
  return [
    ...unexpected.flatMap((server) => detailsOf(server, seed)),
    '',
    row('Kill rate', `${percent(killRate)} %`, kills),
    row('Precision', `${percent(precision)} %`, precise),
    row('False alarms', `${falseAlarms.hits}`, alarms),
    row(
      'Degenerate',
      `${degenerateRejected.hits}`,
      `of ${counted(degenerateRejected.of, 'server')} rejected`,
    ),
    ...budgets.map(budgetRow),
    '',
  ].join('\n');
};
