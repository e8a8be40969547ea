import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { percent, reportOf } from './report.ts';
import { taskOf, testedServer } from './testing.ts';

const context = { tool: { name: 'tool', version: '1' }, seed: 7, requirements: [], clients: [], budgets: [] };
const fault = (name: string, findings: readonly string[], budget: number | null = null) =>
  judge(testedServer(taskOf('fault', name, { budget }), findings));
const dialect = (...findings: readonly string[]) =>
  judge(testedServer(taskOf('dialect', 'oldest-first'), findings));
const degenerate = (...findings: readonly string[]) =>
  judge(testedServer(taskOf('degenerate', 'requires-no-key'), findings));

const killed = fault('limit-ignored', ['LIST-3 failed']);
const good = [killed, dialect(), degenerate('GEN-1 failed')];

test('every server is as it has to be -> passed', () => {
  expect(reportOf(good, context).passed).toBe(true);
});

test.each([
  ['a survivor', fault('limit-one-too-many', [])],
  ['an imprecise kill', fault('limit-one-too-many', ['LIST-3 failed', 'GEN-1 failed'])],
  ['a false alarm', dialect('GEN-1 failed')],
  ['a degenerate server that is accepted', degenerate()],
  ['an error of the suite', dialect('GEN-1 error')],
])('%s -> failed', (_what, server) => {
  expect(reportOf([...good, server], context).passed).toBe(false);
});

test('counts: kills among faults, precise ones among kills, alarms among dialects', () => {
  const imprecise = fault('limit-one-too-many', ['LIST-3 failed', 'GEN-1 failed']);
  const survivor = fault('limit-of-one-means-none', []);
  const servers = [...good, imprecise, survivor, dialect('GEN-1 failed'), degenerate()];
  expect(reportOf(servers, context)).toMatchObject({
    killRate: { hits: 2, of: 3 },
    precision: { hits: 1, of: 2 },
    falseAlarms: { hits: 1, of: 2 },
    degenerateRejected: { hits: 1, of: 2 },
  });
});

test('a binding budget: the share of held-out faults decides', () => {
  // The draw by name holds two of these out.
  const half = [
    fault('limit-ignored', ['LIST-3 failed'], 60),
    fault('no-default-limit', [], 60),
    fault('limit-one-too-many', [], 60),
  ];
  const reportFor = (wanted: number, binding: boolean) =>
    reportOf(half, { ...context, budgets: [{ requests: 60, wanted, binding }] });
  expect(reportFor(50, true)).toMatchObject({
    passed: true,
    faults: [],
    budgets: [
      {
        budget: 60,
        hits: 1,
        of: 3,
        heldOut: { hits: 1, of: 2 },
        survivors: ['no-default-limit', 'limit-one-too-many'],
      },
    ],
  });
  expect([reportFor(51, true).passed, reportFor(51, false).passed]).toEqual([false, true]);
});

test('percents are rounded down, and 100 means all', () => {
  expect(percent({ hits: 9_999, of: 10_000 })).toBe(99.9);
  expect(percent({ hits: 10, of: 10 })).toBe(100);
  expect(percent({ hits: 0, of: 0 })).toBe(100);
});
