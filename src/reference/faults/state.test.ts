import { expect, test } from 'vitest';
import { fieldsOf, itemsOf, type TestServer, testServer } from '../testing.ts';
import { stateFaults } from './state.ts';

/** What tells the faulty server from the conforming one: true on the first only. The store is empty at first. */
type Symptom = (server: TestServer) => Promise<boolean>;

const create = async (server: TestServer, name = 'x', status = 'available') =>
  fieldsOf(await server.create(`{"name":"${name}","categoryId":1,"status":"${status}"}`));

const createMany = async (server: TestServer, count: number) => {
  const created = [];
  for (let number = 1; number <= count; number += 1) created.push(await create(server, `n${number}`));
  return created;
};

const createAtOnce = (server: TestServer, count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => create(server, `n${at}`)));

const items = async (server: TestServer, query = '') => itemsOf(await server.get(`/pets?${query}`));
const idsIn = async (server: TestServer, query = '') => (await items(server, query)).map(({ id }) => id);
const get = async (server: TestServer, id: unknown) => server.get(`/pets/${id}`);

/** After so many creations the first animal is no longer listed; it was after one less. */
const forgets =
  (count: number): Symptom =>
  async (server) => {
    const [first] = await createMany(server, count - 1);
    expect(await idsIn(server, 'limit=100')).toContain(first?.id);
    await create(server);
    return !(await idsIn(server, 'limit=100')).includes(first?.id ?? null);
  };

/** Of so many lists the last one holds fewer animals than the others. */
const lapses =
  (turn: number, whole: number, left: number): Symptom =>
  async (server) => {
    await createMany(server, whole);
    const sizes = [];
    for (let number = 1; number <= turn; number += 1) sizes.push((await items(server)).length);
    expect(sizes.slice(0, -1)).toEqual(Array(turn - 1).fill(whole));
    return sizes.at(-1) === left;
  };

/** So long after the creation, these are the status in the list, that of getPet, and whether status=sold finds the animal. */
const statusesLater =
  (status: string, ms: number, seen: readonly [string, string, boolean]): Symptom =>
  async (server) => {
    const { id } = await create(server, 'x', status);
    server.now += ms;
    const [listed] = await items(server);
    const served = fieldsOf(await get(server, id));
    const isFound = (await idsIn(server, 'status=sold')).includes(id ?? null);
    return [listed?.status, served.status, isFound].join() === seen.join();
  };

const symptoms: Readonly<Record<string, Symptom>> = {
  'concurrent-gets-mixed-up': async (server) => {
    await createMany(server, 3);
    const alone = await get(server, 1);
    const [answer] = await Promise.all([get(server, 1), get(server, 3)]);
    return fieldsOf(alone).id === 1n && fieldsOf(answer).id === 3n;
  },
  'concurrent-creations-answered-alike': async (server) =>
    (await createAtOnce(server, 3)).every(({ name }) => name === 'n2'),
  'concurrent-lists-share-their-filter': async (server) => {
    await create(server, 'a', 'sold');
    await create(server, 'b', 'pending');
    expect(await idsIn(server, 'status=sold')).toEqual([1n]);
    const [answer] = await Promise.all([idsIn(server, 'status=sold'), idsIn(server, 'status=pending')]);
    return answer.join() === '2';
  },
  'concurrent-creations-stored-alike': async (server) => {
    const created = await createAtOnce(server, 3);
    expect(created.map(({ name }) => name)).toEqual(['n0', 'n1', 'n2']);
    return (await items(server)).every(({ name }) => name === 'n2') && (await items(server)).length === 3;
  },
  'creations-lost-under-concurrency': async (server) => {
    await createMany(server, 3);
    await createAtOnce(server, 5);
    return (await items(server)).length === 4 && (await get(server, 5)).status === 404;
  },

  'limit-of-the-request-before-sticks': async (server) => {
    await createMany(server, 30);
    expect(await items(server)).toHaveLength(20);
    await items(server, 'limit=25');
    return (await items(server)).length === 25;
  },
  'status-of-the-request-before-sticks': async (server) => {
    await createMany(server, 3);
    await items(server, 'status=sold');
    return (await items(server, 'limit=50')).length === 0;
  },
  'list-from-a-snapshot': async (server) => {
    await items(server);
    await create(server);
    server.now += 9_000;
    const late = await items(server, 'limit=7');
    server.now += 1_000;
    expect(await items(server)).toHaveLength(1);
    return late.length === 0;
  },
  'lists-cached-for-a-minute': async (server) => {
    await items(server);
    await create(server);
    expect(await items(server, 'limit=7')).toHaveLength(1);
    server.now += 59_000;
    const late = await items(server);
    server.now += 1_000;
    expect(await items(server)).toHaveLength(1);
    return late.length === 0;
  },
  'listing-one-takes-it-out': async (server) => {
    await createMany(server, 3);
    expect(await idsIn(server, 'limit=1')).toEqual([3n]);
    return (await idsIn(server)).join() === '2,1';
  },
  'getting-an-animal-deletes-it': async (server) => {
    const { id } = await create(server);
    expect((await get(server, id)).status).toBe(200);
    return (await get(server, id)).status === 404 && (await items(server)).length === 0;
  },
  'creation-renames-an-earlier-animal': async (server) => {
    await createMany(server, 16);
    expect(fieldsOf(await get(server, 1)).name).toBe('n1');
    await create(server, 'later');
    return fieldsOf(await get(server, 1)).name === 'later';
  },

  'same-creation-answered-with-the-first': async (server) => {
    const { id } = await create(server, 'n');
    expect((await create(server, 'n', 'sold')).id).not.toBe(id);
    return (await create(server, 'n')).id === id;
  },
  'namesakes-take-the-category-of-the-last': async (server) => {
    const { id } = await create(server, 'n');
    await server.create('{"name":"n","categoryId":5}');
    return fieldsOf(await get(server, Number(id))).categoryId === 5n;
  },

  'status-not-stored': statusesLater('sold', 0, ['available', 'available', false]),
  'pending-approved-at-creation': statusesLater('pending', 0, ['available', 'available', false]),
  'sales-not-shown-by-get-pet': statusesLater('available', 500, ['sold', 'available', true]),
  'sales-not-shown-by-lists': statusesLater('available', 500, ['available', 'sold', false]),
  'sales-not-found-by-status': statusesLater('available', 500, ['sold', 'sold', false]),

  'list-forgets-beyond-forty': async (server) =>
    (await forgets(41)(server)) && (await get(server, 1)).status === 200,
  'oldest-evicted-beyond-fifty': async (server) =>
    (await forgets(51)(server)) && (await get(server, 1)).status === 404,
  'creation-refused-beyond-fifty-five': async (server) => {
    expect((await createMany(server, 55)).at(-1)?.name).toBe('n55');
    return (await server.create('{"name":"x","categoryId":1}')).status === 400;
  },
  'ids-beyond-int32-not-found': async (server) => {
    const created = await createMany(server, 12);
    const statuses = await Promise.all(created.map(async ({ id }) => (await get(server, id)).status));
    return statuses.join() === [...Array(9).fill(200), 404, 404, 404].join();
  },
  'ids-beyond-2-53-rounded': async (server) => {
    const ids = (await createMany(server, 4)).map(({ id }) => id);
    const found = await Promise.all(ids.map(async (id) => fieldsOf(await get(server, id)).id));
    return found.join() === [undefined, ids[1], ids[3], ids[3]].join();
  },

  'every-seventh-list-lacks-one': lapses(7, 2, 1),
  'every-fifteenth-list-empty': lapses(15, 2, 0),
  'nameless-not-listed': async (server) => {
    await create(server, 'n');
    await create(server, ' ');
    return (await items(server)).length === 1;
  },
  'category-zero-not-listed': async (server) => {
    await server.create('{"name":"x","categoryId":0}');
    return (await items(server)).length === 0;
  },
  'only-available-without-parameters': async (server) => {
    await create(server, 'x', 'sold');
    expect(await items(server, 'limit=5')).toHaveLength(1);
    return (await items(server)).length === 0;
  },
  'plain-list-shows-all-available': async (server) => {
    await create(server, 'x', 'sold');
    expect((await items(server, 'status=sold'))[0]?.status).toBe('sold');
    return (await items(server))[0]?.status === 'available';
  },
  'long-lists-show-one-category': async (server) => {
    await createMany(server, 30);
    await server.create('{"name":"x","categoryId":2}');
    expect((await items(server, 'limit=30'))[1]?.categoryId).toBe(1n);
    return (await items(server, 'limit=31'))[1]?.categoryId === 2n;
  },
  'every-tenth-get-not-found': async (server) => {
    await create(server);
    const statuses = [];
    for (let number = 1; number <= 10; number += 1) statuses.push((await get(server, 1)).status);
    return statuses.lastIndexOf(200) === 8 && statuses[9] === 404;
  },
};

test('every fault has a symptom here', () => {
  expect(Object.keys(symptoms).sort()).toEqual(stateFaults.map(({ name }) => name).sort());
});

test.each(stateFaults)('$name shows, and only on the faulty server', async ({ name, patch }) => {
  const shows = symptoms[name];
  expect(await shows?.(testServer({ patches: [patch] }))).toBe(true);
  expect(await shows?.(testServer())).toBe(false);
});

test.each(stateFaults)('$name keeps its state to its own server', async ({ name, patch }) => {
  const shows = symptoms[name];
  await shows?.(testServer({ patches: [patch] }));
  expect(await shows?.(testServer({ patches: [patch] }))).toBe(true);
});
