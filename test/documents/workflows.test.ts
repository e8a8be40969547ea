// Servers with actions on resources, jobs that are only accepted, resources that clients name, and settings.
import { expect, test } from 'vitest';
import type { Settings } from '../../src/api/settings.ts';
import { runOnApi } from '../support/api-run.ts';
import { json, type Members, objectIn, objectOf, status } from '../support/small-apis.ts';

/** What a conforming server may do. */
type Choice = 'tasks come later' | 'carries no task out' | 'only replaces shelves';
type Mistake =
  | 'opens no door'
  | 'Location of another task'
  | 'changes kinds'
  | 'loses shelves'
  | 'replaces with 201'
  | 'keeps sizes'
  | 'keeps shelves'
  | 'any language';

const text = { type: 'string', minLength: 1, maxLength: 60 };
const number = { type: 'integer', minimum: 1 };
const listed = (...values: readonly string[]) => ({ type: 'string', enum: values });
const body = (schema: object) => ({ requestBody: { required: true, ...json(schema) } });
const invalid = { 400: { description: 'Invalid.' } };
const missing = { 404: { description: 'None.' } };
const parameters = [{ name: 'id', in: 'path', required: true, schema: number }];
const shelfName = [
  { name: 'shelf', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]{1,8}$' } },
];
const newDoor = objectOf({ name: text }, 'name');
const door = objectOf(
  {
    ...{ id: number, name: text, state: listed('closed', 'open', 'restarting') },
    openedAt: { type: ['string', 'null'], format: 'date-time' },
  },
  ...['id', 'name', 'state', 'openedAt'],
);
const newTask = objectOf({ kind: listed('import', 'export'), note: text }, 'kind');
const task = objectOf(
  { ...newTask.properties, id: number, state: listed('queued', 'done') },
  ...['id', 'kind', 'state'],
);
const newShelf = objectOf({ size: { type: 'integer', minimum: 1, maximum: 90 }, label: text }, 'size');
const shelf = objectOf({ ...newShelf.properties, name: text }, 'name', 'size');
const settings = objectOf({ language: { type: 'string', pattern: '^[a-z]{2}$' } }, 'language');
const tagged = { ...json(settings), headers: { ETag: { schema: { type: 'string' } } } };
const act = { post: { parameters, responses: { 200: json(door), ...missing } } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Building', version: '1' },
  paths: {
    '/doors': { post: { ...body(newDoor), responses: { 201: json(door), ...invalid } } },
    '/doors/{id}': { get: act.post },
    '/doors/{id}/open': act,
    '/doors/{id}/restart': act,
    '/doors/{id}/preview-opening': act,
    '/tasks': { post: { ...body(newTask), responses: { 202: json(task), ...invalid } } },
    '/tasks/{id}': { get: { parameters, responses: { 200: json(task), ...missing } } },
    '/shelves': { get: { responses: { 200: json({ type: 'array', items: shelf }) } } },
    '/shelves/{shelf}': {
      parameters: shelfName,
      get: { responses: { 200: json(shelf), ...missing } },
      put: { ...body(newShelf), responses: { 200: json(shelf), 201: json(shelf), ...invalid, ...missing } },
      delete: { responses: { 204: { description: 'Gone.' }, ...missing } },
    },
    '/settings': {
      get: { responses: { 200: tagged } },
      put: {
        parameters: [{ name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } }],
        ...body(settings),
        responses: { 200: tagged, ...invalid, 412: { description: 'Changed.' } },
      },
    },
  },
};

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && [...value].length <= 60;

const buildingServer = (traits: readonly (Mistake | Choice)[]) => {
  const has = (trait: Mistake | Choice) => traits.includes(trait);
  const doors: Members[] = [];
  const tasks: { readonly shown: Members; reads: number }[] = [];
  const shelves = new Map<string, Members>();
  let current: Members = { language: 'en' };
  let version = 1;
  const onDoors = (at: number, step: string, sent: Members): Response => {
    if (at < 0) {
      if (!isText(sent.name)) return status(400);
      doors.push({ id: doors.length + 1, name: sent.name, state: 'closed', openedAt: null });
      return Response.json(doors.at(-1), { status: 201 });
    }
    const before = doors[at];
    if (before === undefined) return status(404);
    if (step === '') return Response.json(before);
    // It has restarted before anybody can read that.
    if (step === 'restart') return Response.json({ ...before, state: 'restarting' });
    const open = { ...before, state: 'open', openedAt: new Date().toISOString() };
    if (step === 'open' && !has('opens no door')) doors[at] = open;
    return Response.json(open);
  };
  const onTasks = (at: number, sent: Members): Response => {
    if (at >= 0) {
      const known = tasks[at];
      if (known === undefined || has('carries no task out')) return status(404);
      known.reads += 1;
      return known.reads <= 2 && has('tasks come later') ? status(404) : Response.json(known.shown);
    }
    const { kind, note } = sent;
    if ((kind !== 'import' && kind !== 'export') || (note !== undefined && !isText(note))) return status(400);
    const shown = {
      ...{ id: tasks.length + 1, state: 'queued', kind: has('changes kinds') ? 'export' : kind },
      ...(note === undefined ? {} : { note }),
    };
    tasks.push({ shown, reads: 0 });
    const id = tasks.length + (has('Location of another task') ? 1 : 0);
    return Response.json(shown, { status: 202, headers: { Location: `/tasks/${id}` } });
  };
  const onShelves = (name: string, method: string, sent: Members): Response => {
    const before = shelves.get(name);
    if (name === '') return Response.json([...shelves.values()]);
    if (before === undefined && (method !== 'PUT' || has('only replaces shelves'))) return status(404);
    if (method === 'GET') return Response.json(before);
    if (method === 'DELETE') {
      if (!has('keeps shelves')) shelves.delete(name);
      return status(204);
    }
    const { size, label } = sent;
    const isSize = Number.isInteger(size) && Number(size) >= 1 && Number(size) <= 90;
    if (!isSize || (label !== undefined && !isText(label)) || !/^[a-z]{1,8}$/.test(name)) return status(400);
    const kept = has('keeps sizes') && before !== undefined ? { size: before.size } : { size };
    const shown = { name, ...kept, ...(label === undefined ? {} : { label }) };
    if (!has('loses shelves')) shelves.set(name, shown);
    return Response.json(shown, { status: before === undefined || has('replaces with 201') ? 201 : 200 });
  };
  const onSettings = (request: Request, sent: Members): Response => {
    const { language } = sent;
    const entityTag = () => ({ ETag: `"v${version}"` });
    if (request.method === 'GET') return Response.json(current, { headers: entityTag() });
    if (![`"v${version}"`, '*'].includes(request.headers.get('If-Match') ?? '')) return status(412);
    if (typeof language !== 'string' || (!has('any language') && !/^[a-z]{2}$/.test(language)))
      return status(400);
    current = { language };
    version += 1;
    return Response.json(current, { headers: entityTag() });
  };
  return async (request: Request): Promise<Response> => {
    const { method, url } = request;
    const [, name = '', id = '', step = ''] = new URL(url).pathname.split('/');
    const isKnown = Object.entries(document.paths).some(([path, item]) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return pattern.test(new URL(url).pathname) && method.toLowerCase() in item;
    });
    if (!isKnown) return status(404);
    const sent = method === 'GET' ? {} : (objectIn(await request.text()) ?? {});
    const at = id === '' ? -1 : /^[1-9]\d*$/.test(id) ? Number(id) - 1 : Number.POSITIVE_INFINITY;
    if (name === 'doors') return onDoors(at, step, sent);
    if (name === 'tasks') return onTasks(at, sent);
    return name === 'shelves' ? onShelves(id, method, sent) : onSettings(request, sent);
  };
};

const judge = (traits: readonly (Mistake | Choice)[], settings: Settings = {}) =>
  runOnApi(document, buildingServer(traits), settings);

test.concurrent.each([
  [[]],
  [['tasks come later', 'only replaces shelves']],
  [['carries no task out']],
] as const)('%j: a conforming server -> no failure', async (choices) => {
  const { alarms, messages, report } = await judge(choices, { seed: 3 });
  expect({ alarms, messages }).toEqual({ alarms: [], messages: [] });
  const passed = report.requirements.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['REQ-1', 'REQ-2', 'RES-1', 'RES-2']));
});

test.concurrent.each([
  ['opens no door', 'RES-2', 'state "open"'],
  ['Location of another task', 'RES-1', 'at the Location'],
  ['changes kinds', 'RES-1', 'kind "import"'],
  ['loses shelves', 'RES-1', 'GET /shelves/'],
  ['replaces with 201', 'RES-2', 'expected 200 or 204'],
  ['keeps sizes', 'RES-2', 'size'],
  ['keeps shelves', 'RES-3', 'GET /shelves/'],
  ['any language', 'REQ-2', 'PUT /settings'],
] as const)('%s -> %s fails: %s', async (mistake, requirement, about) => {
  const { alarms, messages } = await judge([mistake], { only: [requirement] });
  expect(alarms).toEqual([requirement]);
  expect(messages).toContainEqual(expect.stringContaining(about));
});
