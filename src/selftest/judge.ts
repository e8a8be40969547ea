import type { Level } from '../openapi/requirement.ts';
import type { Degenerate } from '../reference/degenerate/index.ts';
import type { Fault } from '../reference/patch.ts';
import type { Verdict } from '../run/outcome.ts';
import type { Examination, RequirementFinding } from './examination.ts';
import { titleOf } from './task.ts';

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
  readonly strays: readonly RequirementFinding[];
  /** How the suite itself failed; null: it did not. */
  readonly broken: string | null;
}

/** `killed`: its requirement fails, and nothing but its companions with it. `imprecise`: something else as well. */
export interface JudgedFault extends Judged {
  readonly standing: 'killed' | 'imprecise' | 'survived' | 'broken';
  readonly description: string;
  readonly requirement: string;
  readonly companions: readonly string[];
  /** What was found on its requirement. */
  readonly finding: RequirementFinding | null;
}

/** A dialect, or a combination of them. */
export interface JudgedDialect extends Judged {
  readonly standing: 'accepted' | 'alarm' | 'broken';
  readonly kind: 'dialect' | 'combination';
  /** Why it was not judged conformant although nothing failed, else null. */
  readonly reason: string | null;
}

export interface JudgedDegenerate extends Judged {
  readonly standing: 'rejected' | 'accepted' | 'broken';
  readonly description: string;
  readonly exit: number | null;
  readonly expectedExit: number;
}

/** How a requirement of this level shows that it is breached. */
const alarmOf = (level: Level): Verdict => (level === 'SHOULD' ? 'warned' : 'failed');
const isAlarm = ({ verdict }: RequirementFinding): boolean => verdict === 'failed' || verdict === 'warned';
const isError = ({ verdict }: RequirementFinding): boolean => verdict === 'error';

const judged = (examination: Examination, isExpected: (finding: RequirementFinding) => boolean): Judged => {
  const { task } = examination;
  const name = { name: titleOf(task), seed: task.seed };
  if (examination.kind === 'broken') {
    return { ...name, requests: 0, unasked429: 0, verdicts: {}, strays: [], broken: examination.message };
  }
  const { findings, requests, unasked429 } = examination;
  const error = findings.find(isError);
  return {
    ...name,
    requests,
    unasked429,
    verdicts: Object.fromEntries(findings.map(({ id, verdict }) => [id, verdict])),
    strays: findings.filter((finding) => (isAlarm(finding) || isError(finding)) && !isExpected(finding)),
    broken: error === undefined ? null : `${error.id}: ${error.reason ?? 'error'}`,
  };
};

/** Judges the run against a faulty server: the fault's requirement has to fail, and nothing but its companions with it. */
export const judgeFault = (fault: Omit<Fault, 'patch'>, examination: Examination): JudgedFault => {
  const { description, requirement, companions } = fault;
  const common = judged(examination, ({ id }) => id === requirement || companions.includes(id));
  const findings = examination.kind === 'judged' ? examination.findings : [];
  const finding = findings.find(({ id }) => id === requirement) ?? null;
  const killed = finding !== null && finding.verdict === alarmOf(finding.level);
  const sound = killed ? (common.strays.length > 0 ? 'imprecise' : 'killed') : 'survived';
  return {
    ...common,
    standing: common.broken === null ? sound : 'broken',
    description,
    requirement,
    companions,
    finding,
  };
};

/** Judges the run against a server that keeps to the document: nothing may fail, warn or break. */
export const judgeDialect = (kind: JudgedDialect['kind'], examination: Examination): JudgedDialect => {
  const common = judged(examination, () => false);
  const reason =
    examination.kind === 'judged' && examination.verdict !== 'conformant' ? examination.ended : null;
  const alarmed = common.strays.length > 0 || (examination.kind === 'judged' && examination.exit !== 0);
  return {
    ...common,
    standing: common.broken === null ? (alarmed ? 'alarm' : 'accepted') : 'broken',
    kind,
    reason,
  };
};

/** Judges the run against a server that does next to nothing: it has to end as expected, and never well. */
export const judgeDegenerate = (
  { description, expectedExit }: Omit<Degenerate, 'patch'>,
  examination: Examination,
): JudgedDegenerate => {
  const common = judged(examination, isAlarm);
  const exit = examination.kind === 'judged' ? examination.exit : null;
  const rejected =
    examination.kind === 'judged' && exit === expectedExit && examination.verdict !== 'conformant';
  return {
    ...common,
    standing: common.broken === null ? (rejected ? 'rejected' : 'accepted') : 'broken',
    description,
    exit,
    expectedExit,
  };
};

/** Whether a fault was caught by a run that may have been cut short by a budget. */
export const isKilled = ({ standing }: JudgedFault): boolean =>
  standing === 'killed' || standing === 'imprecise';
