import type { Task } from './tasks.ts';
import type { RequirementFinding, TestedServer } from './tested-server.ts';

export const taskOf = (kind: Task['kind'], name: string, more: Partial<Task> = {}): Task => ({
  kind,
  names: name.split(' + '),
  seed: 7,
  only: [],
  budget: null,
  thorough: true,
  ...more,
});

/** `GEN-1 failed` as a run finds it. */
export const findingOf = (text: string, more: Partial<RequirementFinding> = {}): RequirementFinding => {
  const [id = '', verdict = ''] = text.split(' ');
  const reason = null;
  return {
    id,
    level: 'MUST',
    verdict: verdict as RequirementFinding['verdict'],
    reason,
    evidence: [],
    ...more,
  };
};

/** A tested server with these findings, and the exit code that they cause. */
export const testedServer = (
  task: Task,
  findings: readonly (string | RequirementFinding)[],
  more: Partial<TestedServer> = {},
): TestedServer => {
  const all = findings.map((finding) => (typeof finding === 'string' ? findingOf(finding) : finding));
  const failed = all.some(({ verdict }) => verdict === 'failed');
  return {
    task,
    findings: all,
    exit: failed ? 1 : 0,
    verdict: failed ? 'nonconformant' : 'conformant',
    ended: null,
    requests: 10,
    unexpected429s: 0,
    broken: null,
    ...more,
  };
};
