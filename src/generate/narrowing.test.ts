import fc from 'fast-check';
import { expect, test } from 'vitest';
import { narrowing } from './narrowing.ts';

/** What is left of a list that fails while it holds all of these parts, and after how many tries. */
const narrowed = (list: readonly number[], culprits: readonly number[]) => {
  let tries = 0;
  const fails = (parts: readonly number[]): boolean => {
    tries += 1;
    return culprits.every((culprit) => parts.includes(culprit));
  };
  const property = fc.property(narrowing(fc.constant<readonly number[]>([])), (parts) => !fails(parts));
  const { counterexample } = fc.check(property, { examples: [[list]], numRuns: 1 });
  return { left: counterexample?.[0], tries };
};

const listOf = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

test('the one part of a systematic list that matters is left, after few tries', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(), (length, place) => {
      const culprit = place % length;
      const { left, tries } = narrowed(listOf(length), [culprit]);
      expect(left).toEqual([culprit]);
      expect(tries).toBeLessThanOrEqual(3 + 2 * Math.ceil(Math.log2(length)));
    }),
  );
});

test('so are two that lie apart', () => {
  const { left, tries } = narrowed(listOf(100), [3, 97]);
  expect(left).toEqual([3, 97]);
  expect(tries).toBeLessThan(58);
});

test('nothing is left out where all matters, and none at all is never tried', () => {
  expect(narrowed([1, 2], [1, 2]).left).toEqual([1, 2]);
  expect(narrowed([1, 2], []).left).toHaveLength(1);
});

test('lists are generated as without it', () => {
  const lists = fc.array(fc.nat());
  expect(fc.sample(narrowing(lists), { seed: 1 })).toEqual(fc.sample(lists, { seed: 1 }));
});
