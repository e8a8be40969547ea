// Servers whose resources have objects and lists in them, refer to others, and are changed by JSON Merge Patch.
import { expect, test } from 'vitest';
import type { Settings } from '../../src/api/settings.ts';
import { runOnApi } from '../support/api-run.ts';
import { isObject, json, type Members, objectIn, objectOf, status } from '../support/small-apis.ts';

/** What a conforming server may do. */
type Choice =
  | 'one parcel of each depot'
  | 'only known tags'
  | 'cities in capitals'
  | 'names its carriers'
  | 'own address'
  | 'sixty parcels from before'
  | 'starts with the last label'
  | 'has no empty page'
  | 'totals in X-Pagination'
  | 'paths end in a slash';
type Mistake =
  | 'loses cities'
  | 'shows another depot'
  | 'Location of the next one'
  | 'PATCH resets tags'
  | 'PATCH keeps notes'
  | 'merges no null'
  | 'total of the page'
  | 'total of one more'
  | 'ignores depots'
  | 'ignores the order'
  | 'has no empty list'
  | 'lists parcels of all depots'
  | 'loses notes';

const text = { type: 'string', minLength: 1, maxLength: 60 };
const number = { type: 'integer', minimum: 1 };
const address = objectOf({ street: text, city: text, floor: { type: 'integer' } }, 'street', 'city');
const carrier = objectOf({ carrierId: number, name: text }, 'carrierId', 'name');
const parcel = {
  ...{ depotId: number, label: text, to: address, from: address, carrier },
  ...{ note: text, tags: { type: 'array', items: text, maxItems: 9, default: [] } },
};
const depot = { name: text };
const inPath = { name: 'id', in: 'path', required: true, schema: number };
const refused = { 400: { description: 'Invalid.' }, 409: { description: 'Used up.' } };
const missing = { 404: { description: 'None.' } };
const shown = (members: Members) =>
  objectOf({ ...members, id: number }, 'id', ...Object.keys(members).slice(0, 1));
const creation = (members: Members, ...required: readonly string[]) => ({
  requestBody: { required: true, ...json(objectOf(members, ...required)) },
  responses: { 201: json(shown(members)), ...refused },
});
const document = {
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  paths: {
    '/depots': { post: creation(depot, 'name') },
    '/depots/{id}': { get: { parameters: [inPath], responses: { 200: json(shown(depot)), ...missing } } },
    '/depots/{id}/parcels': {
      get: {
        parameters: [inPath],
        responses: { 200: json({ type: 'array', items: shown(parcel) }), ...missing },
      },
    },
    '/parcels': {
      get: {
        parameters: [
          { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0 } },
          { name: 'count', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } },
          { name: 'depotId', in: 'query', schema: number },
          { name: 'label', in: 'query', schema: { type: 'string' } },
          { name: 'orderBy', in: 'query', schema: { type: 'string', enum: ['id', 'label'] } },
        ],
        responses: { 200: json({ type: 'array', items: shown(parcel) }), 400: refused[400] },
      },
      post: creation(parcel, 'depotId', 'label', 'to'),
    },
    '/parcels/{id}': {
      get: { parameters: [inPath], responses: { 200: json(shown(parcel)), ...missing } },
      patch: {
        parameters: [inPath],
        requestBody: {
          required: true,
          content: {
            'application/merge-patch+json': {
              schema: objectOf({ label: text, note: { ...text, type: ['string', 'null'] } }),
            },
          },
        },
        responses: { 200: json(shown(parcel)), 400: refused[400], ...missing },
      },
    },
  },
};

const withSlashes = {
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path.replace(/[^}]$/, '$&/'), item]),
  ),
};

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && [...value].length <= 60;
const isNumber = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1;
const isAddress = (value: unknown): boolean =>
  isObject(value) &&
  isText(value.street) &&
  isText(value.city) &&
  (value.floor === undefined || Number.isInteger(value.floor));

const isMember: Readonly<Record<string, (value: unknown) => boolean>> = {
  depotId: isNumber,
  label: isText,
  to: isAddress,
  from: isAddress,
  note: isText,
  carrier: (value) => isObject(value) && isNumber(value.carrierId) && isText(value.name),
  tags: (value) => Array.isArray(value) && value.length <= 9 && value.every(isText),
};

const parcelsServer = (traits: readonly (Mistake | Choice)[]) => {
  const has = (trait: Mistake | Choice) => traits.includes(trait);
  const depots: Members[] = [{ name: 'North', id: 1 }];
  const parcels: Members[] = Array.from({ length: has('sixty parcels from before') ? 60 : 0 }, (_, at) => ({
    ...{ id: at + 1, depotId: 1, label: `Parcel ${at + 1}`, tags: [] },
    to: { street: 'Main Street 1', city: 'Ulm' },
  }));
  const stored = (sent: Members): Members => {
    const known = Object.fromEntries(Object.entries(sent).filter(([name]) => name in isMember));
    const city = isObject(sent.to) ? String(sent.to.city) : '';
    const to = isObject(sent.to) ? { ...sent.to } : {};
    return {
      ...{ tags: [], ...known, id: parcels.length + 1 },
      ...(has('loses notes') ? { note: undefined } : {}),
      to: {
        ...to,
        city: has('loses cities') ? 'Nowhere' : has('cities in capitals') ? city.toUpperCase() : city,
      },
      ...(has('names its carriers') && isObject(sent.carrier)
        ? { carrier: { ...sent.carrier, name: 'Post' } }
        : {}),
      ...(has('own address') && isObject(sent.from)
        ? { from: { street: 'Main Street 1', city: 'Ulm' } }
        : {}),
    };
  };
  const create = (sent: Members): Response => {
    const { depotId, label, to, tags } = sent;
    if (!isNumber(depotId) || !isText(label) || !isAddress(to)) return status(400);
    if (!Object.entries(sent).every(([name, value]) => isMember[name]?.(value) ?? true)) return status(400);
    if (has('only known tags') && Array.isArray(tags) && tags.length > 0) return status(400);
    if (depots[Number(depotId) - 1] === undefined) return status(400);
    if (has('one parcel of each depot') && parcels.some((each) => each.depotId === depotId))
      return status(409);
    const created = stored(sent);
    parcels.push(created);
    return Response.json(
      has('shows another depot') ? { ...created, depotId: Number(depotId) + 1 } : created,
      {
        status: 201,
        headers: { Location: `/parcels/${parcels.length + (has('Location of the next one') ? 1 : 0)}` },
      },
    );
  };
  const list = (query: URLSearchParams): Response => {
    const [offset, count] = [query.get('offset') ?? '0', query.get('count') ?? '20'];
    if (!/^\d+$/.test(offset) || !/^[1-9]\d*$/.test(count) || Number(count) > 50) return status(400);
    const depotId = query.get('depotId') ?? '';
    if (!/^([1-9]\d*)?$/.test(depotId)) return status(400);
    const orderBy = query.get('orderBy');
    if (![null, 'id', 'label'].includes(orderBy)) return status(400);
    const isMatch = (each: Members) =>
      (depotId === '' || has('ignores depots') || each.depotId === Number(depotId)) &&
      [each.label, null].includes(query.get('label'));
    const matches = parcels.filter(isMatch);
    if (has('has no empty list') && matches.length === 0) return status(404);
    if (has('has no empty page') && Number(offset) > matches.length) return status(404);
    const sign = has('starts with the last label') ? -1 : 1;
    if (orderBy === 'label' && !has('ignores the order'))
      matches.sort((a, b) => sign * String(a.label).localeCompare(String(b.label)));
    const page = matches.slice(Number(offset), Number(offset) + Number(count));
    const total = has('total of the page')
      ? page.length
      : matches.length + (has('total of one more') ? 1 : 0);
    const headers = has('totals in X-Pagination')
      ? { 'X-Pagination': JSON.stringify({ total }) }
      : { 'X-Total-Count': `${total}` };
    return Response.json(page, { headers });
  };
  const change = (at: number, sent: Members): Response => {
    const isValid = Object.entries(sent).every(
      ([name, value]) =>
        !['label', 'note'].includes(name) || isText(value) || (name === 'note' && value === null),
    );
    const before = parcels[at];
    if (!isValid || before === undefined) return status(400);
    const { note = before.note, label = before.label } = sent;
    const kept = has('PATCH keeps notes') || (note === null && has('merges no null')) ? before.note : note;
    const { note: _, ...others } = before;
    const changed = {
      ...{ ...others, label, ...(kept === null || kept === undefined ? {} : { note: kept }) },
      ...(has('PATCH resets tags') ? { tags: [] } : {}),
    };
    parcels[at] = changed;
    return Response.json(changed);
  };
  return async (request: Request): Promise<Response> => {
    const { method, url } = request;
    const { pathname: path, searchParams } = new URL(url);
    const pathname = has('paths end in a slash') ? path.replace(/\/$/, '') : path;
    if (has('paths end in a slash') && path.endsWith('/') !== /[^/\d]$/.test(pathname)) return status(404);
    const [, name = '', id = '', below = ''] = pathname.split('/');
    const all = new Map([
      ['depots', depots],
      ['parcels', parcels],
    ]).get(name);
    if (all === undefined) return status(404);
    if (pathname === '/parcels' && method === 'GET') return list(searchParams);
    const at = /^\d+$/.test(id) ? Number(id) - 1 : -1;
    if (id !== '' && all[at] === undefined) return status(404);
    if (id !== '' && method === 'GET')
      return Response.json(
        below === ''
          ? all[at]
          : parcels.filter((each) => has('lists parcels of all depots') || each.depotId === Number(id)),
      );
    const isPatch = name === 'parcels' && id !== '' && method === 'PATCH';
    if (!isPatch && (method !== 'POST' || id !== '')) return status(405);
    const sent = objectIn(await request.text());
    if (sent === null) return status(400);
    if (isPatch) return change(at, sent);
    if (name === 'parcels') return create(sent);
    if (!isText(sent.name)) return status(400);
    depots.push({ name: sent.name, id: depots.length + 1 });
    return Response.json(depots.at(-1), { status: 201 });
  };
};

const judge = (traits: readonly (Mistake | Choice)[], settings: Settings = {}) =>
  runOnApi(traits.includes('paths end in a slash') ? withSlashes : document, parcelsServer(traits), settings);

test.concurrent.each([
  [[], 3],
  [['one parcel of each depot', 'cities in capitals'], 3],
  [['only known tags', 'names its carriers', 'own address'], 4],
  [['sixty parcels from before', 'totals in X-Pagination'], 3],
  [['one parcel of each depot', 'paths end in a slash'], 3],
  [['starts with the last label', 'has no empty page'], 3],
] as const)('%j, seed %s: a conforming server -> no failure', async (choices, seed) => {
  const { alarms, messages, report } = await judge(choices, { seed });
  expect({ alarms, messages }).toEqual({ alarms: [], messages: [] });
  const passed = report.requirements.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['REQ-1', 'RES-1', 'RES-2', 'RES-4', 'RES-6']));
});

test.concurrent.each([
  [['loses cities'], 'RES-1', 'to.city'],
  [['shows another depot'], 'RES-1', 'depotId'],
  [['shows another depot', 'one parcel of each depot'], 'RES-1', 'depotId'],
  [['Location of the next one'], 'RES-1', 'at the Location'],
  [['PATCH resets tags'], 'RES-2', 'tags'],
  [['PATCH keeps notes'], 'RES-2', 'note'],
  [['merges no null'], 'RES-2', 'note null'],
  [['total of the page'], 'RES-4', 'the total is 1'],
  [['total of the page', 'totals in X-Pagination'], 'RES-4', 'the total is 1'],
  [['total of one more', 'sixty parcels from before'], 'RES-4', 'the total is 6'],
  [['ignores depots'], 'RES-5', 'depotId='],
  [['ignores the order'], 'RES-11', 'orderBy=label'],
  [['has no empty list'], 'GEN-1', 'got 404'],
  [['lists parcels of all depots'], 'RES-10', 'of another parent'],
  [['lists parcels of all depots', 'paths end in a slash'], 'RES-10', 'of another parent'],
  [['shows another depot', 'one parcel of each depot', 'paths end in a slash'], 'RES-1', 'depotId'],
  [['loses notes'], 'RES-1', 'note'],
] as const)('%j -> %s fails: %s', async (traits, requirement, about) => {
  const { alarms, messages } = await judge(traits, { only: [requirement] });
  expect(alarms).toEqual([requirement]);
  expect(messages).toContainEqual(expect.stringContaining(about));
});
