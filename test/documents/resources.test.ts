// Servers that show what they created in ways of their own: only by a Location, or as resource objects of JSON:API.
import { expect, test } from 'vitest';
import type { Settings } from '../../src/api/settings.ts';
import { runOnApi } from '../support/api-run.ts';
import { isObject, type Members, objectIn, status } from '../support/small-apis.ts';

type Style = 'location' | 'json:api';
/** What a conforming server may do. */
type Choice = 'total of volumes';
type Mistake =
  | 'loses volumes'
  | 'ignores null'
  | 'PUT keeps values'
  | 'PUT keeps stamps'
  | 'PATCH resets'
  | 'update of the next one'
  | 'deletion of the next one'
  | 'deletion changes the first one'
  | 'ids by number'
  | 'wrong total'
  | 'refuses the longest label';

const mug = {
  type: 'object',
  additionalProperties: false,
  properties: {
    label: { type: 'string', minLength: 2, maxLength: 40 },
    volume: { type: 'integer', minimum: 10, maximum: 2000 },
    glaze: { type: 'string', enum: ['matte', 'gloss', 'raw'], default: 'matte' },
    note: { type: ['string', 'null'], maxLength: 80 },
    stamps: { type: 'array', items: { type: 'string', maxLength: 20 }, maxItems: 5, default: [] },
  },
};
const newMug = { ...mug, required: ['label', 'volume'] };
const storedMug = { ...mug, required: ['label', 'volume', 'glaze', 'note', 'stamps'] };

/** The schemas of bodies with a resource: what is sent, and what is shown. */
const schemasOf = (style: Style) => {
  const sent = (schema: object, ...names: readonly string[]) => ({
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'object',
        required: ['type', 'attributes', ...names],
        properties: { type: { const: 'mugs' }, id: { type: 'string' }, attributes: schema },
      },
    },
  });
  const item = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, ...storedMug.properties },
  };
  return style === 'json:api'
    ? {
        creation: sent(newMug),
        replacement: sent(newMug, 'id'),
        change: sent(mug, 'id'),
        shown: sent(storedMug, 'id'),
        listed: sent(storedMug, 'id').properties.data,
      }
    : { creation: newMug, replacement: newMug, change: mug, shown: item, listed: item };
};

/** The document of some kinds of resources, all described as mugs. */
const documentOf = (style: Style, names: readonly string[]) => {
  const media = style === 'json:api' ? 'application/vnd.api+json' : 'application/json';
  const json = (schema: object) => ({ description: 'As described.', content: { [media]: { schema } } });
  const { creation, replacement, change, shown, listed } = schemasOf(style);
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const [invalid, missing] = [{ description: 'Invalid.' }, { description: 'None.' }];
  const done = style === 'json:api' ? { 200: json(shown) } : { 204: { description: 'Done.' } };
  return {
    openapi: '3.1.0',
    info: { title: 'Mugs', version: '1' },
    paths: Object.fromEntries(
      names.flatMap((name) =>
        Object.entries({
          [`/${name}`]: {
            get: {
              responses: {
                200: json({
                  type: 'object',
                  required: ['data', 'meta'],
                  properties: {
                    data: { type: 'array', items: listed },
                    meta: { type: 'object', required: ['total'], properties: { total: { type: 'integer' } } },
                  },
                }),
              },
            },
            post: {
              requestBody: { required: true, ...json(creation) },
              responses: {
                201: style === 'json:api' ? json(shown) : { description: 'Created, at its Location.' },
                400: invalid,
              },
            },
          },
          [`/${name}/{id}`]: {
            get: { parameters: [id], responses: { 200: json(shown), 404: missing } },
            put: {
              parameters: [id],
              requestBody: { required: true, ...json(replacement) },
              responses: { ...done, 400: invalid, 404: missing },
            },
            patch: {
              parameters: [id],
              requestBody: { required: true, ...json(change) },
              responses: { ...done, 400: invalid, 404: missing },
            },
            delete: { parameters: [id], responses: { 204: { description: 'Gone.' }, 404: missing } },
          },
        }),
      ),
    ),
  };
};

const isText = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;

const isMember: Readonly<Record<string, (value: unknown) => boolean>> = {
  label: (value) => isText(value, 2, 40),
  volume: (value) => Number.isInteger(value) && Number(value) >= 10 && Number(value) <= 2000,
  glaze: (value) => ['matte', 'gloss', 'raw'].includes(String(value)) && typeof value === 'string',
  note: (value) => value === null || isText(value, 0, 80),
  stamps: (value) => Array.isArray(value) && value.length <= 5 && value.every((each) => isText(each, 0, 20)),
};

/** The mug in the text of a request. Null: it is not valid. */
const mugIn = (
  text: string,
  style: Style,
  required: readonly string[],
  id: string | null = null,
): Members | null => {
  const body = objectIn(text);
  const data = style === 'json:api' ? body?.data : { type: 'mugs', id: id ?? undefined, attributes: body };
  const isOwnId = (sentId: unknown) =>
    id === null ? sentId === undefined || typeof sentId === 'string' : sentId === id;
  const isOfPath = isObject(data) && data.type === 'mugs' && isOwnId(data.id);
  const sent = isOfPath ? data.attributes : null;
  if (!isObject(sent) || !required.every((name) => name in sent)) return null;
  return Object.entries(sent).every(([name, value]) => isMember[name]?.(value) === true) ? sent : null;
};

const defaults = { glaze: 'matte', note: null, stamps: [] };

const mugsServer = (style: Style, traits: readonly (Mistake | Choice)[], name: string) => {
  const has = (trait: Mistake | Choice) => traits.includes(trait);
  const mugs = new Map<string, Members>();
  let last = 0;
  const shown = (id: string, mug: Members) =>
    style === 'json:api' ? { type: 'mugs', id, attributes: mug } : { id, ...mug };
  const respond = (status: number, value: unknown) =>
    new Response(JSON.stringify(value), {
      status,
      headers: { 'Content-Type': style === 'json:api' ? 'application/vnd.api+json' : 'application/json' },
    });
  const showOne = (status: number, id: string) => {
    const one = shown(id, mugs.get(id) ?? {});
    return respond(status, style === 'json:api' ? { data: one } : one);
  };
  const change = (id: string | undefined, members: Members) => {
    const before = id === undefined ? undefined : mugs.get(id);
    if (id !== undefined && before !== undefined) mugs.set(id, { ...before, ...members });
  };
  const create = (sent: Members): Response => {
    if (has('refuses the longest label') && [...String(sent.label)].length === 40) return status(400);
    last = has('ids by number') ? mugs.size + 1 : last + 1;
    const id = `m${last}`;
    const mug = { ...defaults, ...sent, ...(has('loses volumes') ? { volume: 10 } : {}) };
    mugs.set(id, mug);
    if (style === 'json:api') return showOne(201, id);
    return new Response(null, { status: 201, headers: { Location: `/${name}/${id}` } });
  };
  const update = (id: string, sent: Members, method: string): Response => {
    const before = mugs.get(id) ?? {};
    const stamps = has('PUT keeps stamps') ? { stamps: before.stamps } : {};
    const kept = method === 'PATCH' || has('PUT keeps values') ? before : stamps;
    const given = Object.entries(sent).filter(([, value]) => value !== null || !has('ignores null'));
    const reset = method === 'PATCH' && has('PATCH resets') ? { glaze: 'matte' } : {};
    const next = [...mugs.keys()].find((other) => Number(other.slice(1)) > Number(id.slice(1)));
    mugs.set(id, { ...defaults, ...kept, ...reset, ...Object.fromEntries(given) });
    if (has('update of the next one')) change(next, sent);
    return style === 'json:api' ? showOne(200, id) : status(204);
  };
  const remove = (id: string): Response => {
    mugs.delete(id);
    const [first] = mugs.keys();
    const next = [...mugs.keys()].find((other) => Number(other.slice(1)) > Number(id.slice(1)));
    if (has('deletion of the next one')) mugs.delete(next ?? '');
    if (has('deletion changes the first one')) change(first, { label: `After ${id}` });
    return status(204);
  };
  const volumes = () => [...mugs.values()].reduce((sum, { volume }) => sum + Number(volume), 0);
  return async (request: Request): Promise<Response> => {
    const [, , encoded] = new URL(request.url).pathname.split('/');
    const { method } = request;
    if (encoded === undefined) {
      if (method === 'GET')
        return respond(200, {
          data: [...mugs].map(([id, mug]) => shown(id, mug)),
          meta: { total: has('total of volumes') ? volumes() : mugs.size + (has('wrong total') ? 1 : 0) },
        });
      const sent = method === 'POST' ? mugIn(await request.text(), style, newMug.required) : null;
      return sent === null ? status(method === 'POST' ? 400 : 405) : create(sent);
    }
    const id = /^m\d+$/.test(encoded) ? encoded : '';
    if (!mugs.has(id)) return status(404);
    if (method === 'GET') return showOne(200, id);
    if (method === 'DELETE') return remove(id);
    const sent = mugIn(await request.text(), style, method === 'PUT' ? newMug.required : [], id);
    return sent === null ? status(400) : update(id, sent, method);
  };
};

const judge = (
  style: Style,
  traits: readonly (Mistake | Choice)[],
  settings: Settings = {},
  names: readonly string[] = ['mugs'],
) => {
  const servers = new Map(names.map((name) => [name, mugsServer(style, traits, name)]));
  const respond = async (request: Request): Promise<Response> =>
    (await servers.get(new URL(request.url).pathname.split('/')[1] ?? '')?.(request)) ??
    new Response(null, { status: 404 });
  return runOnApi(documentOf(style, names), respond, settings);
};

const resources = ['RES-1', 'RES-2', 'RES-3', 'RES-4', 'RES-7', 'RES-8', 'RES-9'];

test.concurrent.each([
  ['location', 3],
  ['location', 4],
  ['json:api', 3],
] as const)(
  '%s, seed %s: a conforming server -> no failure, and its resources are tested',
  async (style, seed) => {
    const { exitCode, messages, report } = await judge(style, [], { seed });
    expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
    expect(report.requirements.map(({ id }) => id)).toEqual(expect.arrayContaining(resources));
    // It needs no key, and has no parents: no requirement is about that.
    expect(report.requirements.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  },
);

test('location: the total of a list is the sum of a member -> no failure', async () => {
  const { messages, report } = await judge('location', ['total of volumes'], { only: ['RES-4'], seed: 3 });
  expect(messages).toEqual([]);
  expect(report.traffic.requests).toBeGreaterThan(0);
});

test.concurrent.each([
  ['location', 'loses volumes', 'RES-1'],
  ['location', 'ignores null', 'RES-2'],
  ['location', 'PUT keeps values', 'RES-2'],
  ['location', 'PUT keeps stamps', 'RES-2'],
  ['location', 'update of the next one', 'RES-2'],
  ['location', 'deletion of the next one', 'RES-3'],
  ['location', 'deletion changes the first one', 'RES-3'],
  ['location', 'ids by number', 'RES-7'],
  ['json:api', 'PATCH resets', 'RES-2'],
  ['json:api', 'wrong total', 'RES-4'],
  ['json:api', 'refuses the longest label', 'REQ-1'],
] as const)('%s: %s -> %s fails', async (style, mistake, requirement) => {
  const { alarms } = await judge(style, [mistake], { only: [requirement], runs: 3 });
  expect(alarms).toEqual([requirement]);
});

test('five kinds of resources, refuses the longest label -> REQ-1 fails, at most 1,500 requests', async () => {
  const names = ['mugs', 'cups', 'bowls', 'plates', 'jars'];
  const { alarms, report } = await judge('location', ['refuses the longest label'], {}, names);
  expect(alarms).toEqual(['REQ-1']);
  expect(report.traffic.requests).toBeLessThanOrEqual(1_500);
});
