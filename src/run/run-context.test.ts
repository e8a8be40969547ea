import { expect, test } from 'vitest';
import { namePrefixFor } from './run-context.ts';

const whole = { index: 1, of: 1 };

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
  for (const prefix of prefixes) expect(prefix).toMatch(/^conformance-[0-9a-z]{7}-$/);
});
