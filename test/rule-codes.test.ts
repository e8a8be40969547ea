import { expect, test } from 'vitest';
import { faults } from '../src/reference/faults/index.ts';
import type { Fault } from '../src/reference/patch.ts';
import { recipeFor, serve } from '../src/selftest/server.ts';
import { runInWords } from './support/run-in-words.ts';
import { noSettings } from './support/running.ts';

/** One fault of so many. */
const partOf = 90;

const codesOf = async ({ name, requirement }: Fault): Promise<readonly (string | undefined)[]> => {
  const recipe = recipeFor({ kind: 'fault', names: [name] });
  const { target, clock } = serve(recipe, 1);
  const settings = {
    ...noSettings,
    runs: 1,
    only: [requirement],
    seed: 1,
    exhaustDaily: recipe.leave === 'exhaust-daily',
  };
  const { outcome } = await runInWords(settings, {
    clock,
    watch: () => undefined,
    signal: new AbortController().signal,
    random: () => 0.5,
    target,
  });
  return outcome.requirements.flatMap(({ failures }) => failures.map(({ rule }) => rule));
};

const sample = faults.filter((_, index) => index % partOf === 0);

test('rules of failures: kebab case without values, on a sample of faults', async () => {
  const codes = new Set<string | undefined>();
  for (const fault of sample) for (const code of await codesOf(fault)) codes.add(code);
  expect(codes.size).toBeGreaterThan(3);
  for (const code of codes) expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
}, 120_000);
