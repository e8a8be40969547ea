import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostTelling, withinBudget } from './budget.ts';
import type { Check } from './check.ts';

const check = (name: string, cost: number): Check<unknown> => ({
  name,
  cost,
  gives: [],
  phase: 'main',
  examples: () => [],
  attempt: async () => {},
});

const checks = [check('A one', 1), check('B two', 2), check('C nine', 9)];

test('takes the most telling cases first, and skips what costs more than is left', () => {
  const ranked = ['C nine #0', 'A one #1', 'B two #0', 'A one #0', 'B two #1'];
  expect([...withinBudget(ranked, checks, 4)]).toEqual(['A one #1', 'B two #0', 'A one #0']);
});

test('leaves out cases of checks that are not made', () => {
  expect([...withinBudget(['Z gone #0', 'A one #0'], checks, 10)]).toEqual(['A one #0']);
});

test('never costs more than the budget', () => {
  const ranked = fc.array(
    fc.tuple(fc.constantFrom(...checks), fc.nat(9)).map(([{ name }, index]) => `${name} #${index}`),
  );
  fc.assert(
    fc.property(ranked, fc.nat(60), (names, requests) => {
      const chosen = withinBudget(names, checks, requests);
      const cost = [...chosen].reduce(
        (sum, name) => sum + (checks.find((one) => name.startsWith(`${one.name} #`))?.cost ?? 0),
        0,
      );
      expect(cost).toBeLessThanOrEqual(requests);
    }),
  );
});

test('the learnt order names each case once', () => {
  const cases = mostTelling();
  expect(cases.length).toBeGreaterThan(50);
  expect(new Set(cases).size).toBe(cases.length);
});
