import { describe, expect, test } from 'vitest';
import type { Fault } from '../patch.ts';
import { fieldsOf, type TestServer, testServer } from '../testing.ts';
import { getFaults } from './get.ts';

/** What tells the faulty server from the conforming one: true on the first only. Twenty animals stand in the store. */
type Symptom = (server: TestServer) => Promise<boolean>;

const answers =
  (petId: string, status: number, odd: (text: string) => boolean = () => true): Symptom =>
  async (server) => {
    const answer = await server.get(`/pets/${petId}`);
    return answer.status === status && odd(answer.text);
  };

const isPage = (text: string): boolean => text.startsWith('<!doctype html>');

/** The animal with this id comes back for each of these texts. */
const finds =
  (id: bigint, ...texts: readonly string[]): Symptom =>
  async (server) => {
    for (const text of texts) if (fieldsOf(await server.get(`/pets/${text}`)).id !== id) return false;
    return true;
  };

/** An animal fetched alone differs from what its creation answered. */
const differs =
  (body: string): Symptom =>
  async (server) => {
    const created = await server.create(body);
    return (await server.get(`/pets/${fieldsOf(created).id}`)).text !== created.text;
  };

const header =
  (name: string, value: string): Symptom =>
  async (server) =>
    (await server.get('/pets/1')).headers.get(name) === value;

const symptoms: Readonly<Record<string, Symptom>> = {
  'get-leaves-out-the-status': differs('{"name":"x","categoryId":1,"status":"available"}'),
  'get-escapes-html': differs('{"name":"a & b","categoryId":1}'),
  'get-cuts-names-at-thirty': differs(`{"name":"${'n'.repeat(31)}","categoryId":1}`),
  'get-category-through-a-double': differs('{"name":"x","categoryId":9007199254740993}'),
  'get-takes-category-zero-for-none': differs('{"name":"x","categoryId":0}'),
  'get-id-as-a-string': differs('{"name":"x","categoryId":1}'),
  'get-wraps-the-animal-in-an-array': differs('{"name":"x","categoryId":1}'),
  'sold-animals-not-found-by-id': differs('{"name":"x","categoryId":1,"status":"sold"}'),
  'get-matches-the-beginning-of-ids': finds(19n, '1'),
  'animals-of-the-beginning-not-found-by-id': answers('1', 404),
  'first-animal-of-the-beginning-shown-anew': answers('1', 200, (text) => text.includes('Example')),
  'large-categories-not-found-by-id': differs('{"name":"x","categoryId":2147483648}'),
  'unknown-ids-remembered': async (server) => {
    await server.get('/pets/21');
    return differs('{"name":"x","categoryId":1}')(server);
  },

  'unknown-id-answered-with-null': answers('99', 200, (text) => text === 'null'),
  'unknown-id-answered-with-204': answers('99', 204),
  'unknown-id-answered-with-400': answers('99', 400),
  'unknown-id-answered-with-a-page': answers('99', 404, isPage),
  'unknown-id-answered-without-a-body': answers('99', 404, (text) => text === ''),
  'unknown-id-fails': answers('99', 500),
  'unknown-id-beyond-int32-fails': answers('2147483648', 500),
  'large-unknown-id-fails-with-a-full-limit': answers('1099511627777', 500),
  'id-behind-the-newest-fails': answers('21', 500),
  'pet-id-decoded-twice': answers('1%25', 500),
  'id-behind-the-newest-returns-the-newest': finds(20n, '21'),
  'unknown-id-returns-the-nearest': finds(20n, '99'),
  'unknown-ids-cut-to-32-bits': finds(1n, '4294967297'),
  'negative-ids-lose-their-sign': finds(3n, '-3'),
  'id-zero-returns-the-newest': finds(20n, '0'),
  'unknown-id-made-by-asking': async (server) => {
    expect((await server.get('/pets/99')).status).toBe(404);
    return finds(99n, '99')(server);
  },

  'large-ids-cut-to-32-bits': finds(1_000_001n, '4295967297'),

  'pet-id-read-by-parse-int': finds(1n, '1abc', '1.5', '%201', '+1', '1'),
  'pet-id-coerced-to-a-number': finds(1n, '1e0', '0x1', '%201', '1.0', '1'),
  'pet-id-wraps-at-64-bits': finds(1n, '18446744073709551617'),
  'pet-id-in-digits-of-any-script': finds(1_000_001n, encodeURIComponent('١０００００١'), '0_1000001'),
  'pet-id-in-groups-of-digits': finds(1_000_001n, '0,1000001', '1,000,001'),
  'pet-id-checked-line-by-line': finds(1n, '1%0Aabc', '1'),
  'pet-id-beyond-int64-fails': answers('9223372036854775808', 500),
  'pet-id-in-letters-fails': answers('abc', 500),
  'malformed-path-fails': answers('%zz', 500),
  'pet-id-refused-with-a-page': answers('abc', 400, isPage),
  'pet-id-refused-with-a-detail': answers('abc', 404, (text) => text === '{"detail":"Not Found"}'),

  'removed-when-deprecated': answers('1', 410),
  'deprecated-operation-finds-nothing': answers('1', 404),
  'removal-a-month-early': answers('1', 410),
  'removal-day-and-month-swapped': answers('1', 410),
  'removal-compared-by-year': answers('1', 410),
  'removed-on-3-december': answers('1', 410),
  'deprecated-operation-redirects': answers('1', 301),
  'deprecated-operation-browns-out': async (server) => {
    const statuses = [1, 2, 3, 4].map(async () => (await server.get('/pets/1')).status);
    return (await Promise.all(statuses)).join() === '200,200,410,200';
  },
  'deprecated-operation-asks-for-consent': async (server) => {
    const headers = { 'x-allow-deprecated': 'yes' };
    expect((await server.get('/pets/1', { headers })).status).toBe(200);
    return answers('1', 403)(server);
  },

  'never-removed': finds(1n, '1'),
  'removed-on-8-december': finds(1n, '1'),
  'removal-month-counted-from-zero': finds(1n, '1'),
  'removal-a-year-late': finds(1n, '1'),
  'removed-in-decembers-only': finds(1n, '1'),
  'removed-on-half-of-the-instances': async (server) => {
    const statuses = [1, 2, 3].map(async () => (await server.get('/pets/1')).status);
    return (await Promise.all(statuses)).join() === '410,200,410';
  },
  'removal-spares-the-newest': finds(20n, '20'),
  'removal-spares-the-oldest': finds(1n, '1'),
  'removal-answered-with-200': answers('1', 200),

  'sunset-as-an-iso-date': header('sunset', '2030-12-05T00:00:00Z'),
  'sunset-a-month-late': header('sunset', new Date('2031-01-05').toUTCString()),
  'sunset-on-another-weekday': header('sunset', 'Sun, 05 Dec 2030 00:00:00 GMT'),
  'deprecation-says-true': header('deprecation', 'true'),
  'announced-on-every-answer': async (server) =>
    (await server.get('/pets')).headers.get('deprecation') === '@1764892800',
  'deprecation-in-milliseconds': header('deprecation', '@1764892800000'),
};

const on = (now: Fault['now']) => ({ seedPets: 20, ...(now === undefined ? {} : { now }) });

test('every fault has a symptom here', () => {
  expect(Object.keys(symptoms).sort()).toEqual(getFaults.map(({ name }) => name).sort());
});

test.each(getFaults)('$name shows, and only on the faulty server', async ({ name, patch, now }) => {
  const shows = symptoms[name];
  expect(await shows?.(testServer({ ...on(now), patches: [patch] }))).toBe(true);
  expect(await shows?.(testServer(on(now)))).toBe(false);
});

test('each of GET-1 to GET-6 has at least three faults', () => {
  for (let number = 1; number <= 6; number += 1)
    expect(
      getFaults.filter(({ requirement }) => requirement === `GET-${number}`).length,
    ).toBeGreaterThanOrEqual(3);
});

describe('the day on which a fault is judged', () => {
  const judgedOn = (id: string) =>
    getFaults.filter(({ requirement }) => requirement === id).map(({ now = '2026-03-01' }) => now);

  test('lies after the day of the removal for what serves on, before it for what stops early', () => {
    for (const day of judgedOn('GET-5')) expect(Date.parse(day)).toBeGreaterThan(Date.parse('2030-12-06'));
    for (const day of judgedOn('GET-4')) expect(Date.parse(day)).toBeLessThan(Date.parse('2030-12-04'));
  });
});
