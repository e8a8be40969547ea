import { expect, test } from 'vitest';
import { recipeFor, serve } from '../src/selftest/server.ts';
import { randomFrom } from '../src/util/random.ts';
import { runInWords } from './support/run-in-words.ts';
import { noSettings } from './support/running.ts';

const removal = Date.UTC(2030, 11, 5);
const days = 24 * 3600 * 1000;

/** The verdicts on getPet where the target's clock is so far from the removal, and the run's on the other side of it. */
const verdicts = async (toRemoval: number) => {
  const recipe = { ...recipeFor({ kind: 'dialect', names: [] }), startsAt: removal + toRemoval };
  const { target, clock } = serve(recipe, 1);
  const { outcome } = await runInWords(
    { ...noSettings, seed: 1, only: ['GET-4', 'GET-5'] },
    {
      target,
      clock: { ...clock, now: () => clock.now() - 2 * toRemoval },
      watch: () => {},
      signal: new AbortController().signal,
      random: randomFrom(1),
    },
  );
  return outcome.requirements
    .filter(({ id }) => ['GET-4', 'GET-5'].includes(id))
    .map(({ id, verdict }) => [id, verdict]);
};

test('the time of the target decides whether getPet is to be served, and not that of the run', async () => {
  expect(await verdicts(-10 * days)).toEqual([
    ['GET-4', 'passed'],
    ['GET-5', 'skipped'],
  ]);
  expect(await verdicts(10 * days)).toEqual([
    ['GET-4', 'skipped'],
    ['GET-5', 'passed'],
  ]);
});
