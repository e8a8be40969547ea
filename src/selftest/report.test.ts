import { describe, expect, test } from 'vitest';
import { isGood, type Judgement, judgementOf, percent, reportOf } from './report.ts';
import { findingOf, judged, taskOf } from './testing.ts';

/** Two names that the draw holds out. */
const heldOut = ['held-out-8', 'held-out-19'] as const;

const known = {
  faults: [
    ...heldOut.map((name) => ({ name, requirement: 'LIST-3', companions: [], description: 'Held out.' })),
    { name: 'one', requirement: 'LIST-3', companions: [], description: 'Does one thing wrong.' },
    { name: 'two', requirement: 'LIST-3', companions: [], description: 'Does another thing wrong.' },
    { name: 'three', requirement: 'GEN-1', companions: [], description: 'Does a third thing wrong.' },
  ],
  degenerate: [{ name: 'echo', description: 'Echoes.', expectedExit: 1 }] as const,
};
const context = {
  tool: { name: 'tool', version: '1' },
  seed: 7,
  requirements: ['GEN-1', 'LIST-3'].map((id) => ({ id, level: 'MUST', statement: id })),
  budgets: [],
};
const killer = findingOf('LIST-3', 'failed');
const stray = findingOf('GEN-1', 'failed');

const fault = (
  name: string,
  findings: Parameters<typeof judged>[1],
  budget: number | null = null,
): Judgement => judgementOf(judged(taskOf('fault', name, { budget }), findings), known);
const dialect = (findings: Parameters<typeof judged>[1]): Judgement =>
  judgementOf(judged(taskOf('dialect', 'oldest-first'), findings), known);
const echo = (findings: Parameters<typeof judged>[1]): Judgement =>
  judgementOf(judged(taskOf('degenerate', 'echo'), findings), known);
const passedWith = (...judgements: readonly Judgement[]) => reportOf(judgements, context).passed;

describe('a report', () => {
  test('passes where every fault is killed, every dialect accepted, every degenerate server rejected', () => {
    expect(passedWith(fault('one', [killer]), fault('three', [stray]), dialect([]), echo([stray]))).toBe(
      true,
    );
  });

  test.each([
    ['a survivor', fault('one', [])],
    ['an imprecise kill', fault('one', [killer, stray])],
    ['a false alarm', dialect([stray])],
    ['a degenerate server taken for a good one', echo([])],
    ['an error of the suite', dialect([findingOf('GEN-1', 'error')])],
  ])('fails with %s', (_what, judgement) => {
    expect(isGood(judgement)).toBe(false);
    expect(passedWith(fault('two', [killer]), judgement)).toBe(false);
  });

  test('counts kills among faults, precise ones among kills, and alarms among dialects', () => {
    const report = reportOf(
      [
        fault('one', [killer]),
        fault('two', [killer, stray]),
        fault('three', []),
        dialect([stray]),
        dialect([]),
      ],
      context,
    );
    expect(report.killRate).toEqual({ hits: 2, of: 3 });
    expect(report.precision).toEqual({ hits: 1, of: 2 });
    expect(report.falseAlarms).toEqual({ hits: 1, of: 2 });
  });

  test('a binding budget: the share of held-out faults decides', () => {
    const budgets = [{ requests: 60, wanted: 50, binding: true }];
    const half = [fault(heldOut[0], [killer], 60), fault(heldOut[1], [], 60), fault('one', [], 60)];
    const report = reportOf(half, { ...context, budgets });
    expect(report).toMatchObject({
      passed: true,
      faults: [],
      budgets: [{ hits: 1, of: 3, heldOut: { hits: 1, of: 2 }, survivors: [heldOut[1], 'one'] }],
    });
    const passes = (binding: boolean) =>
      reportOf(half, { ...context, budgets: [{ requests: 60, wanted: 51, binding }] }).passed;
    expect([passes(true), passes(false)]).toEqual([false, true]);
  });
});

test('percents are rounded down, and 100 means all', () => {
  expect(percent({ hits: 9_999, of: 10_000 })).toBe(99.9);
  expect(percent({ hits: 10, of: 10 })).toBe(100);
  expect(percent({ hits: 0, of: 0 })).toBe(100);
});
