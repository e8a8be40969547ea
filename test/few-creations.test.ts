import { expect, test } from 'vitest';
import { recipeFor, serve } from '../src/selftest/server.ts';
import { randomFrom } from '../src/util/random.ts';
import { faultNamed } from './support/faults.ts';
import { runInWords } from './support/run-in-words.ts';
import { noSettings } from './support/running.ts';

/** What a run that may create so many animals finds out of a server with faults. */
const judge = async (names: readonly string[], maxCreates: number) => {
  const { target, clock } = serve(recipeFor({ kind: 'fault', names }), 1);
  const { outcome } = await runInWords(
    { ...noSettings, seed: 1, maxCreates },
    { target, clock, watch: () => {}, signal: new AbortController().signal, random: randomFrom(1) },
  );
  return outcome;
};

/** The verdicts of a run that may create few animals. */
const verdictsOn = async (names: readonly string[], maxCreates: number) => {
  const outcome = await judge(names, maxCreates);
  expect(outcome.traffic.created).toBeLessThanOrEqual(maxCreates);
  return new Map(outcome.requirements.map(({ id, verdict }) => [id, verdict]));
};

const refusals = ['CREATE-5', 'CREATE-6', 'CREATE-7', 'CREATE-8', 'AUTH-1', 'AUTH-2'];

test.each([3, 5, 25])('with leave for %i creations all that is to be refused is tried', async (most) => {
  const verdicts = await verdictsOn([], most);
  expect(refusals.map((id) => [id, verdicts.get(id)])).toEqual(refusals.map((id) => [id, 'passed']));
});

const foundByFive = [
  'trailing-text-ignored',
  'category-optional',
  'category-text-made-number',
  'null-body-passes',
  'status-cut-at-its-line-break',
];

test.each(foundByFive)('leave for five creations is enough to find %s', async (name) => {
  const { requirement } = faultNamed(name);
  expect((await verdictsOn([name], 5)).get(requirement)).toBe('failed');
});

test('animals that are created with another status than 201 are counted and listed as well', async () => {
  const { traffic, created } = await judge(['created-with-200'], 40);
  expect(traffic.created).toBeGreaterThan(20);
  expect(traffic.created).toBeLessThanOrEqual(40);
  expect(created).toHaveLength(traffic.created);
});
