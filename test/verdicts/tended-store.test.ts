import { expect, test } from 'vitest';
import type { Patch } from '../../src/reference/patch.ts';
import { replace, withState, wrap } from '../../src/reference/patch-kit/core.ts';
import { serve, setupFor } from '../../src/selftest/server.ts';
import { alarms, outcomeOn, resultOf } from '../support/run-in-words.ts';

const conforming = { ...setupFor({ kind: 'fault', names: [] }), seedPets: 30 };

/** Other clients remove all animals without this API, after the first requests of the run. */
const removed: Patch = withState(() => {
  let requests = 0;
  return wrap(async ({ state }, next) => {
    requests += 1;
    if (requests === 8) {
      state.pets.length = 0;
      state.petsById.clear();
    }
    return next();
  });
});

/** Other clients change their animals all the time: three of them in turn are missing from each list, except the longest. */
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

test('animals changed by others between two lists -> no alarm', async () => {
  expect(alarms(await outcomeOn({ ...conforming, patches: [changing] }, { only: ['LIST'] }))).toEqual([]);
});

test('animals removed by others -> no alarm', async () => {
  const outcome = await outcomeOn({ ...conforming, patches: [removed] }, { readOnly: true });
  expect(alarms(outcome)).toEqual([]);
  expect(resultOf(outcome, 'GET-4')).toMatchObject({
    verdict: 'inconclusive',
    reason: 'The requested animals are no longer listed',
  });
});

test.each([1, 2, 3, 4, 5])('a list reserves the first animal, seed %i -> no alarm', async (seed) => {
  const setup = setupFor({ kind: 'dialect', names: ['first-listed-is-reserved'] });
  const only = ['LIST-3', 'LIST-8', 'CREATE-9', 'GET-1', 'GET-7'];
  expect(alarms(await outcomeOn(setup, { only, seed, runs: 10 }))).toEqual([]);
});

/** Statuses change, and lists are cached for a second: a list from before a change or a creation is no failure. */
const behindCache: readonly (readonly [seed: number, names: readonly string[]])[] = [
  [
    -2092129341,
    [
      ...['first-of-repeated-parameters', 'long-addresses-refused-in-html', 'challenge-of-two-schemes'],
      ...['listed-by-status', 'ids-random', 'messages-of-several-lines', 'status-set-later'],
      'store-tended-behind-a-cache',
    ],
  ],
  [47514, ['listed-in-random-order', 'status-goes-round-slowly', 'store-tended-behind-a-cache']],
];

test.each(behindCache)('changing statuses behind a cache, seed %i -> no alarm', async (seed, names) => {
  const setup = setupFor({ kind: 'combination', names });
  expect(alarms(await outcomeOn(setup, { seed }, serve(setup, seed)))).toEqual([]);
});
