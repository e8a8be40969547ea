import { expect, test } from 'vitest';
import type { Patch } from '../src/reference/patch.ts';
import { replace } from '../src/reference/patch-kit/core.ts';
import { refuseValid } from '../src/reference/patch-kit/refusals.ts';
import { jsonReply, type Reply } from '../src/reference/reply.ts';
import { recipeFor, serve } from '../src/selftest/server.ts';
import { runInWords } from './support/run-in-words.ts';
import { noSettings } from './support/running.ts';

/** An empty store whose creations end otherwise, whatever their body; all else is as it should be. */
const createsNothing = (answer: () => Reply): Patch =>
  replace('handlers', (before) => ({ ...before, createPet: async () => answer() }));

const runOn = async (patch: Patch) => {
  const recipe = recipeFor({ kind: 'fault', names: [] });
  const { target, clock } = serve({ ...recipe, seedPets: 0, patches: [patch] }, 1);
  const { outcome } = await runInWords(
    { ...noSettings, seed: 1 },
    { target, clock, watch: () => {}, signal: new AbortController().signal, random: () => 0.5 },
  );
  return outcome;
};

const refusedWith = (status: number) => (): Reply =>
  jsonReply(status, { code: 'refused', message: 'No.', status: BigInt(status) });

test.each([401, 403, 404, 405, 415])(
  'a creation that is answered with %i whatever its body is fails for itself, not for the category',
  async (status) => {
    const { requirements } = await runOn(createsNothing(refusedWith(status)));
    const failed = requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    expect(failed).toEqual(expect.arrayContaining(['CREATE-1']));
    expect(failed.filter((id) => id !== 'CREATE-1' && id !== 'GEN-1')).toEqual([]);
  },
);

test.each([400, 404, 409, 422])(
  'a valid creation alone that is answered with %i may be refused for a category that does not exist',
  async (status) => {
    const { requirements, verdict } = await runOn(refuseValid(refusedWith(status)));
    expect(verdict).toBe('conformant');
    expect(requirements.find(({ id }) => id === 'CREATE-1')).toMatchObject({
      verdict: 'inconclusive',
      reason: `POST /pets returned ${status} and no category is known: set --category-id`,
    });
  },
);

test('where no creation gives an animal to go on with, the reason says so, and not that the leave for creations is used up', async () => {
  const { requirements } = await runOn(createsNothing(() => jsonReply(201, { name: 'Rex', categoryId: 1n })));
  expect(requirements.find(({ id }) => id === 'GET-4')?.reason).toBe(
    'No animal could be created (POST /pets returned 201 without an int64 id)',
  );
});
