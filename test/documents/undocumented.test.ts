// What a server does that its document does not have.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { runOnApi } from '../support/api-run.ts';

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

const roomsServer = async ({ method, url }: Request): Promise<Response> => {
  if (url.includes('/halls/')) return new Response(null, { status: 404 });
  if (method === 'DELETE') return new Response(null, { status: 204 });
  if (method !== 'GET') return new Response(null, { status: 405 });
  const floor = new URL(url).searchParams.get('floor') ?? '1';
  return /^-?\d+$/.test(floor) ? Response.json([]) : new Response(null, { status: 409 });
};

test('undocumented method that works, undocumented status of an invalid request -> observations', async () => {
  const { exitCode, report } = await runOnApi(document, roomsServer);
  expect(exitCode).toBe(0);
  const observed = report.observations.map(({ subject, value }) => `${subject}: ${value}`);
  expect(observed).toContain('methods that work, and that the document does not have: DELETE /rooms');
  expect(observed).toContain('undocumented statuses of GET /rooms: 409');
});

test('undocumented status of an invalid request, with strictStatuses -> a failure', async () => {
  expect((await runOnApi(document, roomsServer, { strictStatuses: true })).exitCode).toBe(1);
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
    // The default is long for these servers, and a shorter one would be too short on a busy machine.
    const isSlow = refuse === refusals['does not respond'] || refuse === refusals['streams without end'];
    const settings = isSlow ? { timeout: 4_000 } : {};
    const { exitCode, report } = await runOnApi(document, serverThat(refuse), settings);
    const messages = report.requirements.flatMap(({ failures }) => failures.map(({ message }) => message));
    expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
    const failing = report.observations.find(({ subject }) => subject.startsWith('methods that fail'));
    expect(failing?.values).toEqual(
      refuse === refusals['fails with 500'] ? ['DELETE /rooms', 'POST /rooms'] : undefined,
    );
  },
);
