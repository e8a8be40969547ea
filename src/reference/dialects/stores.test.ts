import { expect } from 'vitest';
import { itemsOf } from '../testing.ts';
import { idDialects } from './ids.ts';
import { listOrderDialects } from './list-order.ts';
import { storeDialects } from './stores.ts';
import { after, each, eachTakesEffect, type Look, listed, times } from './testing.ts';

const count: Look = async (server) => {
  const ids = await listed('id', '?limit=100')(server);
  return Array.isArray(ids) ? ids.length : 0;
};
const countOfFirst: Look = async ({ get }) => itemsOf(await get('/pets', { key: 'key-free' })).length;
const distinct =
  (look: Look): Look =>
  async (server) => {
    const values = await look(server);
    return Array.isArray(values) ? [...new Set(values)] : values;
  };

const tendedNames: Look = async (server) => {
  const names = await listed('name')(server);
  return Array.isArray(names) && names.some((name) => String(name).startsWith('Tended'));
};

const tendedOutOfSight: Look = async (server) => {
  const names = await listed('name', '?limit=100')(server);
  return !String(names).includes('Tended') && (await server.get('/pets/1')).text.includes('Tended');
};

eachTakesEffect(storeDialects, [
  ['store-empty', count, 0],
  ['store-of-five', count, 5],
  ['store-of-a-page', count, 100],
  ['store-beyond-a-page', each(count, listed('id', '?limit=1')), [100, [150n]]],
  ['store-large', listed('id', '?limit=1'), [1_000n]],
  ['store-with-huge-ids', listed('id', '?limit=1'), [2n ** 62n + 29n]],
  ['store-with-ids-of-parts', listed('id', '?limit=2'), [2n, 3n]],
  ['store-all-sold', distinct(listed('status')), ['sold']],
  ['store-without-statuses', distinct(listed('status')), [null]],
  ['store-of-one-huge-category', distinct(listed('categoryId')), [2n ** 53n + 1n]],
  ['store-with-odd-names', listed('name', '?limit=3'), ['x'.repeat(300), '<b>', 'a/b\\c"d']],
  ['store-busy', after(times(3, count), count), 4],
  ['store-for-each-key', each(count, countOfFirst), [0, 3]],
  ['store-tended', after(times(9, count), tendedNames), true],
  ['store-tended-behind-a-cache', after(times(9, count), tendedOutOfSight), true],
]);

const create: Look = (server) => server.create('{"name":"Ada","categoryId":2,"status":"pending"}');
const created = (howMany: number): Look => after(times(howMany, create), listed('id'));
const ids = after(times(2, create), listed('id'));
const m = 1_000_000n;

// Created in this order: 1, m + 1, 2, m + 2, 3.
eachTakesEffect(
  listOrderDialects,
  [
    ['oldest-first', ids, [1n, m + 1n, 2n, m + 2n, 3n]],
    ['listed-by-id', ids, [1n, 2n, 3n, m + 1n, m + 2n]],
    ['listed-by-id-descending', ids, [m + 2n, m + 1n, 3n, 2n, 1n]],
    ['listed-by-name', after([create], listed('name')), ['Ada', 'Bella 1', 'Luna 3', 'Rex 2']],
    ['listed-by-status', after([create], listed('status')), ['available', 'pending', 'pending', 'sold']],
    ['listed-by-category', after([create], listed('categoryId')), [1n, 2n, 2n, 3n]],
    ['listed-in-hash-order', ids, [m + 2n, 2n, m + 1n, 1n, 3n]],
    ['listed-in-random-order', ids, [2n, m + 1n, m + 2n, 1n, 3n]],
  ],
  idDialects.filter(({ name }) => name === 'ids-in-blocks'),
);

eachTakesEffect(idDialects, [
  ['ids-random', created(0), [4611686020574871550n, 4611686020574871551n, 4611686020574871552n]],
  ['ids-sparse', created(1), [2004n, 1503n, 1002n, 501n]],
  ['ids-beyond-2-to-the-53', created(0), [2n ** 53n + 3n, 2n ** 53n + 2n, 2n ** 53n + 1n]],
  ['ids-down-from-the-top', created(0), [2n ** 63n - 3n, 2n ** 63n - 2n, 2n ** 63n - 1n]],
  ['ids-negative', created(1), [-4n, -3n, -2n, -1n]],
  ['ids-from-zero', created(1), [3n, 2n, 1n, 0n]],
  ['ids-in-blocks', created(1), [1_000_002n, 2n, 1_000_001n, 1n]],
  ['ids-of-time', created(0), expect.arrayContaining([(68_299_200_000n << 22n) + 2n])],
]);
