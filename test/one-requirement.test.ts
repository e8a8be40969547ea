import { expect, test } from 'vitest';
import { faults } from '../src/reference/faults/index.ts';
import { runConformance } from '../src/run/run.ts';
import { recipeFor, serve } from '../src/selftest/server.ts';
import type { RunSettings } from '../src/settings/settings.ts';
import { noSettings } from './support/running.ts';

const judge = async (name: string, settings: Partial<RunSettings>) => {
  const { target, clock } = serve(recipeFor({ kind: 'fault', names: [name] }), 1);
  const { outcome } = await runConformance(
    { ...noSettings, seed: 1, ...settings },
    { target, clock, watch: () => {}, signal: new AbortController().signal, random: Math.random },
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

const found = faults
  .filter(({ name }) => inLongLists.includes(name))
  .map(({ name, requirement }) => [name, requirement] as const);

test.each(found)('%s is found where only %s is judged', async (name, requirement) => {
  const { requirements } = await judge(name, { only: [requirement] });
  expect(requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual([
    requirement,
  ]);
});

test('what --max-creates does not suffice for is not begun', async () => {
  const { traffic, requirements } = await judge('no-default-limit', { only: ['LIST-2'], maxCreates: 30 });
  expect(traffic.created).toBe(0);
  expect(requirements.find(({ id }) => id === 'LIST-2')?.verdict).toBe('inconclusive');
});
