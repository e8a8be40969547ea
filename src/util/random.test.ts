import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawSeed, randomFrom } from './random.ts';

const seed = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

test('drawSeed: any random number -> a signed 32-bit integer', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (drawn) => {
      const drawnSeed = drawSeed(() => drawn);
      expect(drawnSeed).toBe(drawnSeed | 0);
    }),
  );
  expect(drawSeed(() => 0)).not.toBe(drawSeed(() => 0.75));
});

test('randomFrom: same seed -> same numbers in [0, 1), other seed -> other numbers', () => {
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
