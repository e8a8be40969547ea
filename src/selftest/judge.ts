import { type Degenerate, degenerates } from '../reference/degenerate/index.ts';
import { domainFaults } from '../reference/domains/faults.ts';
import { faults } from '../reference/faults/index.ts';
import type { Fault } from '../reference/patch.ts';
import type { Verdict } from '../run/outcome.ts';
import type { Task } from './tasks.ts';
import type { RequirementFinding, TestedServer } from './tested-server.ts';

/** What the report has for every server. */
interface Judged {
  /** The name, or the names of a combination with ` + ` between. */
  readonly name: string;
  readonly seed: number;
  readonly requests: number;
  readonly unexpected429s: number;
  /** The verdict of every requirement: one row of the matrix. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** Requirements that failed, warned, or had an error, and should not. */
  readonly unexpectedFailures: readonly RequirementFinding[];
  /** How the suite itself failed; null: it did not. */
  readonly broken: string | null;
}

/** `killed`: only its requirement and its companions failed. `imprecise`: another requirement failed too. */
export interface JudgedFault extends Judged {
  readonly kind: 'fault';
  readonly result: 'killed' | 'imprecise' | 'survived' | 'broken';
  /** The budget of the run, which ends once the requirement has failed. Null: no budget. */
  readonly budget: number | null;
  readonly description: string;
  readonly requirement: string;
  readonly companions: readonly string[];
  /** What was found on its requirement. */
  readonly finding: RequirementFinding | null;
}

/** A dialect, or a combination of them. */
export interface JudgedDialect extends Judged {
  readonly kind: 'dialect' | 'combination';
  readonly result: 'accepted' | 'alarm' | 'broken';
  /** Why it was not judged conformant although nothing failed, else null. */
  readonly reason: string | null;
}

export interface JudgedDegenerate extends Judged {
  readonly kind: 'degenerate';
  readonly result: 'rejected' | 'accepted' | 'broken';
  readonly description: string;
  readonly exit: number | null;
  readonly expectedExit: number;
}

export type JudgedServer = JudgedFault | JudgedDialect | JudgedDegenerate;

const isAlarm = ({ verdict }: RequirementFinding): boolean => verdict === 'failed' || verdict === 'warned';
const isError = ({ verdict }: RequirementFinding): boolean => verdict === 'error';

/** `isExpected`: the requirement may fail or warn. */
const judged = (
  { task, findings, requests, unexpected429s, broken }: TestedServer,
  isExpected: (finding: RequirementFinding) => boolean,
): Judged => {
  const error = findings.find(isError);
  return {
    name: task.names.join(' + '),
    seed: task.seed,
    requests,
    unexpected429s,
    verdicts: Object.fromEntries(findings.map(({ id, verdict }) => [id, verdict])),
    unexpectedFailures: findings.filter(
      (finding) => (isAlarm(finding) || isError(finding)) && !isExpected(finding),
    ),
    broken: error === undefined ? broken : `${error.id}: ${error.reason ?? 'error'}`,
  };
};

/** The requirement of the fault must fail, and nothing else but its companions. */
const judgeFault = (
  { description, requirement, companions }: Pick<Fault, 'description' | 'requirement' | 'companions'>,
  server: TestedServer,
): JudgedFault => {
  const common = judged(server, ({ id }) => id === requirement || companions.includes(id));
  const finding = server.findings.find(({ id }) => id === requirement) ?? null;
  const isKilled = finding?.verdict === (finding?.level === 'SHOULD' ? 'warned' : 'failed');
  const result = isKilled ? (common.unexpectedFailures.length > 0 ? 'imprecise' : 'killed') : 'survived';
  return {
    ...common,
    kind: 'fault',
    result: common.broken === null ? result : 'broken',
    budget: server.task.budget,
    description,
    requirement,
    companions,
    finding,
  };
};

/** The server conforms: nothing may fail, warn, or have an error. */
const judgeDialect = (kind: JudgedDialect['kind'], server: TestedServer): JudgedDialect => {
  const common = judged(server, () => false);
  const result = common.unexpectedFailures.length > 0 || server.exit !== 0 ? 'alarm' : 'accepted';
  return {
    ...common,
    kind,
    result: common.broken === null ? result : 'broken',
    reason: server.verdict === 'conformant' ? null : server.ended,
  };
};

/** The server does almost nothing: the run must end with the expected exit code, and never as conformant. */
const judgeDegenerate = (
  { description, expectedExit }: Degenerate,
  server: TestedServer,
): JudgedDegenerate => {
  const common = judged(server, isAlarm);
  const { exit, verdict } = server;
  const result = exit === expectedExit && verdict !== 'conformant' ? 'rejected' : 'accepted';
  return {
    ...common,
    kind: 'degenerate',
    result: common.broken === null ? result : 'broken',
    description,
    exit,
    expectedExit,
  };
};

/** The server of a task with one name. */
export const named = <Server extends { readonly name: string }>(
  servers: readonly Server[],
  { kind, names: [name] }: Pick<Task, 'kind' | 'names'>,
): Server => {
  const found = servers.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found;
};

/** Judges a tested server by its kind. */
export const judge = (server: TestedServer): JudgedServer => {
  const { task } = server;
  if (task.kind === 'fault') return judgeFault(named([...faults, ...domainFaults], task), server);
  if (task.kind === 'degenerate') return judgeDegenerate(named(degenerates, task), server);
  return judgeDialect(task.kind, server);
};

/** The requirement of the fault failed, in a run that a budget may have ended. */
export const isKilled = ({ result }: Pick<JudgedServer, 'result'>): boolean =>
  result === 'killed' || result === 'imprecise';

/** Whether the result for a server is correct. With a budget, kills are only counted. */
export const isGood = (server: JudgedServer): boolean => {
  if (server.broken !== null) return false;
  if (server.kind === 'fault') return server.budget !== null || server.result === 'killed';
  return server.result === (server.kind === 'degenerate' ? 'rejected' : 'accepted');
};
