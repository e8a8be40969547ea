// What a server does that its document does not have.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { folder } from '../support/processes.ts';
import { serveOnSocket } from '../support/servers.ts';

const described = { description: 'As described.' };
const document = {
  openapi: '3.1.0',
  info: { title: 'Rooms', version: '1' },
  paths: {
    '/rooms': {
      get: {
        parameters: [{ name: 'floor', in: 'query', schema: { type: 'integer' } }],
        responses: {
          200: { ...described, content: { 'application/json': { schema: { type: 'array' } } } },
          404: described,
        },
      },
    },
  },
};

const runOn = async (...words: readonly string[]) => {
  const spec = join(folder, 'rooms.json');
  await writeFile(spec, JSON.stringify(document));
  const { baseUrl } = await serveOnSocket({
    keys: [],
    fetch: async ({ method, url }) => {
      if (method === 'DELETE') return new Response(null, { status: 204 });
      if (method !== 'GET') return new Response(null, { status: 405 });
      const floor = new URL(url).searchParams.get('floor') ?? '1';
      return /^-?\d+$/.test(floor) ? Response.json([]) : new Response(null, { status: 409 });
    },
    refuse: async () => new Response(null, { status: 400 }),
  });
  const { code, report } = await run(['--spec', spec, '--base-url', baseUrl, '--seed', '1', ...words]);
  return { code, observations: report?.observations ?? [] };
};

test('undocumented method that works -> an observation', async () => {
  const { code, observations } = await runOn();
  expect(code).toBe(0);
  expect(observations).toContainEqual(
    expect.objectContaining({
      subject: 'methods that work, and that the document does not have',
      value: 'DELETE /rooms',
    }),
  );
});

test('undocumented status of an invalid request -> an observation, and a failure with --strict-statuses', async () => {
  const { code, observations } = await runOn();
  expect(code).toBe(0);
  expect(observations).toContainEqual(
    expect.objectContaining({ subject: 'undocumented statuses of GET /rooms', value: '409' }),
  );
  expect((await runOn('--strict-statuses')).code).toBe(1);
});
