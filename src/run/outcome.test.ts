import { describe, expect, test } from 'vitest';
import { exitCodeOf } from './outcome.ts';
import { failed, outcomeOf, passes, result, type Tell } from './run-testing.ts';

describe('verdict of a run without failures', () => {
  const undecided: Tell = (evidenceLog) =>
    evidenceLog.record([
      { kind: 'inconclusive', requirement: 'LIST-1', reason: { code: 'no-animal', detail: 'none' } },
    ]);

  test('interrupted, or everything selected inconclusive -> not judged', () => {
    const interrupted = { interrupted: true, ended: { code: 'interrupted' } } as const;
    expect(outcomeOf(passes('LIST-1'), {}, interrupted).verdict).toBe('not-judged');
    expect(outcomeOf(failed('LIST-1'), {}, interrupted).verdict).toBe('nonconformant');
    for (const tell of [undecided, passes()]) {
      const outcome = outcomeOf(tell, { only: ['LIST-1'] });
      expect(outcome.verdict).toBe('not-judged');
      expect(exitCodeOf(outcome)).toBe(0);
    }
  });
});

test('the server cannot be tested -> the reason, but for requirements that were not selected', () => {
  const ended = { code: 'run-ended', detail: 'no-connection' } as const;
  const outcome = outcomeOf(passes(), { only: ['LIST-1'] }, { unjudgeable: true, ended });
  expect(result(outcome, 'LIST-1')?.reason).toEqual(ended);
  expect(result(outcome, 'GET-1')?.reason).toEqual({ code: 'not-selected' });
});

describe('exit code', () => {
  test('only known failures -> 0; a known failure that passes -> 1', () => {
    const known = new Map([['LIST-1', 'a fix is under way']]);
    const failing = outcomeOf(failed('LIST-1'), {}, { known });
    expect(failing.verdict).toBe('conformant');
    expect(result(failing, 'LIST-1')).toMatchObject({ verdict: 'failed', known: 'a fix is under way' });
    expect(exitCodeOf(failing)).toBe(0);
    expect(exitCodeOf(outcomeOf(passes('LIST-1'), {}, { known }))).toBe(1);
    expect(exitCodeOf(outcomeOf(failed('LIST-2'), {}, { known }))).toBe(1);
    const shard = { index: 2, of: 3 };
    const part = outcomeOf(passes('LIST-1'), { shard }, { known });
    expect(result(part, 'LIST-1')).toMatchObject({
      verdict: 'inconclusive',
      reason: { code: 'not-met-in-shard' },
    });
    expect(exitCodeOf(part)).toBe(0);
    expect(result(outcomeOf(failed('LIST-1'), { shard }, { known }), 'LIST-1')?.verdict).toBe('failed');
  });

  test('error of the suite -> 4, and no failure of the server', () => {
    const outcome = outcomeOf((evidenceLog) => evidenceLog.recordError('LIST-1', 'TypeError'));
    expect(result(outcome, 'LIST-1')).toMatchObject({
      verdict: 'error',
      reason: { code: 'suite-error', error: 'TypeError' },
      failures: [],
    });
    expect(outcome.verdict).toBe('not-judged');
    expect(exitCodeOf(outcome)).toBe(4);
  });

  test('target died after responding -> nonconformant', () => {
    expect(outcomeOf(passes('LIST-1'), {}, { died: true }).verdict).toBe('nonconformant');
  });
});
