import { describe, expect, test } from 'vitest';
import type { Verdict } from '../run/outcome.ts';
import { judgeDegenerate, judgeDialect, judgeFault } from './judge.ts';
import { findingOf, judged, taskOf } from './testing.ts';

const fault = {
  name: 'limit-ignored',
  requirement: 'LIST-3',
  companions: ['LIST-2'],
  description: 'Ignores limit.',
};
const faultTask = taskOf('fault', 'limit-ignored');
const standingWith = (...findings: Parameters<typeof judged>[1]) =>
  judgeFault(fault, judged(faultTask, findings)).standing;

describe('a fault', () => {
  test('is killed where its requirement fails', () => {
    expect(standingWith(findingOf('LIST-3', 'failed'), findingOf('LIST-1', 'passed'))).toBe('killed');
  });

  test('is killed with its companions failing and warning', () => {
    expect(standingWith(findingOf('LIST-3', 'failed'), findingOf('LIST-2', 'failed'))).toBe('killed');
  });

  test.each<Verdict>(['passed', 'warned', 'observed', 'inconclusive', 'skipped'])(
    'survives where its requirement is %s',
    (verdict) => {
      expect(standingWith(findingOf('LIST-3', verdict), findingOf('LIST-2', 'failed'))).toBe('survived');
    },
  );

  test('survives where its requirement is not in the outcome', () => {
    expect(standingWith(findingOf('LIST-2', 'failed'))).toBe('survived');
  });

  test.each<Verdict>(['failed', 'warned'])('is imprecise where a stranger %s', (verdict) => {
    const judgement = judgeFault(
      fault,
      judged(faultTask, [findingOf('LIST-3', 'failed'), findingOf('GEN-1', verdict)]),
    );
    expect(judgement.standing).toBe('imprecise');
    expect(judgement.strays.map(({ id }) => id)).toEqual(['GEN-1']);
  });

  test('that survives tells what failed instead', () => {
    const judgement = judgeFault(
      fault,
      judged(faultTask, [findingOf('LIST-3', 'passed'), findingOf('GEN-3', 'failed')]),
    );
    expect(judgement).toMatchObject({
      standing: 'survived',
      strays: [{ id: 'GEN-3' }],
      finding: { verdict: 'passed' },
    });
  });

  test('of a SHOULD is killed by a warning', () => {
    const should = { ...fault, requirement: 'GET-6' };
    const judgement = judgeFault(
      should,
      judged(faultTask, [findingOf('GET-6', 'warned', { level: 'SHOULD' })]),
    );
    expect(judgement.standing).toBe('killed');
  });

  test('is broken by an error of the suite, even in a companion', () => {
    const findings = [
      findingOf('LIST-3', 'failed'),
      findingOf('LIST-2', 'error', { reason: 'TypeError: x' }),
    ];
    expect(judgeFault(fault, judged(faultTask, findings))).toMatchObject({
      standing: 'broken',
      broken: 'LIST-2: TypeError: x',
    });
  });

  test('is broken where there is no outcome', () => {
    const judgement = judgeFault(fault, { kind: 'broken', task: faultTask, message: 'TypeError: y' });
    expect(judgement).toMatchObject({ standing: 'broken', broken: 'TypeError: y', verdicts: {} });
  });

  test('gives a row of the matrix', () => {
    const { verdicts } = judgeFault(
      fault,
      judged(faultTask, [findingOf('LIST-3', 'failed'), findingOf('LIST-9', 'passed')]),
    );
    expect(verdicts).toEqual({ 'LIST-3': 'failed', 'LIST-9': 'passed' });
  });
});

describe('a dialect', () => {
  const task = taskOf('dialect', 'oldest-first');

  test.each<Verdict>(['passed', 'observed', 'inconclusive', 'skipped'])(
    'is accepted where all is %s',
    (verdict) => {
      expect(judgeDialect('dialect', judged(task, [findingOf('LIST-1', verdict)])).standing).toBe('accepted');
    },
  );

  test.each<Verdict>(['failed', 'warned'])('raises an alarm where anything %s', (verdict) => {
    const judgement = judgeDialect(
      'dialect',
      judged(task, [findingOf('LIST-1', 'passed'), findingOf('GEN-2', verdict)]),
    );
    expect(judgement).toMatchObject({ standing: 'alarm', strays: [{ id: 'GEN-2' }] });
  });

  test('raises an alarm where it could not be judged', () => {
    const examination = judged(task, [findingOf('LIST-1', 'skipped')], {
      exit: 3,
      verdict: 'not-judged',
      ended: 'every operation refuses the key',
    });
    expect(judgeDialect('dialect', examination)).toMatchObject({
      standing: 'alarm',
      reason: 'every operation refuses the key',
    });
  });

  test('is broken by an error of the suite', () => {
    expect(judgeDialect('dialect', judged(task, [findingOf('LIST-1', 'error')])).standing).toBe('broken');
  });

  test('combined with others has all their names', () => {
    const combination = judged(taskOf('combination', 'oldest-first + ids-random'), []);
    expect(judgeDialect('combination', combination)).toMatchObject({
      name: 'oldest-first + ids-random',
      kind: 'combination',
      standing: 'accepted',
    });
  });
});

describe('a degenerate server', () => {
  const server = { name: 'echo', description: 'Echoes.', expectedExit: 1 } as const;
  const task = taskOf('degenerate', 'echo');

  test('is rejected where the run ends as expected, whatever fails', () => {
    const judgement = judgeDegenerate(
      server,
      judged(task, [findingOf('GEN-1', 'failed'), findingOf('AUTH-6', 'warned')]),
    );
    expect(judgement).toMatchObject({ standing: 'rejected', strays: [] });
  });

  test('is accepted where nothing fails', () => {
    expect(judgeDegenerate(server, judged(task, [findingOf('GEN-1', 'passed')])).standing).toBe('accepted');
  });

  test('is accepted where the run ends with another exit code than expected', () => {
    const judgement = judgeDegenerate(server, judged(task, [], { exit: 3, verdict: 'not-judged' }));
    expect(judgement).toMatchObject({ standing: 'accepted', exit: 3, expectedExit: 1 });
  });

  test('is accepted where the verdict is conformant whatever the exit code', () => {
    expect(judgeDegenerate(server, judged(task, [], { exit: 1 })).standing).toBe('accepted');
  });

  test('is broken by an error of the suite', () => {
    const findings = [findingOf('GEN-1', 'failed'), findingOf('GEN-4', 'error')];
    expect(judgeDegenerate(server, judged(task, findings)).standing).toBe('broken');
  });
});
