// Servers whose resources have a value that must be unique.
import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/json/json.ts';
import { parseJson } from '../../src/json/parse.ts';
import { runOnApi } from '../support/api-run.ts';
import { json, objectOf, status } from '../support/small-apis.ts';

/** What a conforming server may do. */
type Choice = 'takes names twice';
type Mistake =
  | 'refuses a taken name with 400'
  | 'crashes on a taken name'
  | 'crashes on a change to a taken name'
  | 'other 409'
  | 'gives one seat of nine';

const name = { type: 'string', pattern: '^[A-Z]{2}\\d{4,6}$' };
const guest = objectOf({ id: { type: 'integer' }, name, seats: { type: 'integer' } }, 'id', 'name');
const taken = { 409: json(objectOf({ taken: { type: 'string' } }, 'taken')) };
const refusals = { 422: { description: 'Invalid.' }, ...taken };
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const missing = { 404: { description: 'None.' } };
const body = (...required: readonly string[]) => ({
  requestBody: {
    required: true,
    ...json(objectOf({ name, seats: { type: 'integer', minimum: 1, maximum: 9 } }, ...required)),
  },
});
const document = {
  openapi: '3.1.0',
  info: { title: 'Guests', version: '1' },
  paths: {
    '/guests': { post: { ...body('name'), responses: { 201: json(guest), ...refusals } } },
    '/guests/{id}': {
      get: { parameters, responses: { 200: json(guest), ...missing } },
      patch: { parameters, ...body(), responses: { 200: json(guest), ...missing, ...refusals } },
    },
  },
};

const guestsServer = (trait: Choice | Mistake | null) => {
  const guests: JsonObject[] = [];
  const refusal = (isNew: boolean, isTaken: string): Response => {
    if (trait === 'refuses a taken name with 400') return status(400);
    if (trait === 'crashes on a taken name') return status(500);
    if (trait === 'crashes on a change to a taken name' && !isNew) return status(500);
    return Response.json(trait === 'other 409' ? { error: 'taken' } : { taken: isTaken }, { status: 409 });
  };
  const isValid = ({ name: text = 'AA1111', seats = 1n }: JsonObject): boolean =>
    typeof text === 'string' &&
    /^[A-Z]{2}\d{4,6}$/.test(text) &&
    typeof seats === 'bigint' &&
    seats >= 1n &&
    seats <= 9n;
  const shown = (at: number) =>
    Response.json(
      {
        ...guests[at],
        ...(guests[at]?.seats === undefined ? {} : { seats: Number(guests[at].seats) }),
        id: at + 1,
      },
      { status: 200 },
    );
  return async (request: Request): Promise<Response> => {
    const [, kind, id = '', ...others] = new URL(request.url).pathname.split('/');
    const isItem = id !== '';
    if (kind !== 'guests' || others.length > 0) return status(404);
    const at = isItem ? Number(id) - 1 : guests.length;
    if (isItem && (!/^\d+$/.test(id) || guests[at] === undefined)) return status(404);
    if (isItem && request.method === 'GET') return shown(at);
    if (request.method !== (isItem ? 'PATCH' : 'POST')) return status(405);
    const parsed = parseJson(await request.text());
    const sent = parsed.ok && isJsonObject(parsed.value) ? parsed.value : null;
    if (sent === null || !isValid(sent) || (!isItem && sent.name === undefined)) return status(422);
    const isTaken = guests.some((other, index) => index !== at && other.name === sent.name);
    if (isTaken && trait !== 'takes names twice') return refusal(!isItem, String(sent.name));
    const given = trait === 'gives one seat of nine' && !isItem && sent.seats === 9n ? { seats: 1n } : {};
    guests[at] = { ...guests[at], ...sent, ...given };
    return isItem
      ? shown(at)
      : new Response(shown(at).body, { status: 201, headers: { 'Content-Type': 'application/json' } });
  };
};

test.concurrent.each([null, 'takes names twice'] as const)(
  '%s: a conforming server -> no failure',
  async (choice) => {
    const { exitCode, messages } = await runOnApi(document, guestsServer(choice));
    expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
  },
);

test.concurrent.each([
  ['refuses a taken name with 400', 'GEN-1', 'POST /guests with the values of another resource'],
  ['crashes on a taken name', 'GEN-4', 'POST /guests'],
  ['crashes on a change to a taken name', 'GEN-4', 'PATCH /guests'],
  ['other 409', 'GEN-3', 'taken'],
] as const)('%s -> %s fails', async (mistake, requirement, about) => {
  const { alarms, messages } = await runOnApi(document, guestsServer(mistake), { only: [requirement] });
  expect(alarms).toEqual([requirement]);
  expect(messages).toContainEqual(expect.stringContaining(about));
});

test('gives one seat of nine, among other requests with names of all forms -> RES-1 fails', async () => {
  const { alarms, messages } = await runOnApi(document, guestsServer('gives one seat of nine'));
  expect(alarms).toEqual(['RES-1']);
  expect(messages).toContainEqual(expect.stringContaining('expected seats 9, got 1'));
});
