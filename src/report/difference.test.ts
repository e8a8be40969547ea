import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { difference, type Segment } from './difference.ts';

const joined = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join('');
const marked = (segments: readonly Segment[]): readonly string[] =>
  segments.filter(({ differs }) => differs).map(({ text }) => text);

test('difference: any texts -> both are complete', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (expected, actual) => {
      const { expected: left, actual: right } = difference(expected, actual);
      expect([joined(left), joined(right)]).toEqual([expected, actual]);
    }),
  );
});

test('difference: the same beginning and end -> marks only between them', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (expected, actual) => {
      const { expected: left, actual: right } = difference(
        `status ${expected} here`,
        `status ${actual} here`,
      );
      fc.pre(expected !== actual);
      const rest = (segments: readonly Segment[]) => joined(segments.filter(({ differs }) => !differs));
      expect(rest(left)).toBe(rest(right));
      expect(marked(left).join('').length + marked(right).join('').length).toBeGreaterThan(0);
    }),
  );
});

test('difference: a short word -> marked completely; a long number -> only its different digits', () => {
  expect(marked(difference('status 201', 'status 200').actual)).toEqual(['200']);
  expect(marked(difference('categoryId 9007199254740993', 'categoryId 9007199254740992').actual)).toEqual([
    '2',
  ]);
});

test('difference: an underscore -> not part of a word', () => {
  expect(marked(difference('the name a b', 'the name a_b').actual)).toEqual(['_']);
});

test('difference: equal texts -> no marks', () => {
  fc.assert(fc.property(fc.string(), (text) => marked(difference(text, text).actual).length === 0));
});

test('difference: nothing in common -> no marks', () => {
  expect(marked(difference('an array', 'no response').actual)).toEqual([]);
});
