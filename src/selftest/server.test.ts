import { expect, test } from 'vitest';
import { dialects } from '../reference/dialects/index.ts';
import { serve, setupFor } from './server.ts';

test('keys: depend only on the seed', () => {
  const setup = {
    patches: [],
    seedPets: 3,
    basePath: '/v1',
    startsAt: 0,
    permission: 'rate-limit-key',
  } as const;
  const keys = (seed: number) => serve(setup, seed).target.keys;
  expect(keys(5)).toEqual(keys(5));
  expect(keys(6)).not.toEqual(keys(5));
});

test('setup of a combination: has every patch in order, and the animals and the time that one of them needs', () => {
  const sparse = dialects.find(({ seedPets }) => seedPets === 0);
  const late = dialects.find(({ now }) => now !== undefined);
  const plain = dialects.find(({ now, seedPets }) => now === undefined && seedPets === undefined);
  const parts = [sparse, late, plain].filter((dialect) => dialect !== undefined);
  expect(setupFor({ kind: 'combination', names: parts.map(({ name }) => name) })).toMatchObject({
    patches: parts.map(({ patch }) => patch),
    seedPets: 0,
    startsAt: Date.parse(late?.now ?? ''),
    permission: 'rate-limit-key',
  });
});
