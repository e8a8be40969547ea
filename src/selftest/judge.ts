import { type Degenerate, degenerates } from '../reference/degenerate/index.ts';
import { faults } from '../reference/faults/index.ts';
import type { Fault } from '../reference/patch.ts';
import type { Verdict } from '../run/outcome.ts';
import type { Examination, RequirementFinding } from './examination.ts';
import type { Task } from './tasks.ts';

/** What every judged server has in the report. */
interface Judged {
  /** The name, or the names of a combination with ` + ` between. */
  readonly name: string;
  readonly seed: number;
  readonly requests: number;
  readonly unasked429: number;
  /** The verdict of every requirement: one row of the matrix. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** What failed, warned or broke, that was not to. */
  readonly unexpectedFailures: readonly RequirementFinding[];
  /** How the suite itself failed; null: it did not. */
  readonly broken: string | null;
}

/** `killed`: its requirement fails, and nothing but its companions with it. `imprecise`: something else as well. */
export interface JudgedFault extends Judged {
  readonly kind: 'fault';
  readonly standing: 'killed' | 'imprecise' | 'survived' | 'broken';
  /** What the run was given, in requests: once its requirement has failed, it is ended. Null: as many as it takes. */
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
  readonly standing: 'accepted' | 'alarm' | 'broken';
  /** Why it was not judged conformant although nothing failed, else null. */
  readonly reason: string | null;
}

export interface JudgedDegenerate extends Judged {
  readonly kind: 'degenerate';
  readonly standing: 'rejected' | 'accepted' | 'broken';
  readonly description: string;
  readonly exit: number | null;
  readonly expectedExit: number;
}

export type JudgedServer = JudgedFault | JudgedDialect | JudgedDegenerate;

const isAlarm = ({ verdict }: RequirementFinding): boolean => verdict === 'failed' || verdict === 'warned';
const isError = ({ verdict }: RequirementFinding): boolean => verdict === 'error';

/** `expected`: what may fail or warn. */
const judged = (
  { task, findings, requests, unasked429, broken }: Examination,
  isExpected: (finding: RequirementFinding) => boolean,
): Judged => {
  const error = findings.find(isError);
  return {
    name: task.names.join(' + '),
    seed: task.seed,
    requests,
    unasked429,
    verdicts: Object.fromEntries(findings.map(({ id, verdict }) => [id, verdict])),
    unexpectedFailures: findings.filter(
      (finding) => (isAlarm(finding) || isError(finding)) && !isExpected(finding),
    ),
    broken: error === undefined ? broken : `${error.id}: ${error.reason ?? 'error'}`,
  };
};

/** The fault's requirement has to fail, and nothing but its companions with it. */
const judgeFault = (
  { description, requirement, companions }: Fault,
  examination: Examination,
): JudgedFault => {
  const common = judged(examination, ({ id }) => id === requirement || companions.includes(id));
  const finding = examination.findings.find(({ id }) => id === requirement) ?? null;
  const isKilled = finding?.verdict === (finding?.level === 'SHOULD' ? 'warned' : 'failed');
  const sound = isKilled ? (common.unexpectedFailures.length > 0 ? 'imprecise' : 'killed') : 'survived';
  return {
    ...common,
    kind: 'fault',
    standing: common.broken === null ? sound : 'broken',
    budget: examination.task.budget,
    description,
    requirement,
    companions,
    finding,
  };
};

/** The server keeps to the document: nothing may fail, warn or break. */
const judgeDialect = (kind: JudgedDialect['kind'], examination: Examination): JudgedDialect => {
  const common = judged(examination, () => false);
  const sound = common.unexpectedFailures.length > 0 || examination.exit !== 0 ? 'alarm' : 'accepted';
  return {
    ...common,
    kind,
    standing: common.broken === null ? sound : 'broken',
    reason: examination.verdict === 'conformant' ? null : examination.ended,
  };
};

/** The server does next to nothing: the run has to end as expected, and never well. */
const judgeDegenerate = (
  { description, expectedExit }: Degenerate,
  examination: Examination,
): JudgedDegenerate => {
  const common = judged(examination, isAlarm);
  const { exit, verdict } = examination;
  const sound = exit === expectedExit && verdict !== 'conformant' ? 'rejected' : 'accepted';
  return {
    ...common,
    kind: 'degenerate',
    standing: common.broken === null ? sound : 'broken',
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

/** Judges an examination by what its server is. */
export const judge = (examination: Examination): JudgedServer => {
  const { task } = examination;
  if (task.kind === 'fault') return judgeFault(named(faults, task), examination);
  if (task.kind === 'degenerate') return judgeDegenerate(named(degenerates, task), examination);
  return judgeDialect(task.kind, examination);
};

/** A fault was caught: by a run that may have been cut short by a budget. */
export const isKilled = ({ standing }: Pick<JudgedServer, 'standing'>): boolean =>
  standing === 'killed' || standing === 'imprecise';

/** Whether a server is judged as it has to be; what runs on a budget is counted, and not judged one by one. */
export const isGood = (server: JudgedServer): boolean => {
  if (server.broken !== null) return false;
  if (server.kind === 'fault') return server.budget !== null || server.standing === 'killed';
  return server.standing === (server.kind === 'degenerate' ? 'rejected' : 'accepted');
};
