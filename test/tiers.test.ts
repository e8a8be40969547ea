import { expect, test } from 'vitest';
import { costOf, type Tier, tierOf } from '../src/check/check.ts';
import { recipeFor, serve } from '../src/selftest/server.ts';
import { randomFrom } from '../src/util/random.ts';
import { checks } from '../suites/animal-store/index.ts';
import { runContextOf } from './support/executing.ts';
import { runInWords } from './support/run-in-words.ts';
import { noSettings } from './support/running.ts';

const runContext = runContextOf({ initialList: [{ id: 1n }] });
const examples = new Map(
  await Promise.all(checks.map(async (check) => [check.id, await check.inputs(runContext)] as const)),
);

/** The tiers of the systematic cases that a run on a budget sends, in order. */
const tiersSent = async (budget: number): Promise<readonly Tier[]> => {
  const { target, clock } = serve(recipeFor({ kind: 'fault', names: [] }), 1);
  const tiers: Tier[] = [];
  await runInWords(
    { ...noSettings, seed: 1, budget },
    {
      target,
      clock,
      watch: () => {},
      signal: new AbortController().signal,
      random: randomFrom(1),
      onAttempt: (check, index) => {
        const example = examples.get(check.id)?.[index];
        // A case that sends nothing may be left to the end.
        if (example !== undefined && costOf(check, runContext).requests > 0) tiers.push(tierOf(example));
      },
    },
  );
  return tiers;
};

test('a run of 300 requests sends every smoke case first, then core cases', async () => {
  const tiers = await tiersSent(300);
  const smoke = tiers.filter((tier) => tier === 'smoke').length;
  expect(smoke).toBeGreaterThan(40);
  expect(tiers.slice(0, smoke)).not.toContain('core');
  expect(tiers.indexOf('core')).toBeLessThan(tiers.indexOf('full'));
});

test('a run of 60 requests sends every smoke case', async () => {
  const count = (tiers: readonly Tier[]) => tiers.filter((tier) => tier === 'smoke').length;
  expect(count(await tiersSent(60))).toBe(count(await tiersSent(300)));
});
