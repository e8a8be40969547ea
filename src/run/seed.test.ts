import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawSeed, namePrefixFor, randomFrom } from './seed.ts';

const whole = { index: 1, of: 1 };
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

test('name prefix: another seed, another start, or another shard -> another prefix', () => {
  const start = 1_750_000_000_000;
  const prefixes = [
    namePrefixFor(1, start, whole),
    namePrefixFor(2, start, whole),
    namePrefixFor(1, start + 1, whole),
    ...[1, 2, 3].map((index) => namePrefixFor(1, start, { index, of: 3 })),
  ];
  expect(new Set(prefixes).size).toBe(prefixes.length);
  expect(namePrefixFor(1, start, whole)).toBe(prefixes[0]);
  for (const prefix of prefixes.slice(0, 3)) expect(prefix).toMatch(/^conformance-[0-9a-z]{1,7}-$/);
});
