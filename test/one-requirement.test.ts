import { expect, test } from 'vitest';
import type { RunSettings } from '../src/config/settings.ts';
import { recipeFor, serve } from '../src/selftest/server.ts';
import { randomFrom } from '../src/util/random.ts';
import { faultNamed } from './support/faults.ts';
import { runInWords } from './support/run-in-words.ts';
import { noSettings } from './support/running.ts';

const judge = async (name: string, settings: Partial<RunSettings>) => {
  const { target, clock } = serve(recipeFor({ kind: 'fault', names: [name] }), 1);
  const { outcome } = await runInWords(
    { ...noSettings, seed: 1, ...settings },
    { target, clock, watch: () => {}, signal: new AbortController().signal, random: randomFrom(1) },
  );
  return outcome;
};

/** They show only where there are more animals than in a store of a few. */
const inLongLists = [
  'no-default-limit',
  'default-limit-lost-with-status',
  'limit-of-one-hundred-one-too-many',
  'limit-without-maximum',
  'pages-cut-at-fifty',
  'batches-overlap-by-one',
];

test.each(inLongLists.map(faultNamed))(
  '$name is found where only $requirement is judged',
  async ({ name, requirement }) => {
    const { requirements } = await judge(name, { only: [requirement] });
    expect(requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual([
      requirement,
    ]);
  },
);

/** How many animals are created to judge LIST-2 on a store of twelve, and what comes of it. */
const madeFor = async (settings: Partial<RunSettings>) => {
  const { traffic, requirements } = await judge('no-default-limit', { only: ['LIST-2'], ...settings });
  return [traffic.created, requirements.find(({ id }) => id === 'LIST-2')?.verdict];
};

test('what --max-creates does not suffice for is not begun, and what it suffices for is judged', async () => {
  expect(await madeFor({ maxCreates: 8 })).toEqual([0, 'inconclusive']);
  // With nine more the store has more than a page, but not of each status.
  expect(await madeFor({ maxCreates: 30 })).toEqual([9, 'failed']);
});

test('of a budget no more than a tenth goes into filling the store', async () => {
  expect(await madeFor({ budget: 80 })).toEqual([0, 'inconclusive']);
  expect(await madeFor({ budget: 90 })).toEqual([9, 'failed']);
});

test('a key that is taken where none counts is told by its place, whichever it is', async () => {
  const { requirements } = await judge('key-in-x-api-key-for-orders', { only: ['AUTH-3'], runs: 0 });
  const failures = requirements.find(({ id }) => id === 'AUTH-3')?.failures ?? [];
  expect(failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^GET \/store\/orders with the valid key in the header X-API-Key: expected 401 .*, got 200$/,
    ),
  ]);
});
