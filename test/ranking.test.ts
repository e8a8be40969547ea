import { expect, test } from 'vitest';
import { caseName, mostTelling } from '../src/run/budget.ts';
import { runConformance } from '../src/run/run.ts';
import { randomFrom } from '../src/run/seed.ts';
import { recipeFor, serve } from '../src/selftest/server.ts';
import { noSettings } from './support/running.ts';

/** The cases of a run of few requests, in the order in which they end. */
const casesOf = async (ranking?: readonly string[]): Promise<readonly string[]> => {
  const { target, clock } = serve(recipeFor({ kind: 'fault', names: [] }), 1);
  const cases: string[] = [];
  await runConformance(
    { ...noSettings, seed: 1, budget: 40 },
    {
      target,
      clock,
      watch: () => {},
      signal: new AbortController().signal,
      random: randomFrom(1),
      onAttempt: (check, index) => cases.push(caseName(check, index)),
      ...(ranking === undefined ? {} : { ranking }),
    },
  );
  return cases;
};

test('with a budget the cases come first that a ranking names, whatever was learnt', async () => {
  const ranked = mostTelling().findLast((name) => name.startsWith('CREATE-')) ?? '';
  expect((await casesOf())[0]).not.toBe(ranked);
  expect((await casesOf([ranked]))[0]).toBe(ranked);
});
