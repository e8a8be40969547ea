import { expect, test } from 'vitest';
import type { Patch } from '../src/reference/patch.ts';
import { around, perServer } from '../src/reference/patches.ts';
import { runConformance } from '../src/run/run.ts';
import { serve } from '../src/selftest/server.ts';
import { noSettings } from './support/running.ts';

/** Others remove all their animals by other means, once the run has looked around. */
const removed: Patch = perServer(() => {
  let requests = 0;
  return around(async ({ world }, next) => {
    requests += 1;
    if (requests === 8) {
      world.pets.length = 0;
      world.petsById.clear();
    }
    return next();
  });
});

test('animals that others remove are not held against a server', async () => {
  const startsAt = Date.parse('2026-06-01T12:00:00Z');
  const recipe = { patches: [removed], seedPets: 30, startsAt, leave: 'nothing', basePath: '/v1' } as const;
  const { target, clock } = serve(recipe, 1);
  const { outcome, exit } = await runConformance(
    { ...noSettings, seed: 1, readOnly: true },
    { target, clock, watch: () => {}, signal: new AbortController().signal, random: Math.random },
  );
  expect(outcome.requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(exit).toBe(0);
  const { verdict, reason } = outcome.requirements.find(({ id }) => id === 'GET-4') ?? {};
  expect([verdict, reason]).toEqual(['inconclusive', 'the animals that were asked for are listed no longer']);
});
