import { expect, test } from 'vitest';
import { sameJson } from './equal.ts';
import type { Json } from './json.ts';

test.each<[Json, Json]>([
  [null, null],
  [7n, 7n],
  [1.5, 1.5],
  [
    { a: 1n, b: [true] },
    { b: [true], a: 1n },
  ],
  [[], []],
])('%o and %o -> the same', (a, b) => {
  expect(sameJson(a, b)).toBe(true);
  expect(sameJson([a], [b])).toBe(true);
});

test.each<[Json, Json]>([
  [9007199254740993n, 9007199254740992n],
  [1n, '1'],
  [1n, true],
  [null, {}],
  [[], {}],
  [
    [1n, 2n],
    [2n, 1n],
  ],
  [[1n], [1n, 2n]],
  [{ a: 1n }, { a: 1n, b: 1n }],
  [{ a: 1n }, { b: 1n }],
  [{ toString: null }, { a: null }],
  [{ constructor: null }, {}],
])('%o and %o -> different', (a, b) => {
  expect(sameJson(a, b)).toBe(false);
  expect(sameJson(b, a)).toBe(false);
  expect(sameJson({ x: a }, { x: b })).toBe(false);
});
