import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { Dialect } from '../patch.ts';
import { replace } from '../patch-kit/core.ts';
import { removeHeaders, setStatus } from '../patch-kit/responses.ts';
import { isInt64, isPetStatus } from '../pet.ts';
import {
  fieldsOf,
  itemsOf,
  type SendOptions,
  type TestAnswer,
  type TestServer,
  testKeys,
  testServer,
} from '../testing.ts';
import { combination } from './combinations.ts';
import { dialects } from './index.ts';
import { writingDialects } from './writing.ts';

const keys = [...testKeys, { key: 'key-enterprise', plan: 'enterprise' as const }];

/** A server with these dialects, with three animals if none of them says how many. */
const serverIn = (...spoken: readonly Dialect[]): TestServer => {
  const seedPets = spoken.find((one) => one.seedPets !== undefined)?.seedPets ?? 3;
  const now = spoken.find((one) => one.now !== undefined)?.now;
  const patches = spoken.map(({ patch }) => patch);
  return testServer({ patches, seedPets, keys, ...(now === undefined ? {} : { now }) });
};

const whole = (answer: TestAnswer, name: string): number => {
  const value = answer.headers.get(`x-ratelimit-${name}`) ?? '';
  expect(value).toMatch(/^\d+$/);
  return Number(value);
};

/** What holds for every answer: GEN-2, ERR-1, ERR-2, RATE-1, RATE-2, RATE-7. */
function expectDocumented(answer: TestAnswer, sentAt: number): void {
  const { status, headers } = answer;
  expect(status).toBeLessThan(500);
  expect(whole(answer, 'remaining')).toBeLessThanOrEqual(whole(answer, 'limit'));
  expect(whole(answer, 'reset')).toBeGreaterThanOrEqual(Math.floor(sentAt / 1000));
  expect(whole(answer, 'reset')).toBeLessThanOrEqual(sentAt / 1000 + 86_461);
  if (answer.text !== '' && [200, 201, 400, 401, 404, 429].includes(status))
    expect(headers.get('content-type')).toMatch(/^application\/json *(;|$)/i);
  if ([400, 401, 404].includes(status))
    expect(answer.json).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      status: BigInt(status),
    });
  if (status === 429) expect(headers.get('retry-after')).toMatch(/^\d+$|GMT$/);
}

const isPet = (pet: JsonObject): boolean =>
  isInt64(pet.id) &&
  isInt64(pet.categoryId) &&
  typeof pet.name === 'string' &&
  (pet.status === undefined || isPetStatus(pet.status));

/** A client that checks what holds for every answer. */
const clientOf = (server: TestServer) => {
  const send = async (line: string, options: SendOptions = {}): Promise<TestAnswer> => {
    const [method = '', path = ''] = line.split(' ');
    const sentAt = server.now;
    const headers = { 'content-type': 'application/json' };
    const answer = await server.send(method, path, { headers, ...options });
    expectDocumented(answer, sentAt);
    return answer;
  };
  const list = async (query: string): Promise<readonly JsonObject[]> => {
    const answer = await send(`GET /pets${query}`);
    expect(answer.status).toBe(200);
    const pets = itemsOf(answer);
    expect(pets.every(isPet)).toBe(true);
    expect(new Set(pets.map(({ id }) => id)).size).toBe(pets.length);
    return pets;
  };
  return { send, list };
};
type Client = ReturnType<typeof clientOf>;

const operations = ['GET /pets', 'POST /pets', 'GET /store/orders'];

async function expectKeysJudged({ send }: Client): Promise<void> {
  for (const line of [...operations, 'GET /pets?limit=0']) {
    expect((await send(line, { key: null })).status).toBe(401);
    expect((await send(line, { key: 'key-busines' })).status).toBe(401);
  }
}

async function expectLists({ send, list }: Client): Promise<void> {
  expect((await list('')).length).toBeLessThanOrEqual(20);
  for (const limit of [1, 7, 99, 100])
    expect((await list(`?limit=${limit}`)).length).toBeLessThanOrEqual(limit);
  for (const status of ['available', 'pending', 'sold'])
    for (const pet of await list(`?limit=50&status=${status}`)) expect(pet.status).toBe(status);
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=',
    'limit=3&limit=500',
    'status=Sold',
    'status=',
  ]) {
    const answer = await send(`GET /pets?${query}`);
    expect([200, 400, 404, 422]).toContain(answer.status);
    expect(itemsOf(answer).length).toBeLessThanOrEqual(100);
  }
}

const invalid = [
  '',
  '[]',
  'null',
  '{"name":',
  '{}',
  '{"name":"x"}',
  '{"categoryId":1}',
  '{"name":1,"categoryId":1}',
];
const invalidValues = ['"1"', '1.5', '9223372036854775808', 'null', '1,"status":"Sold"', '1,"status":null'];

/** How the animal is to be shown later; `changes`: with any status. */
const laterOf = (created: JsonObject, changes: boolean): JsonObject => {
  const { status: _status, ...others } = created;
  return changes ? others : created;
};

async function expectCreations(
  server: TestServer,
  { send, list }: Client,
  { gone, changes, paged }: Readonly<Record<'gone' | 'changes' | 'paged', boolean>>,
): Promise<void> {
  for (const body of [...invalid, ...invalidValues.map((value) => `{"name":"x","categoryId":${value}}`)])
    expect((await send('POST /pets', { body })).status).toBe(400);
  const known = (await list('?limit=100'))[0]?.categoryId ?? 7n;
  for (const [index, status] of ['', ',"status":"sold"'].entries()) {
    const sent = { name: `conformance-7-Bella-${index}`, categoryId: known, status: 'sold' };
    const body = `{"name":"${sent.name}","categoryId":${known}${status}}`;
    const answer = await send('POST /pets', { body });
    expect(answer.status).toBe(201);
    const created = fieldsOf(answer);
    expect(isPet(created)).toBe(true);
    expect(created).toMatchObject(status === '' ? { name: sent.name, categoryId: known } : sent);
    server.now += 1_500;
    const all = await list('?limit=100');
    const shown = expect.objectContaining(laterOf(created, changes));
    if (all.length < 100 && !paged) expect(all).toContainEqual(shown);
    const again = await send(`GET /pets/${created.id}`);
    if (gone) expect(again.status).toBeGreaterThanOrEqual(400);
    else expect([again.status, again.json]).toEqual([200, shown]);
  }
  const odd = await send('POST /pets', {
    body: `{"name":"\\u0000 e\u0301/<b>🐈 ","categoryId":${known},"id":5}`,
  });
  expect([201, 400]).toContain(odd.status);
}

async function expectById({ send }: Client): Promise<void> {
  expect((await send('GET /pets/31415926535')).status).toBe(404);
  expect([400, 404, 422]).toContain((await send('GET /pets/abc')).status);
  expect((await send('GET /pets/1', { key: null })).status).toBe(401);
}

/** RATE-5 to RATE-8 on a key of three requests in ten seconds, on whatever counts. */
async function expectLimit(server: TestServer, { send }: Client): Promise<void> {
  const creation = (count: number) => JSON.stringify({ name: `limit-${count}`, categoryId: 1 });
  for (const [line, bodyOf] of [
    ['GET /pets', () => null],
    ['POST /pets', () => null],
    ['POST /pets', creation],
  ] as const) {
    let remaining = 1;
    for (let sent = 0; sent < 30; sent += 1) {
      const answer = await send(line, { key: 'key-tiny', body: bodyOf(sent) });
      if (answer.status !== 429) {
        remaining = whole(answer, 'remaining');
        continue;
      }
      expect([remaining, whole(answer, 'remaining')]).toEqual([0, 0]);
      const wait = answer.headers.get('retry-after') ?? '';
      server.now = /^\d+$/.test(wait)
        ? server.now + Number(wait) * 1_000
        : Math.max(server.now, Date.parse(wait));
      expect((await send(line, { key: 'key-tiny', body: bodyOf(99) })).status).not.toBe(429);
      return;
    }
  }
  expect('a limit').toBe('none');
}

const slow = (spoken: readonly Dialect[]): boolean => spoken.some(({ choice }) => choice === 'speed');

async function expectConforming(spoken: readonly Dialect[]): Promise<void> {
  const server = serverIn(...spoken);
  const client = clientOf(server);
  await expectKeysJudged(client);
  await expectLists(client);
  const orders = await client.send('GET /store/orders');
  expect([404, 405, 501]).not.toContain(orders.status);
  const refusing = spoken.some(({ name }) => name.startsWith('store-with-only-category-seven'));
  const gone = spoken.some(({ choice, name }) => choice === 'removal' && name.startsWith('removed'));
  // The removal comes while the server is looked at.
  const unclear = spoken.some(({ now }) => now?.includes(':59:'));
  if (!refusing && !unclear)
    await expectCreations(server, client, {
      gone,
      changes: spoken.some(({ choice }) => choice === 'transitions'),
      paged: spoken.some(({ choice }) => choice === 'cursor'),
    });
  if (!gone && !unclear) await expectById(client);
  if (!slow(spoken)) await expectLimit(server, client);
}

test.each(dialects.map((dialect) => [dialect.name, dialect] as const))('%s conforms', (_name, dialect) =>
  expectConforming([dialect]),
);

test('JSON that is written in another way has the same value', async () => {
  const names = ['"', '\\', '\\"/', '[1,{"a":2}]', '', '\ud800', '\u2028', 'x'.repeat(300_000)];
  for (const dialect of writingDialects) {
    const server = serverIn(dialect);
    for (const name of names) {
      const answer = await server.create(JSON.stringify({ name, categoryId: 1 }));
      const read = parseJson(answer.text);
      expect(read.ok && read.value, dialect.name).toMatchObject({ name, categoryId: 1n });
    }
  }
});

test('combinations conform', { timeout: 60_000 }, async () => {
  await fc.assert(fc.asyncProperty(combination(), expectConforming), { numRuns: 100 });
});

test.each([
  ['a status', setStatus(200, { status: 201 })],
  ['a missing header', removeHeaders(['x-ratelimit-reset'], { status: 404 })],
  ['an early refusal', replace('windows', () => () => [{ limit: 2, seconds: 60 }])],
  ['a lost animal', replace('insert', () => () => undefined)],
])('%s that is wrong does not conform', async (name, patch) => {
  await expect(expectConforming([{ name, description: '', patch }])).rejects.toThrow();
});

test('a combination has two to eight dialects, at most one of each choice', () => {
  fc.assert(
    fc.property(combination(), (spoken) => {
      expect(spoken.length).toBeGreaterThanOrEqual(2);
      expect(spoken.length).toBeLessThanOrEqual(8);
      const chosen = spoken.flatMap(({ choice }) => choice ?? []);
      expect(new Set(chosen).size).toBe(chosen.length);
    }),
  );
});

test('no choice is named as a dialect; how many animals and which day are choices', () => {
  const names = new Set(dialects.map(({ name }) => name));
  for (const { name, choice, seedPets, now } of dialects) {
    expect(names.has(choice ?? ''), name).toBe(false);
    expect(seedPets !== undefined, name).toBe(choice === 'store');
    expect(now !== undefined, name).toBe(choice === 'removal');
  }
});

test('there are more than 65 dialects', () => {
  expect(dialects.length).toBeGreaterThan(65);
});
