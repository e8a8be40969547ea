import { expect, test } from 'vitest';
import { createReference } from '../reference.ts';
import { testKeys } from '../testing.ts';
import { versionFaults } from './version.ts';

test.each(versionFaults)(
  '$name: it serves below $basePath, and nothing at /v1',
  async ({ basePath, patch }) => {
    const clock = { now: () => 0, sleep: async () => undefined };
    const server = createReference({ clock, keys: testKeys, random: () => 0.5, patches: [patch] });
    const ask = async (path: string) => {
      const headers = { authorization: 'Bearer key-business' };
      return (await server.fetch(new Request(`http://localhost${path}`, { headers }))).status;
    };
    expect(basePath).not.toMatch(/\/v1$/);
    expect(await ask(`${basePath}/pets`)).toBe(200);
    expect(await ask(`${basePath}/store/orders`)).toBe(200);
    expect(await ask('/v1/pets')).toBe(404);
  },
);
