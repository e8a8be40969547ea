import { expect, test } from 'vitest';
import type { Patch } from '../src/reference/patch.ts';
import { replace, withState, wrap } from '../src/reference/patch-kit/core.ts';
import { serve } from '../src/selftest/server.ts';
import { randomFrom } from '../src/util/random.ts';
import { runInWords } from './support/run-in-words.ts';
import { noSettings } from './support/running.ts';

/** Others remove all their animals by other means, once the run has looked around. */
const removed: Patch = withState(() => {
  let requests = 0;
  return wrap(async ({ world }, next) => {
    requests += 1;
    if (requests === 8) {
      world.pets.length = 0;
      world.petsById.clear();
    }
    return next();
  });
});

/** Others change their animals all the time: three of them, by turns, are away from each list but the longest. */
const changing: Patch = withState(() => {
  let lists = 0;
  return replace('select', (before) => (pets, query, call) => {
    lists += 1;
    const isAway = (id: bigint): boolean => query.limit < 100 && id <= 30n && Number(id) % 10 === lists % 10;
    return before(
      [...pets].filter(({ id }) => !isAway(id)),
      query,
      call,
    );
  });
});

test('animals that others change between two lists are not held against a server', async () => {
  const startsAt = Date.parse('2026-06-01T12:00:00Z');
  const recipe = { patches: [changing], seedPets: 30, startsAt, leave: 'nothing', basePath: '/v1' } as const;
  const { target, clock } = serve(recipe, 1);
  const { outcome } = await runInWords(
    { ...noSettings, seed: 1, only: ['LIST'] },
    { target, clock, watch: () => {}, signal: new AbortController().signal, random: randomFrom(1) },
  );
  expect(outcome.requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
});

test('animals that others remove are not held against a server', async () => {
  const startsAt = Date.parse('2026-06-01T12:00:00Z');
  const recipe = { patches: [removed], seedPets: 30, startsAt, leave: 'nothing', basePath: '/v1' } as const;
  const { target, clock } = serve(recipe, 1);
  const { outcome, exit } = await runInWords(
    { ...noSettings, seed: 1, readOnly: true },
    { target, clock, watch: () => {}, signal: new AbortController().signal, random: randomFrom(1) },
  );
  expect(outcome.requirements.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(exit).toBe(0);
  const { verdict, reasonCode } = outcome.requirements.find(({ id }) => id === 'GET-4') ?? {};
  expect([verdict, reasonCode]).toEqual(['inconclusive', 'state-changed']);
});
