import { expect, test } from 'vitest';
import type { RunSettings } from '../src/config/settings.ts';
import { faults } from '../src/reference/faults/index.ts';
import { recipeFor, serve } from '../src/selftest/server.ts';
import { randomFrom } from '../src/util/random.ts';
import { runInWords } from './support/run-in-words.ts';
import { noSettings } from './support/running.ts';

const verdictOf = async (fault: (typeof faults)[number], limit: Partial<RunSettings>) => {
  const { target, clock } = serve(recipeFor({ kind: 'fault', names: [fault.name] }), 1);
  const { outcome } = await runInWords(
    { ...noSettings, seed: 1, runs: 5, ...limit },
    {
      target,
      clock,
      watch: () => {},
      signal: new AbortController().signal,
      random: randomFrom(1),
      isReported: false,
    },
  );
  return outcome.requirements.find(({ id }) => id === fault.requirement)?.verdict;
};

/** RATE-1 to RATE-3 are tested on whatever is sent. */
const sample = faults
  .filter(({ needs, requirement }) => needs === undefined && !/^RATE-[123]$/.test(requirement))
  .filter((_, index) => index % 16 === 0);

test.each([
  ['--max-creates 20', { maxCreates: 20 }],
  ['--read-only', { readOnly: true }],
  ['--budget 100', { budget: 100 }],
] as const)('%s: a requirement that a full run fails -> never passed', async (_, limit) => {
  expect(sample.length).toBeGreaterThan(30);
  const verdicts = await Promise.all(sample.map((fault) => verdictOf(fault, limit)));
  expect(sample.filter((_, index) => verdicts[index] === 'passed').map(({ name }) => name)).toEqual([]);
});
