import { expect, test } from 'vitest';
import { memoized, memoizedByValue, memoizedLast } from './memoize.ts';

test('memoized: same key -> the value is made once, even if it is undefined', () => {
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

test('memoizedByValue: equal keys -> the value is made once', () => {
  const made: string[] = [];
  const make = memoizedByValue((key: string) => made.push(key));
  for (const key of ['a', 'b', 'a']) make(key);
  expect(made).toEqual(['a', 'b']);
});

test('memoizedLast: changed argument -> the value is made again', () => {
  const made: string[] = [];
  const make = memoizedLast((text: string) => {
    made.push(text);
    return null;
  });
  for (const text of ['', '', 'a', '']) expect(make(text)).toBeNull();
  expect(made).toEqual(['', 'a', '']);
});
