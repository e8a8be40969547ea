import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dropParts, shrinking, simplerTexts } from './shrink.ts';

/** The result of shrinking a systematic value that fails, and the number of tries. */
const shrunk = <Value>(
  value: Value,
  smaller: (value: Value) => Iterable<Value>,
  fails: (value: Value) => boolean,
) => {
  let tries = 0;
  const property = fc.property(shrinking(fc.constant(value), smaller), (one) => {
    tries += 1;
    return !fails(one);
  });
  const { counterexample } = fc.check(property, { examples: [[value]], numRuns: 1 });
  return { left: counterexample?.[0], tries };
};

describe('list', () => {
  /** Shrinks a list that fails while it has all of these parts. */
  const shrunkList = (list: readonly number[], culprits: readonly number[]) =>
    shrunk(list, dropParts, (parts) => culprits.every((culprit) => parts.includes(culprit)));

  const listOf = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

  test('one part matters -> only that part, after few tries', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(), (length, place) => {
        const culprit = place % length;
        const { left, tries } = shrunkList(listOf(length), [culprit]);
        expect(left).toEqual([culprit]);
        expect(tries).toBeLessThanOrEqual(3 + 2 * Math.ceil(Math.log2(length)));
      }),
    );
  });

  test('two parts at any positions matter -> only these parts', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 39 }), { minLength: 2, maxLength: 2 }), (culprits) => {
        const { left, tries } = shrunkList(listOf(40), culprits);
        expect(left).toEqual(culprits.toSorted((a, b) => a - b));
        expect(tries).toBeLessThan(50);
      }),
    );
  });

  test('all parts matter -> all parts; never tried when empty', () => {
    expect(shrunkList([1, 2], [1, 2]).left).toEqual([1, 2]);
    expect(shrunkList([1, 2], []).left).toHaveLength(1);
  });
});

describe('text', () => {
  test.each([
    [/\u{1f408}/u, `*{"'([\\$ \u{1f408}${'s'.repeat(300)}`, '\u{1f408}'],
    [/\S \S/, 'A-b 1 - c--d-', 'a a'],
    [/^.{33}/, `'${'s'.repeat(63)}`, /^a{33,40}$/],
    [/^/, 'Zo\u00eb', 'a'],
  ])('fails for %s -> only that part, in plain letters', (failing, text, plain) => {
    const { left, tries } = shrunk(text, simplerTexts, (one) => failing.test(one));
    expect(left).toMatch(plain);
    if (typeof plain === 'string') expect(left).toBe(plain);
    expect(tries).toBeLessThan(50);
  });

  test('empty, or one plain letter -> nothing simpler', () => {
    expect(['', 'a'].flatMap((text) => [...simplerTexts(text)])).toEqual([]);
  });
});

describe('arbitrary with smaller values', () => {
  const halves = function* (value: number) {
    if (value > 1) yield value >> 1;
  };

  test('generates the same values', () => {
    const lists: fc.Arbitrary<readonly number[]> = fc.array(fc.nat());
    expect(fc.sample(shrinking(lists, dropParts), { seed: 1 })).toEqual(fc.sample(lists, { seed: 1 }));
  });

  test('generated value -> shrinks in its own way first', () => {
    const property = fc.property(shrinking(fc.integer({ min: 0, max: 1e6 }), halves), (value) => value < 100);
    expect(fc.check(property, { seed: 1 }).counterexample).toEqual([100]);
  });

  test('value that it cannot generate -> shrinks to the smaller values', () => {
    expect(shrunk(4_000, halves, (value) => value >= 100).left).toBe(125);
    const alone = shrinking(fc.constant(0), halves);
    expect([1, 2].map((value) => alone.canShrinkWithoutContext(value))).toEqual([false, true]);
  });
});
