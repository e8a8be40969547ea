import { randomUUID } from 'node:crypto';

/** A server of another API, as a handler. It makes the named mistakes. */
export interface OtherApi {
  readonly spec: string;
  /** The key that it accepts; null: it needs none. */
  readonly key: string | null;
  fetch(mistakes: readonly string[]): (request: Request) => Promise<Response>;
}

const specs = new URL('../documents/specs/', import.meta.url).pathname;
type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown, least: number, most: number): value is string =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;
const isWhole = (text: string, least: number, most: number): boolean =>
  /^-?\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
const isOptional = (value: unknown, isValid: (value: unknown) => boolean): boolean =>
  value === undefined || isValid(value);

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });

/** The JSON value in a body; undefined: it is not JSON. */
const sentIn = async (request: Request): Promise<unknown> => {
  try {
    return JSON.parse(await request.text());
  } catch {
    return undefined;
  }
};

const isTag = (value: unknown): boolean => typeof value === 'string' && /^[a-z]{1,12}$/.test(value);

const isDay = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;

const isTodo = (value: unknown): value is Members =>
  isObject(value) &&
  isText(value.title, 1, 80) &&
  Number.isInteger(value.secret) &&
  Math.abs(Number(value.secret) + 0.5) < 2 ** 31 &&
  isOptional(
    value.priority,
    (each) => ['low', 'normal', 'high'].includes(String(each)) && typeof each === 'string',
  ) &&
  isOptional(value.due, (each) => each === null || isDay(each)) &&
  isOptional(
    value.tags,
    (each) =>
      Array.isArray(each) && each.length <= 4 && each.every(isTag) && new Set(each).size === each.length,
  );

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const problem = (status: number): Response =>
  json(status, { title: 'Not so.', status }, { 'Content-Type': 'application/problem+json' });

/** `todo.json`. */
const todoKey = 'todo-key-7d31b2c4';
export const todo: OtherApi = {
  spec: `${specs}todo.json`,
  key: todoKey,
  fetch: (mistakes) => {
    const makes = (mistake: string): boolean => mistakes.includes(mistake);
    const todos = new Map<string, Members>();
    const shown = (id: string): unknown => {
      const { secret: _, ...others } = todos.get(id) ?? {};
      return makes('wrong item shape') ? { ...others, id, title: 7 } : { ...others, id };
    };
    const list = (query: URLSearchParams): Response => {
      const size = query.get('page_size') ?? '10';
      const valid =
        isWhole(size, 1, 50) &&
        ['true', 'false', null].includes(query.get('done')) &&
        query.getAll('tag').length <= 3 &&
        query.getAll('tag').every(isTag);
      if (!valid) return makes('fails on bad input') ? json(500, {}) : problem(400);
      if (makes('refuses the largest page') && size === '50') return json(418, {});
      const items = [...todos.keys()].slice(0, Number(size)).map(shown);
      const remaining = makes('Remaining above Limit') ? '101' : '99';
      return json(200, makes('no total') ? { items } : { items, total: todos.size }, {
        'X-RateLimit-Remaining': remaining,
        ...(makes('no Limit') ? {} : { 'X-RateLimit-Limit': '100' }),
      });
    };
    const write = async (request: Request, id: string, status: number): Promise<Response> => {
      const sent = await sentIn(request);
      if (!isTodo(sent)) return problem(422);
      todos.set(id, sent);
      return json(status, shown(id), makes('no Location') ? {} : { Location: `/todos/${id}` });
    };
    const item = async (request: Request, id: string): Promise<Response> => {
      if (!uuid.test(id)) return request.method === 'PUT' ? problem(422) : problem(404);
      if (!todos.has(id)) return problem(404);
      if (request.method === 'PUT') return write(request, id, 200);
      if (request.method !== 'DELETE') return json(200, shown(id));
      todos.delete(id);
      return makes('DELETE returns 200') ? json(200, {}) : new Response(null, { status: 204 });
    };
    return async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const path = pathname.replace(/^\/v1/, '');
      if (path === '/health') return json(200, { status: makes('sick') ? 'sick' : 'ok' });
      const authorization = request.headers.get('Authorization') ?? '';
      const isKnown = makes('half a key is accepted')
        ? authorization.startsWith(`Bearer ${todoKey.slice(0, 8)}`)
        : authorization === `Bearer ${todoKey}`;
      if (!isKnown && !(makes('open to all') && authorization === '')) return problem(401);
      if (path === '/todos' && request.method === 'GET') return list(searchParams);
      if (path === '/todos') return write(request, randomUUID(), 201);
      return item(request, path.replace('/todos/', ''));
    };
  },
};

/** The decoded path; empty if the percent-encoding is not UTF-8. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
};

const fault = (status: number): Response => json(status, { reason: 'Not so.' });

const isVehicle = (value: unknown): boolean =>
  value === 'foot' ||
  (isObject(value) &&
    Object.keys(value).length === 1 &&
    Number.isInteger(value.wheels) &&
    Number(value.wheels) >= 2 &&
    Number(value.wheels) <= 18);

const isJourney = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).length === 2 &&
  Array.isArray(value.stops) &&
  value.stops.length >= 2 &&
  value.stops.length <= 5 &&
  value.stops.every((stop) => isText(stop, 1, 20)) &&
  isVehicle(value.by);

/** `weather.yaml`. */
export const weather: OtherApi = {
  spec: `${specs}weather.yaml`,
  key: null,
  fetch: (mistakes) => {
    const makes = (mistake: string): boolean => mistakes.includes(mistake);
    const forecast = (request: Request, city: string, query: URLSearchParams): Response => {
      const valid =
        isText(city, 2, 30) &&
        isWhole(query.get('days') ?? '1', 1, 14) &&
        ['metric', 'imperial', null].includes(query.get('units')) &&
        (makes('ignores X-Client') || /^[a-z]{3,8}$/.test(request.headers.get('X-Client') ?? ''));
      if (!valid) return makes('fault without a reason') ? json(400, {}) : fault(400);
      const days = Array.from({ length: Number(query.get('days') ?? '1') }, (_, day) =>
        day % 2 === 0
          ? { sky: 'dry', celsius: 20.5 }
          : { sky: 'rain', millimetres: makes('negative rain') ? -1 : 3 },
      );
      const model = makes('another model') ? 'tarot' : 'icon';
      return json(200, days, makes('no model') ? {} : { 'X-Model': model });
    };
    const places = (query: URLSearchParams): Response => {
      const near = (query.get('near') ?? '').split(',');
      const valid =
        near.length === 2 &&
        near.every((each) => isWhole(each, -90, 90)) &&
        isWhole(query.get('radius') ?? '1', 1, 500);
      if (!valid)
        return makes('page of the framework') ? new Response('<h1>Bad', { status: 400 }) : fault(400);
      if (makes('fails at the pole') && near.includes('90')) return json(503, {});
      return json(200, [{ name: 'Here', at: makes('one coordinate') ? [1] : [1, 2.5] }]);
    };
    return async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const path = decoded(pathname.replace(/^\/v1/, ''));
      if (path === '/legend')
        return new Response('dry, rain', {
          headers: { 'Content-Type': makes('legend as HTML') ? 'text/html' : 'text/plain; charset=utf-8' },
        });
      if (path === '/usage') return new Response(null, { status: 403 });
      if (path === '/places') return places(searchParams);
      if (path === '/routes')
        return isJourney(await sentIn(request)) ? json(200, { metres: null }) : fault(400);
      if (path.startsWith('/forecast/'))
        return forecast(request, path.slice('/forecast/'.length), searchParams);
      return fault(404);
    };
  },
};
