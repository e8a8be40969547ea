import type { Verdict } from '../run/outcome.ts';
import type { Examination, RequirementFinding } from './examination.ts';
import type { Task } from './task.ts';

/** What the unit tests of this folder share: made-up examinations. */
export const taskOf = (kind: Task['kind'], name: string, more: Partial<Task> = {}): Task => ({
  kind,
  names: name.split(' + '),
  seed: 7,
  only: [],
  budget: null,
  thorough: true,
  ...more,
});

export const findingOf = (
  id: string,
  verdict: Verdict,
  more: Partial<RequirementFinding> = {},
): RequirementFinding => ({
  id,
  level: 'MUST',
  verdict,
  reason: null,
  evidence: [],
  ...more,
});

type Judged = Extract<Examination, { kind: 'judged' }>;

/** A run in which these requirements got these verdicts; it ends as they make it end. */
export const judged = (
  task: Task,
  findings: readonly RequirementFinding[],
  more: Partial<Judged> = {},
): Judged => {
  const failed = findings.some(({ verdict }) => verdict === 'failed');
  return {
    kind: 'judged',
    task,
    findings,
    exit: failed ? 1 : 0,
    verdict: failed ? 'nonconformant' : 'conformant',
    ended: null,
    requests: 10,
    unasked429: 0,
    ...more,
  };
};
