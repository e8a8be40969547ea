// Servers that break one promise of their document, each beside the same server that keeps it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { folder } from '../support/processes.ts';
import { serveOnSocket } from '../support/servers.ts';
import { type Fetch, json, objectIn } from './things-server.ts';

const described = { description: 'As described.' };
const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const title = { type: 'string', minLength: 1, maxLength: 40 };
const id = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1, maximum: 99999 },
});
const members = { title, seats: { type: 'integer', minimum: 1, maximum: 90 } };
const event = {
  requestBody: {
    required: true,
    ...content({
      type: 'object',
      required: ['title', 'seats', 'code'],
      properties: { ...members, code: { ...title, writeOnly: true } },
    }),
  },
};
const shown = content({ type: 'object', properties: { id: { type: 'integer' }, title: {}, seats: {} } });

const document = {
  openapi: '3.1.0',
  info: { title: 'Events', version: '1' },
  paths: {
    '/halls': {
      post: {
        requestBody: {
          required: true,
          ...content({ type: 'object', required: ['title'], properties: { title } }),
        },
        responses: { 201: { ...described, ...content({ type: 'object' }) } },
      },
    },
    '/halls/{hallId}/events': {
      parameters: [id('hallId')],
      get: { responses: { 200: { ...described, ...content({ type: 'array' }) }, 404: described } },
      post: { ...event, responses: { 201: { ...described, ...shown }, 404: described } },
    },
    '/halls/{hallId}/events/{eventId}': {
      parameters: [id('hallId'), id('eventId')],
      get: { responses: { 200: { ...described, ...shown }, 404: described } },
      put: {
        ...event,
        parameters: [{ name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } }],
        responses: { 200: { ...described, ...shown }, 404: described, 412: described },
      },
    },
    '/towns': {
      get: {
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } }],
        responses: { 200: { ...described, ...content({ type: 'array', items: { type: 'object' } }) } },
      },
    },
  },
};

const faults = {
  'shows a write-only code': 'RES-1',
  'loses a number of an update': 'RES-2',
  'lists the events of all halls': 'RES-10',
  'accepts an old entity tag': 'RES-12',
  'has a list that ignores its limit': 'RES-6',
} as const;

interface Event {
  readonly id: number;
  readonly hall: number;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
}

const missing = () => new Response(null, { status: 404 });

const serve = (fault: keyof typeof faults | null): Fetch => {
  const events = new Map<number, Event>();
  let last = 0;
  const tagOf = ({ id, version }: Event) => `"${id}-${version}"`;
  const show = (status: number, each: Event): Response => {
    const { code, ...values } = each.values;
    const secret = fault === 'shows a write-only code' ? { code } : {};
    return json(status, { ...values, ...secret, id: each.id }, { ETag: tagOf(each) });
  };
  const replace = async (request: Request, before: Event): Promise<Response> => {
    const tag = request.headers.get('if-match') ?? '';
    const isOld = tag.startsWith(`"${before.id}-`) && fault === 'accepts an old entity tag';
    if (tag !== tagOf(before) && !isOld) return new Response(null, { status: 412 });
    const sent = (await objectIn(request)) ?? {};
    const kept = fault === 'loses a number of an update' ? { seats: before.values.seats } : {};
    const event = { ...before, version: before.version + 1, values: { ...sent, ...kept } };
    events.set(event.id, event);
    return show(200, event);
  };
  const below = async (request: Request, hall: number): Promise<Response> => {
    if (!(hall >= 1 && hall <= 1_000)) return missing();
    if (request.method === 'POST') {
      last += 1;
      events.set(last, { id: last, hall, version: 1, values: (await objectIn(request)) ?? {} });
      return show(201, events.get(last) as Event);
    }
    const isAll = fault === 'lists the events of all halls';
    const some = [...events.values()].filter((each) => isAll || each.hall === hall);
    return json(
      200,
      some.map(({ id, values: { code: _, ...values } }) => ({ ...values, id })),
    );
  };
  let halls = 0;
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, hall, event] = /halls\/(\d+)\/events(?:\/(\d+))?$/.exec(pathname) ?? [];
    if (pathname.endsWith('/towns')) {
      const most =
        fault === 'has a list that ignores its limit' ? 50 : Number(searchParams.get('limit') ?? 50);
      return json(200, [{ name: 'Ulm' }, { name: 'Bath' }, { name: 'Nice' }].slice(0, most || 50));
    }
    if (hall === undefined) {
      halls += 1;
      return json(201, { ...(await objectIn(request)), id: halls });
    }
    if (event === undefined) return below(request, Number(hall));
    const found = events.get(Number(event));
    if (found === undefined || found.hall !== Number(hall)) return missing();
    return request.method === 'PUT' ? replace(request, found) : show(200, found);
  };
};

const failedOn = async (fault: keyof typeof faults | null) => {
  const spec = join(folder, 'events.json');
  await writeFile(spec, JSON.stringify(document));
  const { baseUrl } = await serveOnSocket({
    keys: [],
    fetch: serve(fault),
    refuse: async () => new Response(null, { status: 400 }),
  });
  const { report } = await run(['--base-url', baseUrl, '--spec', spec, '--seed', '1']);
  return report?.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id: name }) => name);
};

test('a server that keeps its promises -> no failure', async () => {
  expect(await failedOn(null)).toEqual([]);
}, 120_000);

test.each(Object.entries(faults))(
  'a server that %s -> %s fails',
  async (fault, requirement) => {
    expect(await failedOn(fault as keyof typeof faults)).toEqual([requirement]);
  },
  120_000,
);
