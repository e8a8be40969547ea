import { expect, test } from 'vitest';
import { serve, setupFor } from '../src/selftest/server.ts';
import { outcomeOn, verdictOf } from './support/run-in-words.ts';

const removal = Date.UTC(2030, 11, 5);
const days = 24 * 3600 * 1000;

/** The verdicts on getPet if the target's clock is so far from the removal, and the run's on the other side of it. */
const verdicts = async (toRemoval: number) => {
  const setup = { ...setupFor({ kind: 'dialect', names: [] }), startsAt: removal + toRemoval };
  const { target, clock } = serve(setup, 1);
  const settings = { only: ['GET-4', 'GET-5'] };
  const other = { ...clock, now: () => clock.now() - 2 * toRemoval };
  const outcome = await outcomeOn(setup, settings, { target, clock: other });
  return settings.only.map((id) => verdictOf(outcome, id)?.verdict);
};

test('the time of the target decides whether getPet must work, and not that of the run', async () => {
  expect(await verdicts(-10 * days)).toEqual(['passed', 'skipped']);
  expect(await verdicts(10 * days)).toEqual(['skipped', 'passed']);
});
