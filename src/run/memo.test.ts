import { expect, test } from 'vitest';
import { memoised } from './memo.ts';

test('makes a value once for each key, undefined included', () => {
  const made: object[] = [];
  const make = memoised((key: object) => {
    made.push(key);
    return undefined;
  });
  const [one, other] = [{}, {}];
  make(one);
  make(one);
  make(other);
  expect(made).toEqual([one, other]);
});
