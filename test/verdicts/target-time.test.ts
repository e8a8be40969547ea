import { expect, test } from 'vitest';
import { serve, setupFor } from '../../src/selftest/server.ts';
import { outcomeOn, resultOf } from '../support/run-in-words.ts';

const removal = Date.UTC(2030, 11, 5);
const days = 24 * 3600 * 1000;

/** The verdicts on getPet. The clock of the target is this far from the removal, and the clock of the run is on its other side. */
const verdicts = async (toRemoval: number) => {
  const setup = { ...setupFor({ kind: 'dialect', names: [] }), startsAt: removal + toRemoval };
  const { target, clock } = serve(setup, 1);
  const settings = { only: ['GET-4', 'GET-5'] };
  const other = { ...clock, now: () => clock.now() - 2 * toRemoval };
  const outcome = await outcomeOn(setup, settings, { target, clock: other });
  return settings.only.map((id) => resultOf(outcome, id)?.verdict);
};

test('the clock of the target, not that of the run, decides whether getPet must work', async () => {
  expect(await verdicts(-10 * days)).toEqual(['passed', 'skipped']);
  expect(await verdicts(10 * days)).toEqual(['skipped', 'passed']);
});
