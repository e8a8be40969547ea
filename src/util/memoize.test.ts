import { expect, test } from 'vitest';
import { memoized, memoizedLast } from './memoize.ts';

test('makes a value once for each key, undefined included', () => {
  const made: object[] = [];
  const make = memoized((key: object) => {
    made.push(key);
    return undefined;
  });
  const [one, other] = [{}, {}];
  make(one);
  make(one);
  make(other);
  expect(made).toEqual([one, other]);
});

test('makes a value again where the argument has changed since the last time', () => {
  const made: string[] = [];
  const make = memoizedLast((text: string) => {
    made.push(text);
    return null;
  });
  for (const text of ['', '', 'a', '']) expect(make(text)).toBeNull();
  expect(made).toEqual(['', 'a', '']);
});
