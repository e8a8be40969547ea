import { describe, expect, test } from 'vitest';
import { isGood, judge } from './judge.ts';
import { findingOf, taskOf, testedServer } from './testing.ts';

/** A fault of LIST-3, with the companion LIST-8. */
const fault = taskOf('fault', 'limit-ignored');
const dialect = taskOf('dialect', 'oldest-first');
/** The expected exit code is 1. */
const degenerate = taskOf('degenerate', 'requires-no-key');
const notJudged = { exit: 3, verdict: 'not-judged', ended: 'every operation refuses the key' } as const;

describe.each([
  [fault, 'killed', ['LIST-3 failed', 'LIST-1 passed'], ''],
  [fault, 'killed', ['LIST-3 failed', 'LIST-8 failed'], ''],
  [fault, 'survived', ['LIST-3 passed', 'LIST-8 failed'], ''],
  [fault, 'survived', ['LIST-3 warned'], ''],
  [fault, 'survived', ['LIST-3 inconclusive'], ''],
  [fault, 'survived', ['LIST-3 skipped', 'GEN-3 failed'], 'GEN-3'],
  [fault, 'survived', ['LIST-8 failed'], ''],
  [fault, 'imprecise', ['LIST-3 failed', 'GEN-1 failed'], 'GEN-1'],
  [fault, 'imprecise', ['LIST-3 failed', 'GEN-1 warned'], 'GEN-1'],
  [fault, 'broken', ['LIST-3 failed', 'LIST-8 error'], ''],
  [dialect, 'accepted', ['LIST-1 passed', 'LIST-8 observed', 'LIST-3 inconclusive', 'LIST-4 skipped'], ''],
  [dialect, 'alarm', ['LIST-1 passed', 'GEN-2 failed'], 'GEN-2'],
  [dialect, 'alarm', ['GEN-2 warned'], 'GEN-2'],
  [dialect, 'broken', ['LIST-1 error'], 'LIST-1'],
  [degenerate, 'rejected', ['GEN-1 failed', 'AUTH-6 warned'], ''],
  [degenerate, 'accepted', ['GEN-1 passed'], ''],
  [degenerate, 'broken', ['GEN-1 failed', 'GEN-4 error'], 'GEN-4'],
] as const)('%o: %s', (task, result, findings, unexpectedFailures) => {
  test(findings.join(', '), () => {
    const server = judge(testedServer(task, findings));
    expect(server.result).toBe(result);
    expect(server.unexpectedFailures.map(({ id }) => id).join()).toBe(unexpectedFailures);
    expect(isGood(server)).toBe(
      ['killed', 'rejected'].includes(result) || (result === 'accepted' && task === dialect),
    );
  });
});

test('a fault of a SHOULD: killed by a warning', () => {
  const task = taskOf('fault', 'deprecation-says-true');
  expect(judge(testedServer(task, [findingOf('GET-6 warned', { level: 'SHOULD' })])).result).toBe('killed');
});

test('an error of the suite, in a requirement or in the whole run -> broken by it', () => {
  const error = findingOf('LIST-8 error', { reason: 'TypeError: x' });
  expect(judge(testedServer(fault, ['LIST-3 failed', error]))).toMatchObject({
    broken: 'LIST-8: TypeError: x',
  });
  const broken = { broken: 'TypeError: y', exit: null } as const;
  expect(judge(testedServer(fault, [], broken))).toMatchObject({ result: 'broken', broken: 'TypeError: y' });
});

test('a fault on a budget: counted, and good with any result', () => {
  const server = judge(testedServer({ ...fault, budget: 60 }, ['LIST-3 passed']));
  expect(server).toMatchObject({ result: 'survived', budget: 60 });
  expect(isGood(server)).toBe(true);
});

test('every requirement -> a row of the matrix', () => {
  const { verdicts } = judge(testedServer(fault, ['LIST-3 failed', 'LIST-9 passed']));
  expect(verdicts).toEqual({ 'LIST-3': 'failed', 'LIST-9': 'passed' });
});

test('a dialect that could not be judged: an alarm, with the reason', () => {
  expect(judge(testedServer(dialect, ['LIST-1 skipped'], notJudged))).toMatchObject({
    result: 'alarm',
    reason: 'every operation refuses the key',
  });
});

test('a combination: the names of its dialects', () => {
  const name = 'oldest-first + ids-random';
  const server = judge(testedServer(taskOf('combination', name), []));
  expect(server).toMatchObject({ name, kind: 'combination', result: 'accepted' });
});

test('a degenerate server: accepted if the run ends with another exit code, or as conformant', () => {
  for (const more of [notJudged, { exit: 1 } as const])
    expect(judge(testedServer(degenerate, [], more))).toMatchObject({ result: 'accepted', expectedExit: 1 });
});
