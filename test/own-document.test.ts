import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createInProcessTransport } from '../src/client/in-process-transport.ts';
import { loadDocument } from '../src/document/load.ts';
import { packageRoot } from '../src/document/package-root.ts';
import { isJsonObject, type Json, type JsonObject } from '../src/json/json.ts';
import type { Patch } from '../src/reference/patch.ts';
import { editPets, editReply, replace, together, type Where } from '../src/reference/patches.ts';
import { createReference } from '../src/reference/reference.ts';
import { runConformance } from '../src/run/run.ts';
import { createVirtualClock } from '../src/run/virtual-clock.ts';
import { noSettings, nowhere } from './support/running.ts';

const written = await readFile(join(packageRoot(), 'spec', 'openapi.yaml'), 'utf8');
const folder = await mkdtemp(join(tmpdir(), 'document-'));
afterAll(() => rm(folder, { recursive: true }));

/** The animal store's document with one text in place of another. */
const documentWith = async (...changes: readonly (readonly [before: string, after: string])[]) => {
  const changed = changes.reduce((text, [before, after]) => {
    expect(text).toContain(before);
    return text.replace(before, () => after);
  }, written);
  const file = join(folder, `${Math.random()}.yaml`);
  await writeFile(file, changed);
  return loadDocument(file);
};

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Json | undefined;
  readonly status: number;
}

/** Judges a reference server with patches by a document that stands in for the store's own. */
const judge = async (document: Awaited<ReturnType<typeof documentWith>>, ...patches: readonly Patch[]) => {
  const clock = createVirtualClock(Date.parse('2026-03-01T12:00:00Z'));
  const key = 'own-document-key-0123456789';
  const reference = createReference({
    clock: clock.inside,
    random: () => 0.5,
    keys: [{ key, plan: 'business' }],
    seedPets: 2,
    patches,
  });
  const sent: Sent[] = [];
  const transport = createInProcessTransport(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const text = await request.clone().text();
    const response = await reference.fetch(request);
    sent.push({
      method: request.method,
      path: pathname.replace('/v1', ''),
      query: searchParams,
      body: jsonIn(text),
      status: response.status,
    });
    return response;
  }, clock);
  const { outcome, exit } = await runConformance(
    { ...noSettings, seed: 11, runs: 10 },
    {
      clock,
      watch: () => {},
      signal: new AbortController().signal,
      random: () => 0.5,
      document,
      target: nowhere({
        baseUrl: 'http://localhost/v1',
        keys: { main: key, 'rate-limit': null },
        plans: { main: 'business', 'rate-limit': null },
        transport,
      }),
    },
  );
  const told = outcome.requirements.flatMap(({ id, failures }) =>
    failures.map(({ message }) => `${id}: ${message}`),
  );
  return { outcome, exit, told, sent, verdictOf: (id: string) => verdictIn(outcome, id) };
};

const verdictIn = (outcome: Awaited<ReturnType<typeof runConformance>>['outcome'], wanted: string) =>
  outcome.requirements.find(({ id }) => id === wanted)?.verdict;

const jsonIn = (text: string): Json | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const ofCategories: NonNullable<Where['when']> = (_, { url }) => url.pathname === '/v1/categories';

/** Further reasons to refuse a NewPet. */
const refusing = (isWrong: (pet: JsonObject) => boolean): Patch =>
  replace('violations', (before) => (body) => [
    ...before(body),
    ...(isJsonObject(body) && isWrong(body) ? ['it breaks a further rule'] : []),
  ]);

const limits = (maximum: number, usual: number): Patch =>
  replace('readLimit', (before) => (values) => {
    const reading = before(values.length === 0 ? [String(usual)] : values);
    return reading.ok && reading.value > maximum ? { ok: false, message: 'limit is too large' } : reading;
  });

describe('the page size of the document', () => {
  const smaller = () =>
    documentWith([
      '            maximum: 100\n            default: 20',
      '            maximum: 50\n            default: 10',
    ]);

  test('no limit above it is sent as a valid one, and a server that refuses those keeps to it', async () => {
    const { exit, told, sent } = await judge(await smaller(), limits(50, 10));
    expect(told).toEqual([]);
    expect(exit).toBe(0);
    const limitsSent = sent.filter(({ path }) => path === '/pets').map(({ query }) => query.get('limit'));
    expect(limitsSent).toContain('50');
    expect(limitsSent).toContain('51');
    expect(sent.some(({ query, status }) => query.get('limit') === '51' && status === 400)).toBe(true);
  });

  test('a server that serves more animals by default than it says is caught', async () => {
    const { told } = await judge(await smaller(), limits(50, 20));
    expect(told).toEqual([expect.stringContaining('LIST-2: ')]);
  });
});

describe('a required field that is added to NewPet', () => {
  const coloured = () =>
    documentWith(
      ['      required: [name, categoryId]', '      required: [name, categoryId, colour]'],
      [
        '        categoryId:\n',
        '        colour: { type: string, enum: [brown, white] }\n        categoryId:\n',
      ],
    );
  const isColour = (value: Json | undefined) => value === 'brown' || value === 'white';
  const keepsColours = together(
    refusing(({ colour }) => !isColour(colour)),
    replace('toNewPet', (before) => (body, call) => {
      const pet = before(body, call);
      return isJsonObject(body) && typeof body.colour === 'string'
        ? { ...pet, extra: { ...pet.extra, colour: body.colour } }
        : pet;
    }),
    editPets({}, ({ colour }) => ({ colour: colour ?? 'brown' })),
  );

  test('stands in every valid creation, and its absence is tried', async () => {
    const { exit, told, sent } = await judge(await coloured(), keepsColours);
    expect(told).toEqual([]);
    expect(exit).toBe(0);
    const created = sent.filter(({ method, status }) => method === 'POST' && status === 201);
    expect(created.length).toBeGreaterThan(20);
    const refused = sent.filter(({ method, status }) => method === 'POST' && status === 400);
    const { name, categoryId, colour } = { name: 'string', categoryId: 'number', colour: 'undefined' };
    expect(
      refused.some(
        ({ body }) =>
          isJsonObject(body) &&
          typeof body.name === name &&
          typeof body.categoryId === categoryId &&
          typeof body.colour === colour,
      ),
    ).toBe(true);
  });

  test('a server that does without it is caught', async () => {
    const { told } = await judge(
      await coloured(),
      editPets({}, () => ({ colour: 'brown' })),
    );
    expect(told.map((text) => text.split(':')[0])).toEqual(expect.arrayContaining(['CREATE-5', 'CREATE-6']));
  });
});

test('a limit on names is kept to by ordinary names, and tried from beyond', async () => {
  const document = await documentWith([
    "          description: The animal's name.",
    "          description: The animal's name.\n          maxLength: 14",
  ]);
  const isLong = ({ name }: JsonObject) => typeof name === 'string' && [...name].length > 14;
  const keeping = await judge(document, refusing(isLong));
  expect(keeping.told).toEqual([]);
  expect(keeping.sent.some(({ body, status }) => isJsonObject(body) && isLong(body) && status === 400)).toBe(
    true,
  );
  const lenient = await judge(document);
  expect(lenient.told).toEqual(expect.arrayContaining([expect.stringContaining('CREATE-6: ')]));
});

test('a status that the document no longer has is sent as an invalid one', async () => {
  const document = await documentWith(['enum: [available, pending, sold]', 'enum: [available, pending]']);
  const { told, sent } = await judge(
    document,
    refusing(({ status }) => status === 'sold'),
    replace(
      'readStatus',
      (before) => (values) =>
        values.includes('sold') ? { ok: false, message: 'no such status' } : before(values),
    ),
  );
  expect(told).toEqual([]);
  const sold = sent.filter(
    ({ body, status }) => isJsonObject(body) && body.status === 'sold' && status === 201,
  );
  expect(sold).toEqual([]);
});

describe('an operation that is added to the document', () => {
  const answer = (description: string, schema: string) => `
        '200':
          description: ${description}
          content:
            application/json:
              schema: ${schema}
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '429': { $ref: '#/components/responses/TooManyRequests' }`;
  const withCategories = () =>
    documentWith([
      '  /store/orders:\n',
      `  /categories:
    get:
      operationId: listCategories
      parameters:
        - { name: depth, in: query, schema: { type: integer, minimum: 1, maximum: 3 } }
      responses:${answer('Categories.', '{ type: array, items: { type: object, required: [id], properties: { id: { type: integer, format: int64 } } } }')}
  /store/orders:
`,
    ]);
  const serving = (categories: Json): Patch =>
    editReply({ status: 404, when: ofCategories }, (reply, call) => {
      const depth = call.url.searchParams.get('depth') ?? '1';
      return /^[123]$/.test(depth)
        ? { ...reply, status: 200, body: { json: categories } }
        : { ...reply, status: 400, body: { json: { code: 'bad', message: 'Bad.', status: 400n } } };
    });

  const working = serving([{ id: 7n }]);

  test('is exercised and judged with no code touched', async () => {
    const { told, exit, outcome, sent } = await judge(await withCategories(), working);
    expect(told).toEqual([]);
    expect(exit).toBe(0);
    const depths = sent.filter(({ path }) => path === '/categories').map(({ query }) => query.get('depth'));
    expect(depths).toEqual(expect.arrayContaining(['1', '3', '0', '4', null]));
    const statuses = outcome.coverage.filter(
      ({ operation, seen }) => operation === 'listCategories' && seen > 0,
    );
    expect(statuses.map(({ status }) => status)).toEqual(['200', '400', '401']);
  });

  test.each<[string, string, readonly Patch[]]>([
    ['another shape', 'GEN-3', [serving([{ id: 'seven' }])]],
    [
      'no key asked for',
      'AUTH-1',
      [
        working,
        editReply({ status: 401, when: ofCategories }, (reply) => ({
          ...reply,
          status: 200,
          body: { json: [] },
        })),
      ],
    ],
    [
      'no rate limit headers',
      'RATE-1',
      [
        working,
        editReply({ when: ofCategories }, (reply) => ({
          ...reply,
          headers: Object.fromEntries(
            Object.entries(reply.headers).filter(([name]) => !name.startsWith('x-ratelimit')),
          ),
        })),
      ],
    ],
    [
      'a failure on bad input',
      'GEN-4',
      [
        working,
        editReply({ status: 400, when: ofCategories }, (reply) => ({
          ...reply,
          status: 500,
        })),
      ],
    ],
  ])('%s breaches %s', async (_, requirement, patches) => {
    const { told } = await judge(await withCategories(), ...patches);
    expect(told.filter((text) => text.startsWith(`${requirement}: `))).not.toEqual([]);
  });
});
