import { describe, expect, test } from 'vitest';
import { decideRun, type RunFacts } from './decide-run.ts';
import { endOf, failed, outcomeOf, passes, result, type Tell } from './run-testing.ts';

describe('decideRun', () => {
  const both = [false, true];
  const all: readonly RunFacts[] = (['complete', 'interrupted', 'stopped'] as const).flatMap((end) =>
    both.flatMap((isFailed) =>
      both.flatMap((hasResult) =>
        both.flatMap((hasUnreadOperation) =>
          both.flatMap((missesMost) =>
            both.flatMap((hasError) =>
              both.map((hasUnexpectedPass) => ({
                ...{ end, failed: isFailed, hasResult, hasUnreadOperation, missesMost },
                ...{ hasError, hasUnexpectedPass },
              })),
            ),
          ),
        ),
      ),
    ),
  );
  const where = (changes: Partial<RunFacts>) =>
    all.filter((facts) =>
      Object.entries(changes).every(([name, value]) => Reflect.get(facts, name) === value),
    );
  const outcomes = (changes: Partial<RunFacts>) => [
    ...new Set(where(changes).map((facts) => Object.values(decideRun(facts)).join(' '))),
  ];
  const complete = { end: 'complete', hasError: false } as const;

  test('every input: 0 only if complete, with a result, without a failure, each operation read, and most requested', () => {
    expect(all).toHaveLength(192);
    for (const facts of all) {
      const isGreen =
        facts.end === 'complete' &&
        facts.hasResult &&
        !(facts.failed || facts.hasError || facts.hasUnexpectedPass) &&
        !(facts.hasUnreadOperation || facts.missesMost);
      expect(decideRun(facts).exit === 0, JSON.stringify(facts)).toBe(isGreen);
    }
  });

  test('every input: the verdict and the exit code of the contract', () => {
    expect(outcomes({ end: 'interrupted', failed: true })).toEqual(['nonconformant 130']);
    expect(outcomes({ end: 'interrupted', failed: false })).toEqual(['not-judged 130']);
    expect(outcomes({ end: 'stopped', failed: false, hasError: false })).toEqual(['not-judged 3']);
    expect(outcomes({ end: 'stopped', failed: true, hasError: false })).toEqual(['nonconformant 1']);
    expect(outcomes({ ...complete, failed: true })).toEqual(['nonconformant 1']);
    expect(outcomes({ ...complete, failed: false, hasResult: false })).toEqual(['not-judged 3']);
    expect(outcomes({ ...complete, failed: false, hasUnreadOperation: true })).toEqual(['not-judged 3']);
    expect(outcomes({ ...complete, failed: false, missesMost: true })).toEqual(['not-judged 3']);
    const judged = { failed: false, hasResult: true, hasUnreadOperation: false, missesMost: false };
    expect(outcomes({ ...complete, ...judged, hasUnexpectedPass: false })).toEqual(['conformant 0']);
    expect(outcomes({ ...complete, ...judged, hasUnexpectedPass: true })).toEqual(['conformant 1']);
    for (const end of ['complete', 'stopped'] as const)
      expect(new Set(where({ end, hasError: true }).map((facts) => decideRun(facts).exit))).toEqual(
        new Set([4]),
      );
  });
});

describe('verdict of a run without failures', () => {
  const undecided: Tell = (evidenceLog) =>
    evidenceLog.record([
      { kind: 'inconclusive', requirement: 'LIST-1', reason: { code: 'no-animal', detail: 'none' } },
    ]);

  test('interrupted, stopped by the server, or everything selected inconclusive -> not judged', () => {
    const interrupted = { interrupted: true, ended: { code: 'interrupted' } } as const;
    expect(outcomeOf(passes('LIST-1'), {}, interrupted).verdict).toBe('not-judged');
    expect(outcomeOf(failed('LIST-1'), {}, interrupted).verdict).toBe('nonconformant');
    const stopped = { ended: { code: 'run-ended', detail: 'always-limited' } } as const;
    expect(endOf(passes('LIST-1'), {}, stopped)).toMatchObject({
      outcome: { verdict: 'not-judged' },
      exit: 3,
    });
    for (const tell of [undecided, passes()])
      expect(endOf(tell, { only: ['LIST-1'] })).toMatchObject({
        outcome: { verdict: 'not-judged' },
        exit: 3,
      });
  });
});

test('the server cannot be tested -> the reason, but for requirements that were not selected', () => {
  const ended = { code: 'run-ended', detail: 'no-connection' } as const;
  const outcome = outcomeOf(passes(), { only: ['LIST-1'] }, { unjudgeable: true, ended });
  expect(result(outcome, 'LIST-1')?.reason).toEqual(ended);
  expect(result(outcome, 'GET-1')?.reason).toEqual({ code: 'not-selected' });
});

describe('exit code', () => {
  const known = new Map([['LIST-1', 'a fix is under way']]);
  const both: Tell = (evidenceLog) => {
    failed('LIST-1')(evidenceLog);
    passes('AUTH-1')(evidenceLog);
  };

  test('known failures beside a pass -> 0; a known failure that passes -> 1; nothing else -> 3', () => {
    const { outcome, exit } = endOf(both, {}, { known });
    expect([outcome.verdict, exit]).toEqual(['conformant', 0]);
    expect(result(outcome, 'LIST-1')).toMatchObject({ verdict: 'failed', known: 'a fix is under way' });
    expect(endOf(passes('LIST-1'), {}, { known }).exit).toBe(1);
    expect(endOf(failed('LIST-2'), {}, { known }).exit).toBe(1);
    expect(endOf(failed('LIST-1'), {}, { known })).toMatchObject({
      outcome: { verdict: 'not-judged' },
      exit: 3,
    });
  });

  test('a known failure that passes in a part of a run -> inconclusive, 0', () => {
    const shard = { index: 2, of: 3 };
    const part = endOf(passes('LIST-1'), { shard }, { known });
    expect(result(part.outcome, 'LIST-1')).toMatchObject({
      verdict: 'inconclusive',
      reason: { code: 'not-met-in-shard' },
    });
    expect(part.exit).toBe(0);
    expect(result(outcomeOf(failed('LIST-1'), { shard }, { known }), 'LIST-1')?.verdict).toBe('failed');
  });

  test('error of the suite -> 4, and no failure of the server', () => {
    const { outcome, exit } = endOf((evidenceLog) => evidenceLog.recordError('LIST-1', 'TypeError'));
    expect(result(outcome, 'LIST-1')).toMatchObject({
      verdict: 'error',
      reason: { code: 'suite-error', error: 'TypeError' },
      failures: [],
    });
    expect(outcome.verdict).toBe('not-judged');
    expect(exit).toBe(4);
  });

  test('target died after responding -> nonconformant', () => {
    expect(outcomeOf(passes('LIST-1'), {}, { died: true }).verdict).toBe('nonconformant');
  });
});
