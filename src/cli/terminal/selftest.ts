import { oneLine, shorten } from '../../report/text/escape.ts';
import {
  selfTestFigures as figures,
  selfTestLines as lines,
  selfTestProblems as texts,
} from '../../report/text/selftest.ts';
import { isGoodClient } from '../../selftest/clients/test-clients.ts';
import { isGood, type JudgedServer } from '../../selftest/judge.ts';
import { type BudgetShare, percent, type SelfTestReport } from '../../selftest/report.ts';
import type { RequirementFinding } from '../../selftest/tested-server.ts';
import type { Screen } from './screen.ts';

const eraseLine = '\r\u001b[K';

/** Counts tested servers, in one line that is rewritten or in a line for each tenth. */
export const createCounter = ({ write, live }: Pick<Screen, 'write' | 'live'>) => {
  let total = 0;
  let count = 0;
  let problems = 0;
  const clear = () => live && write(eraseLine);
  const draw = () => {
    const text = lines.progress(count, total, problems);
    if (live) write(eraseLine + text);
    else if (Math.floor((count * 10) / total) > Math.floor(((count - 1) * 10) / total)) write(`${text}\n`);
  };
  return {
    start: (expected: number, title: string) => {
      total = expected;
      write(`${lines.begin(title, expected)}\n`);
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
  if (server.broken !== null) return texts.broken(server.broken);
  const unexpectedFailures = server.unexpectedFailures.map(({ id }) => id).join(', ');
  if (server.kind === 'fault') {
    const { result, requirement, finding } = server;
    return result === 'survived'
      ? texts.survived(requirement, finding?.verdict)
      : texts.imprecise(requirement, unexpectedFailures);
  }
  if (server.kind === 'degenerate') {
    return server.exit === server.expectedExit
      ? texts.accepted
      : texts.exit(server.exit, server.expectedExit);
  }
  return unexpectedFailures === ''
    ? withReason(texts.notAccepted, server.reason)
    : texts.falseAlarm(unexpectedFailures);
};

/** Returns one line on an unexpected result of a server; null: the result is as expected. */
export const problemOf = (server: JudgedServer): string | null =>
  isGood(server) ? null : `✕ ${server.name}: ${line(explanationOf(server))}`;

/** A requirement and the requests that decided it. */
const findingLines = ({ id, verdict, reason, evidence }: RequirementFinding): readonly string[] => [
  `    ${withReason(`${id} ${verdict}`, reason)}`,
  ...evidence.flatMap(({ message, request, response, check, seen, tries }) => [
    `      ${lines.seen(line(message), seen, tries)}`,
    `        ${line(request)}`,
    `        → ${line(response)}`,
    `        ${line(check)}`,
  ]),
];

const headlineOf = (server: JudgedServer): string => {
  const { name, result } = server;
  if (server.kind === 'fault') return `${name}  ${server.requirement}: ${result}`;
  if (server.kind === 'degenerate')
    return `${name}: ${result} (${lines.exits(server.exit, server.expectedExit)})`;
  return `${name}: ${result}${server.reason === null ? '' : ` (${line(server.reason)})`}`;
};

/** The details of a server with an unexpected result. */
const detailsOf = (server: JudgedServer, seed: number): readonly string[] => {
  const { name, broken, unexpectedFailures } = server;
  const survived = server.kind === 'fault' && server.result === 'survived' ? server.finding : null;
  const flag = server.kind === 'fault' || server.kind === 'degenerate' ? '--fault' : '--dialect';
  const flags = name.split(' + ').map((each) => `${flag} ${each}`);
  return [
    '',
    headlineOf(server),
    ...(broken?.split('\n').map((each) => `    ${line(each)}`) ?? []),
    ...('description' in server ? [`    ${server.description}`] : []),
    ...[survived ?? [], unexpectedFailures].flat().flatMap(findingLines),
    `    ${lines.repeat(flags.join(' '), seed)}`,
  ];
};

const row = (title: string, figure: string, text: string): string =>
  `${title.padEnd(14)}${figure.padStart(8)}  ${text}`;

const budgetRow = (share: BudgetShare): string => {
  const heldOut = { ...share.heldOut, percent: percent(share.heldOut) };
  const kills = figures.budgetKills(share, heldOut, share.wanted);
  return row(figures.budget(share.budget), `${percent(share)} %`, kills);
};

const clientRows = ({ clients }: SelfTestReport): readonly string[] => {
  if (clients.length === 0) return [];
  const [faulty, right] = [true, false].map((isFaulty) =>
    clients.filter((client) => (client.requirement !== null) === isFaulty),
  );
  const shareOf = (of: SelfTestReport['clients'] = []) => ({
    hits: of.filter(isGoodClient).length,
    of: of.length,
  });
  const wrong = clients.filter((client) => !isGoodClient(client)).length;
  return [
    ...clients
      .filter((client) => !isGoodClient(client))
      .map(({ name, result, accused }) => `✕ ${name}: ${texts.client(result, accused.join(', '))}`),
    row(figures.clients, `${wrong}`, figures.judged(shareOf(faulty), shareOf(right))),
  ];
};

/** Returns unexpected results and, below them, the figures of a self-test. */
export const summaryOf = (report: SelfTestReport): string => {
  const { killRate, precision, falseAlarms, degenerateRejected, budgets, dialects, seed } = report;
  const unexpected = [...report.faults, ...dialects, ...report.degenerate].filter(
    (server) => !isGood(server),
  );
  const unexpected429s = dialects.reduce((sum, { unexpected429s }) => sum + unexpected429s, 0);
  return [
    ...unexpected.flatMap((server) => detailsOf(server, seed)),
    '',
    row(figures.killRate, `${percent(killRate)} %`, figures.kills(killRate)),
    row(figures.precision, `${percent(precision)} %`, figures.precise(precision)),
    row(figures.falseAlarms, `${falseAlarms.hits}`, figures.alarms(falseAlarms, unexpected429s)),
    row(figures.degenerate, `${degenerateRejected.hits}`, figures.rejected(degenerateRejected)),
    ...clientRows(report),
    ...budgets.map(budgetRow),
    '',
  ].join('\n');
};
