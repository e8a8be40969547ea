import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawSeed, randomFrom } from './random.ts';

const seed = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

test('a seed is a signed 32-bit integer, whatever is drawn', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (drawn) => {
      const drawnSeed = drawSeed(() => drawn);
      expect(drawnSeed).toBe(drawnSeed | 0);
    }),
  );
  expect(drawSeed(() => 0)).not.toBe(drawSeed(() => 0.75));
});

test('numbers depend on the seed alone, lie from 0 up to 1 and differ between seeds', () => {
  const ten = (from: number) => {
    const random = randomFrom(from);
    return Array.from({ length: 10 }, random);
  };
  fc.assert(
    fc.property(seed, (from) => {
      expect(ten(from)).toEqual(ten(from));
      for (const number of ten(from)) expect(number >= 0 && number < 1).toBe(true);
      expect(ten(from)).not.toEqual(ten(~from));
    }),
  );
});
