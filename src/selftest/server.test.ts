import { expect, test } from 'vitest';
import { dialects } from '../reference/dialects/index.ts';
import { faults } from '../reference/faults/index.ts';
import { serve, setupFor } from './server.ts';

const conforming = {
  patches: [],
  seedPets: 3,
  basePath: '/v1',
  startsAt: Date.parse('2026-06-01T12:00:00Z'),
};
const get = async (key: string | null, { target }: ReturnType<typeof serve>) => {
  const wire = {
    method: 'GET',
    url: `${target.baseUrl}/pets`,
    headers: [['Authorization', `Bearer ${key}`]] as const,
    body: null,
  };
  const result = await target.transport.send(wire, { timeoutMs: 1_000 });
  return result.ok ? result.response : null;
};

test('server: starts at its own time, with its own animals, and accepts its key', async () => {
  const served = serve({ ...conforming, permission: 'nothing' }, 5);
  const response = await get(served.target.keys.main, served);
  expect(response?.status).toBe(200);
  expect(new Map(response?.headers).get('date')).toBe('Mon, 01 Jun 2026 12:00:00 GMT');
  expect(JSON.parse(new TextDecoder().decode(response?.body))).toHaveLength(3);
  expect(served.target.keys['rate-limit']).toBe(null);
});

test('permission to use up a limit -> a second key of the smallest plan', async () => {
  const served = serve({ ...conforming, permission: 'rate-limit-key' }, 5);
  expect(served.target.plans).toEqual({ main: 'business', 'rate-limit': 'free' });
  const response = await get(served.target.keys['rate-limit'], served);
  expect(new Map(response?.headers).get('x-ratelimit-limit')).toBe('60');
});

test('keys: depend only on the seed', () => {
  const keys = (seed: number) => serve({ ...conforming, permission: 'rate-limit-key' }, seed).target.keys;
  expect(keys(5)).toEqual(keys(5));
  expect(keys(6)).not.toEqual(keys(5));
});

test('setup: has the patches, animals, time, and permission of its fault or dialect', () => {
  for (const fault of faults) {
    expect(setupFor({ kind: 'fault', names: [fault.name] }), fault.name).toEqual({
      patches: [fault.patch],
      seedPets: fault.seedPets ?? 12,
      startsAt: Date.parse(fault.now ?? '2026-06-01T12:00:20Z'),
      permission: fault.needs ?? 'nothing',
      basePath: 'basePath' in fault ? fault.basePath : '/v1',
    });
  }
  for (const dialect of dialects) {
    expect(setupFor({ kind: 'dialect', names: [dialect.name] }), dialect.name).toEqual({
      patches: [dialect.patch],
      seedPets: dialect.seedPets ?? 12,
      startsAt: Date.parse(dialect.now ?? '2026-06-01T12:00:20Z'),
      permission: dialect.needs ?? 'nothing',
      basePath: '/v1',
    });
  }
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

test('setup of an unknown fault -> throws', () => {
  expect(() => setupFor({ kind: 'fault', names: ['no-such-fault'] })).toThrow(
    'There is no fault no-such-fault.',
  );
});
