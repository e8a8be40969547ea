import { expect, test } from 'vitest';
import { namePrefixFor, otherPrefixIn } from './name-prefix.ts';

const whole = { index: 1, of: 1 };
const start = 1_750_000_000_000;

test('name prefix: another seed, another start, or another shard -> another prefix', () => {
  const prefixes = [
    namePrefixFor(1, start, whole),
    namePrefixFor(2, start, whole),
    namePrefixFor(1, start + 1, whole),
    ...[1, 2, 3].map((index) => namePrefixFor(1, start, { index, of: 3 })),
  ];
  expect(new Set(prefixes).size).toBe(prefixes.length);
  expect(namePrefixFor(1, start, whole)).toBe(prefixes[0]);
  for (const prefix of prefixes) expect(prefix).toMatch(/^conformance-[0-9a-z]{7}-$/);
});

test('name of an animal: from another run -> the prefix of that run', () => {
  const [own, other] = [namePrefixFor(1, start, whole), namePrefixFor(2, start, whole)];
  expect(otherPrefixIn(`${other}create-9-md-5`, own)).toBe(other);
  for (const name of [`${own}create-9-md-5`, 'Rex', 'conformance-7-a', null, 7n])
    expect(otherPrefixIn(name, own)).toBe(null);
});
