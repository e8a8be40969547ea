import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkNamed, runContextOf } from '../../test/support/build.ts';
import { type Check, defineCheck, type Phase } from '../check/check.ts';
import type { Tier } from '../check/tiers.ts';
import { checkName } from '../finding/check-name.ts';
import { fillingOf } from './plan.ts';
import { budgetOrder, fitBudget, rankedCases } from './schedule.ts';

const check = (name: string, cost: number, phase: Phase = 'main'): Check =>
  defineCheck({ ...checkNamed(name), phase, cost, run: async () => {} });
const full = (count: number): readonly Tier[] => Array.from({ length: count }, () => 'full');
const run = runContextOf();
const ranked = (check: Check, tiers: readonly Tier[]) => rankedCases(check, tiers, run);
const [one, nine] = [check('A one', 1), check('C nine', 9)];

test('a group larger than the budget: inputs from the whole range of a check', () => {
  const [, , group = []] = budgetOrder(ranked(one, full(100)));
  const first = group.slice(0, 10).map(({ index }) => index);
  for (const quarter of [0, 25, 50, 75])
    expect(first.some((index) => index >= quarter && index < quarter + 25)).toBe(true);
});

test('a check with many inputs: a larger share, but not all of it', () => {
  const cases = [...ranked(one, full(100)), ...ranked(check('B few', 1), full(4))];
  const [, , group = []] = budgetOrder(cases);
  const few = group.slice(0, 24).filter(({ check }) => check !== one);
  expect(few).toHaveLength(4);
});

test('a check that uses up a limit: not ranked', () => {
  expect(ranked(check('RATE-5 limit', 1, 'exhaust-limit'), full(2))).toEqual([]);
});

test('a case that costs more than is left: passed over', () => {
  const cases = [...ranked(nine, full(1)), ...ranked(one, full(2))];
  expect([...fitBudget(cases, 4)].map(({ check }) => checkName(check))).toEqual(['A one', 'A one']);
});

test('chosen cases never cost more than the budget', () => {
  const some = fc.array(fc.constantFrom(...ranked(one, full(5)), ...ranked(nine, full(5))));
  fc.assert(
    fc.property(some, fc.nat(60), (cases, requests) => {
      const cost = [...fitBudget(cases, requests)].reduce((sum, each) => sum + each.cost, 0);
      expect(cost).toBeLessThanOrEqual(requests);
    }),
  );
});

test.each<readonly [storeSize: number, filling: number]>([
  [94, 5],
  [99, 0],
  // More than a budget allows.
  [60, 0],
])(
  'a budget, %d animals, 2 to come, and a case that needs more than 100 -> %d to fill the store',
  (storeSize, filling) => {
    const create = defineCheck({
      ...checkNamed('D create'),
      cost: { requests: 1, creates: 1 },
      run: async () => {},
    });
    const list = defineCheck({
      ...checkNamed('E list'),
      phase: 'filled-store',
      cost: { requests: 1, storeAbove: 100 },
      run: async () => {},
    });
    const limited = { ...run, isBudgeted: true, storeSize: () => storeSize, remainingCreations: () => 30 };
    const cases = [...ranked(create, full(2)), ...ranked(list, full(1))];
    expect(fillingOf(cases, limited)).toBe(filling);
  },
);
