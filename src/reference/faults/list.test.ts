import { expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../json/json.ts';
import { fieldsOf, itemsOf, type TestServer, testServer } from '../testing.ts';
import { listFaults } from './list.ts';

/** What tells the faulty server from the conforming one: true on the first only. Ninety animals stand in the store, thirty a status. */
type Symptom = (server: TestServer) => Promise<boolean>;

const statusOf = async (server: TestServer, query: string) => (await server.get(`/pets?${query}`)).status;
const items = async (server: TestServer, query = '') => itemsOf(await server.get(`/pets?${query}`));
const answers =
  (query: string, status: number): Symptom =>
  async (server) =>
    (await statusOf(server, query)) === status;

/** The list under this query has this length; lists under the others are as long as they should be. */
const counts =
  (query: string, count: number, sound: Readonly<Record<string, number>> = {}): Symptom =>
  async (server) => {
    for (const [other, length] of Object.entries(sound))
      expect(await items(server, other), other).toHaveLength(length);
    return (await items(server, query)).length === count;
  };

/** More than a hundred animals where the limit is this text. */
const overflows =
  (text: string): Symptom =>
  async (server) => {
    for (let more = 20; more > 0; more -= 1) await create(server);
    return (await items(server, `limit=${text}`)).length > 100;
  };

const lists =
  (query: string, odd: (body: Json) => boolean): Symptom =>
  async (server) => {
    const { status, json } = await server.get(`/pets?${query}`);
    return status === 200 && odd(json);
  };

const ordinary = { name: '"x"', categoryId: '1' };

/** Creates an animal with these fields, each as JSON text, over ordinary ones. */
const create = async (server: TestServer, fields: Readonly<Record<string, string>> = {}) => {
  const members = Object.entries({ ...ordinary, ...fields }).map(([name, text]) => `"${name}":${text}`);
  const answer = await server.create(`{${members.join(',')}}`);
  expect(answer.status).toBe(201);
  return fieldsOf(answer);
};

/** An animal created with these fields is missing under this query. */
const loses =
  (fields: Readonly<Record<string, string>>, query: string): Symptom =>
  async (server) => {
    const { id } = await create(server, fields);
    await create(server);
    return !(await items(server, query)).some((pet) => pet.id === id);
  };

const holdsOther =
  (status: string, limit: string): Symptom =>
  async (server) =>
    (await items(server, `status=${status}${limit}`)).some((pet) => pet.status !== status);

const twice =
  (query: string): Symptom =>
  async (server) => {
    const ids = (await items(server, query)).map(({ id }) => id);
    return new Set(ids).size < ids.length;
  };

const shapes: Readonly<Record<string, Symptom>> = {
  'list-enveloped-with-limit': lists('limit=5', isJsonObject),
  'list-of-one-as-an-object': lists('limit=1', isJsonObject),
  'empty-list-as-null': lists('status=none', (body) => body === null),
  'empty-filtered-list-as-null': lists('status=sold', (body) => body === null),
  'category-zero-listed-as-null': async (server) => {
    await create(server, { categoryId: '0' });
    const [newest, other] = await items(server);
    return newest?.categoryId === null && other?.categoryId === 5n;
  },
  'listed-ids-as-strings': async (server) => (await items(server)).every(({ id }) => typeof id === 'string'),
  'list-leaves-out-the-category': async (server) =>
    (await items(server)).every(({ categoryId }) => categoryId === undefined),
  'page-padded-with-nulls': lists('limit=91', (body) => Array.isArray(body) && body.at(-1) === null),
  'omitted-status-listed-as-null': async (server) => {
    const { status } = await create(server);
    return status === undefined && (await items(server))[0]?.status === null;
  },
};

const limits: Readonly<Record<string, Symptom>> = {
  'no-default-limit': counts('', 90, { 'limit=30': 30 }),
  'default-limit-one-too-many': counts('', 21, { 'limit=20': 20 }),
  'default-limit-lost-with-status': counts('status=sold', 30, { '': 20, 'status=sold&limit=9': 9 }),
  'default-limit-for-each-status': counts('', 60, { 'status=sold': 20, 'limit=21': 21 }),
  'limit-ignored': counts('limit=3', 20),
  'limit-one-too-many': counts('limit=7', 8, { '': 20 }),
  'limit-of-one-means-none': counts('limit=1', 20, { 'limit=2': 2 }),
  'limit-of-one-hundred-one-too-many': async (server) => {
    for (let more = 20; more > 0; more -= 1) await create(server);
    return (
      (await items(server, 'limit=100')).length === 101 && (await items(server, 'limit=99')).length === 99
    );
  },
  'limit-equal-to-the-default-dropped': counts('limit=20', 90, { '': 20, 'limit=19': 19, 'limit=21': 21 }),
  'limit-rounded-up-to-batches': counts('limit=26', 50, { 'limit=24': 24, 'limit=25': 25, '': 20 }),
  'limit-read-as-hexadecimal': counts('limit=10', 16, { 'limit=9': 9, '': 20 }),
  'limit-behind-status-overlooked': counts('status=sold&limit=5', 30, { 'limit=5&status=sold': 5 }),
  'limit-ignored-with-status': counts('limit=2&status=sold', 30, { 'limit=2': 2, 'status=sold': 20 }),
};

const bounds: Readonly<Record<string, Symptom>> = {
  'limit-of-one-hundred-refused': answers('limit=100', 400),
  'limit-of-one-refused': answers('limit=1', 400),
  'limit-of-fifty-refused': answers('limit=50', 400),
  'limits-from-91-to-99-refused': answers('limit=95', 400),
  'page-sizes-enumerated': answers('limit=7', 400),
  'limit-refused-together-with-status': answers('limit=7&status=sold', 400),
  'limit-beyond-the-store-fails': answers('limit=91', 500),
  'limit-without-maximum': overflows('1000'),
  'limit-of-minus-one-means-all': overflows('-1'),
  'first-limit-checked-and-last-applied': overflows('1&limit=1000'),
  'limit-of-zero-means-all': overflows('0'),
  'limit-in-words-means-all': overflows('all'),
  'limit-checked-by-parse-int-and-read-by-number': overflows('1e3'),
  'negative-limit-fails': answers('limit=-1', 500),
  'limit-beyond-int32-fails': answers('limit=2147483648', 500),
  'fractional-limit-fails': answers('limit=1.5', 500),
  'superscript-limit-fails': answers('limit=%C2%B2', 500),
  'largest-int64-as-limit-fails': answers('limit=9223372036854775807', 500),
  'limit-out-of-range-with-status-fails': answers('limit=101&status=sold', 500),
  'limit-out-of-range-answered-with-200': lists('limit=101', isJsonObject),
};

const filters: Readonly<Record<string, Symptom>> = {
  'status-filter-ignored': holdsOther('sold', ''),
  'status-filter-ignored-with-limit': holdsOther('sold', '&limit=9'),
  'status-filter-skipped-on-the-largest-page': holdsOther('sold', '&limit=100'),
  'pending-lists-sold-too': holdsOther('pending', ''),
  'page-filled-up-with-others': holdsOther('sold', '&limit=31'),
  'animals-without-status-listed-as-available': async (server) => {
    await create(server);
    return holdsOther('available', '')(server);
  },
  'unknown-status-fails': answers('status=gone', 500),
  'empty-status-fails': answers('status=', 500),
  'long-status-fails': answers(`status=${'x'.repeat(33)}`, 500),
  'quote-in-status-fails': answers("status='", 500),
  'brace-in-status-fails': answers('status={', 500),
  'status-of-four-bytes-fails': answers('status=%F0%9F%90%88', 500),
  'unknown-status-with-limit-fails': answers('status=gone&limit=5', 500),
  'status-named-like-an-inherited-property-fails': answers('status=constructor', 500),
  'status-given-twice-fails': answers('status=sold&status=sold', 500),
  'status-as-an-array-fails': answers('status%5B%5D=sold', 500),
  'unknown-status-answered-with-200': lists('status=gone', isJsonObject),
};

const missing: Readonly<Record<string, Symptom>> = {
  'status-filtered-after-paging': loses({ status: '"sold"' }, 'status=sold&limit=1'),
  'omitted-status-not-found-under-its-default': loses({}, 'status=available&limit=100'),
  'pending-never-found': loses({ status: '"pending"' }, 'status=pending&limit=100'),
  'sold-left-out-without-status': loses({ status: '"sold"' }, 'limit=100'),
  'newest-left-out-without-status': async (server) => {
    const { id } = await create(server);
    return !(await items(server, 'limit=100')).some((pet) => pet.id === id);
  },
  'long-names-not-listed': loses({ name: `"${'n'.repeat(51)}"` }, 'limit=100'),
  'large-categories-not-listed': loses({ categoryId: '2147483648' }, 'limit=100'),
  'namesakes-listed-once': loses({}, 'limit=100'),
  'page-one-too-short': counts('limit=1', 0),
  'pages-cut-at-fifty': counts('limit=80', 50, { 'limit=50': 50 }),
  'last-dropped-as-if-more-followed': counts('limit=91', 89, { 'limit=89': 89 }),
  'animals-of-the-beginning-not-under-their-status': counts('status=sold&limit=90', 0, { 'limit=90': 90 }),
  'animals-of-the-beginning-under-their-status-only': counts('limit=90', 0, { 'status=sold&limit=90': 30 }),
  'last-lost-where-the-limit-is-just-reached': counts('limit=90', 89, { 'limit=89': 89, 'limit=91': 90 }),
};

const repeated: Readonly<Record<string, Symptom>> = {
  'short-page-repeats-its-last': twice('limit=100'),
  'batches-overlap-by-one': twice('limit=51'),
  'newest-twice-with-status': twice('status=sold'),
  'pending-joined-twice': twice(''),
};

const symptoms = { ...shapes, ...limits, ...bounds, ...filters, ...missing, ...repeated };

test('every fault has a symptom here', () => {
  expect(Object.keys(symptoms).sort()).toEqual(listFaults.map(({ name }) => name).sort());
});

test.each(listFaults)(
  '$name shows, and only on the faulty server',
  async ({ name, patch, seedPets = 90 }) => {
    const shows = symptoms[name];
    expect(await shows?.(testServer({ seedPets, patches: [patch] }))).toBe(true);
    expect(await shows?.(testServer({ seedPets }))).toBe(false);
  },
);

test('each of LIST-1 to LIST-9 has at least three faults', () => {
  for (let number = 1; number <= 9; number += 1)
    expect(
      listFaults.filter(({ requirement }) => requirement === `LIST-${number}`).length,
    ).toBeGreaterThanOrEqual(3);
});
