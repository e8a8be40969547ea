import { expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import { outcomeWith, resultOf } from '../support/run-in-words.ts';

/** Without RATE-1 to RATE-3, which any request tests. */
const sample = faults
  .filter(({ needs, requirement }) => needs === undefined && !/^RATE-[123]$/.test(requirement))
  .filter((_, index) => index % 14 === 0);

test.each([
  ['--max-creates 20', { maxCreates: 20 }],
  ['--read-only', { readOnly: true }],
  ['--budget 100', { budget: 100 }],
] as const)('%s: a requirement that a full run fails -> never passed', async (_, limit) => {
  expect(sample.length).toBeGreaterThan(30);
  const passed = sample.map(async ({ name, requirement }) => {
    const outcome = await outcomeWith([name], { runs: 5, ...limit }, { isReported: false });
    return resultOf(outcome, requirement)?.verdict === 'passed' ? [name] : [];
  });
  expect((await Promise.all(passed)).flat()).toEqual([]);
});
