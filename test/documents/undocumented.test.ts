// What a server does that its document does not have.
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { folder } from '../support/processes.ts';
import { openServer, serveOnSocket } from '../support/servers.ts';

const described = { description: 'As described.' };
const hall = { name: 'hall', in: 'path', required: true, schema: { type: 'string', minLength: 1 } };
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
    '/halls/{hall}': { delete: { parameters: [hall], responses: { 404: described } } },
  },
};

const runOn = async (...words: readonly string[]) => {
  const spec = join(folder, 'rooms.json');
  await writeFile(spec, JSON.stringify(document));
  const { baseUrl } = await serveOnSocket({
    keys: [],
    fetch: async ({ method, url }) => {
      if (url.includes('/halls/')) return new Response(null, { status: 404 });
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

type Refusal = (response: ServerResponse, server: Server, method: string) => unknown;

const status =
  (code: number): Refusal =>
  (response) =>
    response.writeHead(code).end();

const refusals: Readonly<Record<string, Refusal>> = {
  'fails with 500': status(500),
  'does not implement the method for this path (501)': status(501),
  'is behind a gateway that returns 502': status(502),
  'is in maintenance (503)': status(503),
  'closes the connection': (response) => response.socket?.destroy(),
  'closes the connection in its response': (response) => {
    response.writeHead(200, { 'Content-Length': '9' }).write('{');
    response.socket?.destroy();
  },
  'sends something else than HTTP': (response) => response.socket?.end('Not permitted.\r\n\r\n'),
  'does not respond': () => undefined,
  'streams without end': (response) =>
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n'),
  'stops after a deletion': (response, server, method) => {
    response.writeHead(method === 'DELETE' ? 204 : 405).end();
    if (method === 'DELETE') server.close();
  },
};

/** A server of rooms that treats methods which the document does not have in a way of its own. */
const serverThat = (refuse: Refusal): Server => {
  const server = createServer(({ method = '', url = '', headers }: IncomingMessage, response) => {
    if (url.startsWith('/halls/')) return response.writeHead(404).end();
    if (method !== 'GET') return refuse(response, server, method);
    const isInvalid = !/^(-?\d+)?$/.test(
      new URL(url, `http://${headers.host}`).searchParams.get('floor') ?? '',
    );
    return response.writeHead(isInvalid ? 404 : 200, { 'Content-Type': 'application/json' }).end('[]');
  });
  return server;
};

test.each(Object.entries(refusals))(
  'methods that the document does not have: a server that %s -> no failure',
  async (_, refuse) => {
    const spec = join(folder, 'rooms-refused.json');
    await writeFile(spec, JSON.stringify(document));
    const host = await openServer(serverThat(refuse));
    const words = ['--spec', spec, '--base-url', `http://${host}`, '--seed', '1', '--timeout', '1000'];
    const { code, report } = await run(words);
    const messages = report?.requirements.flatMap(({ failures }) => failures.map(({ message }) => message));
    expect({ code, messages }).toEqual({ code: 0, messages: [] });
    const failing = report?.observations.find(({ subject }) => subject.startsWith('methods that fail'));
    expect(failing?.values).toEqual(
      refuse === refusals['fails with 500'] ? ['DELETE /rooms', 'POST /rooms'] : undefined,
    );
  },
);
