// Resources whose state permits one step only, numbers that must be unique, and resources that are created below another one.
import { expect, test } from 'vitest';
import { runOnApi } from '../support/api-run.ts';

type Members = Readonly<Record<string, unknown>>;
type Mistake =
  | 'no longest trip'
  | 'any purpose'
  | 'ends without a distance'
  | 'no weight of null'
  | 'keeps names of lines'
  | 'gives lines new ids'
  | 'finds codes'
  | 'no short codes'
  | 'no hyphens in keys'
  | 'keeps lines open';

const objectOf = (properties: Members, ...required: readonly string[]) => ({
  type: 'object',
  required,
  properties,
});
const json = (schema: object) => ({
  description: 'As described.',
  content: { 'application/json': { schema } },
});
const body = (schema: object) => ({ requestBody: { required: true, ...json(schema) } });
const refusals = {
  400: { description: 'Invalid.' },
  404: { description: 'None.' },
  409: { description: 'Not in this state.' },
};
const whole = { type: 'integer', minimum: 1 };
const idIn = (name: string) => [{ name, in: 'path', required: true, schema: whole }];
const text = { type: 'string', minLength: 3, maxLength: 50 };
const weight = { type: ['number', 'null'], minimum: 0, maximum: 900 };
const distance = { type: 'number', minimum: 0, maximum: 5000 };
const vehicle = objectOf({ id: whole, name: text, weight }, 'id', 'name', 'weight');
const trip = objectOf(
  { id: whole, vehicleId: whole, purpose: text, distance: { type: ['number', 'null'] } },
  ...['id', 'vehicleId', 'purpose', 'distance'],
);
const newLine = objectOf(
  {
    ...{ number: { ...whole, maximum: 9999 }, name: text, isOpen: { type: 'boolean' } },
    code: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4,6}$' },
    key: { type: 'string', pattern: '^[a-z][a-z-]{3,8}$' },
  },
  ...['number', 'name', 'code', 'isOpen'],
);
const line = objectOf({ ...newLine.properties, id: whole }, 'id', ...newLine.required);
const { required: _, ...lineChange } = newLine;
const document = {
  openapi: '3.1.0',
  info: { title: 'Fleet', version: '1' },
  paths: {
    '/vehicles': {
      post: {
        ...body(objectOf({ name: text, weight }, 'name')),
        responses: { 201: json(vehicle), ...refusals },
      },
    },
    '/vehicles/{vehicleId}': {
      get: { parameters: idIn('vehicleId'), responses: { 200: json(vehicle), ...refusals } },
    },
    '/vehicles/{vehicleId}/trips': {
      parameters: idIn('vehicleId'),
      get: { responses: { 200: json({ type: 'array', items: trip }), ...refusals } },
      post: {
        ...body(objectOf({ purpose: text }, 'purpose')),
        responses: { 201: json(trip), ...refusals },
      },
    },
    '/trips/{tripId}': {
      get: { parameters: idIn('tripId'), responses: { 200: json(trip), ...refusals } },
    },
    '/trips/{tripId}/end': {
      post: {
        parameters: idIn('tripId'),
        ...body(objectOf({ distance }, 'distance')),
        responses: { 200: json(trip), ...refusals },
      },
    },
    '/lines': { post: { ...body(newLine), responses: { 201: json(line), ...refusals } } },
    '/lines/{id}': {
      parameters: idIn('id'),
      get: { responses: { 200: json(line), ...refusals } },
      put: { ...body(newLine), responses: { 200: json(line), ...refusals } },
      patch: { ...body(lineChange), responses: { 200: json(line), ...refusals } },
    },
  },
};

const parse = (written: string): Members | null => {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
};
const isText = (value: unknown, least = 3): boolean =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= 50;
const isNumber = (value: unknown, most: number): boolean =>
  typeof value === 'number' && value >= 0 && value <= most;
const status = (code: number) => new Response(null, { status: code });
const created = (resource: unknown) => Response.json(resource, { status: 201 });

interface Trip {
  readonly id: number;
  readonly vehicleId: number;
  readonly purpose: unknown;
  distance: unknown;
}

const fleetServer = (mistake: Mistake | null) => {
  const vehicles: Members[] = [];
  const trips: Trip[] = [];
  const lines = new Map<number, Members>();
  let lastLine = 0;
  const onVehicles = (isNew: boolean, id: number, { name, weight: sent }: Members): Response => {
    if (!isNew) return vehicles[id - 1] === undefined ? status(404) : Response.json(vehicles[id - 1]);
    const isNothing = sent === undefined || (sent === null && mistake !== 'no weight of null');
    if (!isText(name) || !(isNothing || isNumber(sent, 900))) return status(400);
    vehicles.push({ id: vehicles.length + 1, name, weight: sent ?? null });
    return created(vehicles.at(-1));
  };
  const onTrips = (isNew: boolean, vehicleId: number, { purpose }: Members): Response => {
    const own = trips.filter((each) => each.vehicleId === vehicleId);
    if (vehicles[vehicleId - 1] === undefined) return status(404);
    if (!isNew) return Response.json(own);
    if (!isText(purpose, mistake === 'any purpose' ? 0 : 3)) return status(400);
    // A vehicle is on one trip at a time.
    if (own.some((each) => each.distance === null)) return status(409);
    trips.push({ id: trips.length + 1, vehicleId, purpose, distance: null });
    return created(trips.at(-1));
  };
  const onTrip = (isEnd: boolean, id: number, sent: Members): Response => {
    const known = trips[id - 1];
    if (known === undefined) return status(404);
    if (!isEnd) return Response.json(known);
    if (!isNumber(sent.distance, mistake === 'no longest trip' ? 4999 : 5000)) return status(400);
    if (known.distance !== null) return status(409);
    known.distance = sent.distance;
    return Response.json(mistake === 'ends without a distance' ? { id, distance: 'unknown' } : known);
  };
  // A server may know only some of the keys.
  const isUnknown = (key: string): boolean =>
    mistake === 'no hyphens in keys' ? key.includes('-') : mistake === null && key.endsWith('b');
  const isLine = ({ number, name, code, key, isOpen }: Members): boolean =>
    Number.isInteger(number) &&
    Number(number) >= 1 &&
    Number(number) <= 9999 &&
    isText(name) &&
    typeof isOpen === 'boolean' &&
    typeof code === 'string' &&
    (mistake === 'finds codes' ? /[A-Z]{2}-\d{4,6}/ : /^[A-Z]{2}-\d{4,6}$/).test(code) &&
    (mistake !== 'no short codes' || code.length > 7) &&
    (key === undefined || (typeof key === 'string' && /^[a-z][a-z-]{3,8}$/.test(key) && !isUnknown(key)));
  const onLines = (method: string, id: number, sent: Members): Response => {
    const before = lines.get(id);
    if (method !== 'POST' && before === undefined) return status(404);
    if (method === 'GET') return Response.json(before);
    const isChange = method === 'PATCH';
    const next = { ...(isChange ? before : {}), ...sent };
    if (!isLine(next)) return status(400);
    if ([...lines.values()].some((each) => each !== before && each.number === next.number))
      return status(409);
    const isMoved = before === undefined || mistake === 'gives lines new ids';
    if (isMoved) lines.delete(id);
    lastLine += isMoved ? 1 : 0;
    const { number, name, code, key, isOpen } = next;
    const changed = {
      ...{ id: isMoved ? lastLine : id, number, code, key },
      name: before !== undefined && mistake === 'keeps names of lines' ? before.name : name,
      isOpen: isChange && mistake === 'keeps lines open' ? isOpen === true || before?.isOpen : isOpen,
    };
    lines.set(changed.id, changed);
    return method === 'POST' ? created(changed) : Response.json(changed);
  };
  return async (request: Request): Promise<Response> => {
    const { method } = request;
    const [, kind = '', id = '', below] = new URL(request.url).pathname.split('/');
    const sent = method === 'GET' ? {} : parse(await request.text());
    const isNew = method === 'POST';
    if (!/^\d*$/.test(id) || sent === null) return status(400);
    if (kind === 'vehicles')
      return below === 'trips'
        ? onTrips(isNew, Number(id), sent)
        : onVehicles(isNew && id === '', Number(id), sent);
    if (kind === 'trips') return onTrip(isNew && below === 'end', Number(id), sent);
    return kind === 'lines' ? onLines(method, Number(id), sent) : status(404);
  };
};

test.each([1, 2])(
  'states that permit one step, unique numbers, and resources beside their collection, seed %i -> no failure',
  async (seed) => {
    const result = await runOnApi(document, fleetServer(null), { seed, runs: 5 });
    expect(result).toMatchObject({ exitCode: 0, alarms: [], messages: [] });
  },
);

test.concurrent.each([
  ['no longest trip', 'REQ-1', 'POST /trips/'],
  ['any purpose', 'REQ-2', '/trips with purpose'],
  ['ends without a distance', 'GEN-3', 'POST /trips/'],
  ['no weight of null', 'REQ-1', 'with weight null'],
  ['keeps names of lines', 'RES-2', 'name'],
  ['gives lines new ids', 'RES-2', '/lines/'],
  ['keeps lines open', 'RES-2', 'isOpen'],
  ['finds codes', 'REQ-2', 'code'],
  ['no short codes', 'REQ-1', 'code'],
  ['no hyphens in keys', 'REQ-1', 'key'],
] as const)('%s -> %s fails', async (mistake, requirement, about) => {
  const { alarms, messages } = await runOnApi(document, fleetServer(mistake), {
    only: [requirement],
    runs: 3,
  });
  expect(alarms).toContain(requirement);
  expect(messages).toContainEqual(expect.stringContaining(about));
});
