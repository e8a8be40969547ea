import { expect, test } from 'vitest';
import { likenessOf } from '../finding/problem.ts';
import type { ServerFailure } from '../run/outcome.ts';
import { groupFailures, summaryLine } from './group-failures.ts';
import { failure } from './testing.ts';

/** A failure of an operation with this message, like the others unless told otherwise. */
const on = (operation: string, message: string, alike = 'slow') => failure({ operation, message, alike });
const grouped = (...failures: readonly ServerFailure[]) =>
  groupFailures(failures).map(({ failure: { message }, alsoOn }) => [message, alsoOn]);

test('groupFailures: one problem on several operations, with any message -> one group', () => {
  const unexpected = (wrongStatus: number) =>
    likenessOf({ rule: 'status', allowed: [401], because: 'there is no key', wrongStatus });
  expect(
    grouped(
      on('listPets', 'GET /pets with no key: got 200', unexpected(200)),
      on('createPet', 'POST /pets with a key in the body: got 201', unexpected(201)),
      on('getPet', 'GET /pets/26 with no key: got 404', unexpected(404)),
      on('listOrders', 'GET /store/orders with no key: got 200', unexpected(200)),
    ),
  ).toEqual([
    ['GET /pets with no key: got 200', ['createPet', 'listOrders']],
    ['GET /pets/26 with no key: got 404', []],
  ]);
});

test('groupFailures: different headers or members -> different groups', () => {
  const missing = (name: string) => likenessOf({ rule: 'header-missing', of: 'document', name });
  const wrong = (member: string) =>
    likenessOf({ rule: 'member-differs', in: 'creation', member, sent: 'a', got: 'b', isOther: false });
  const failures = [
    on('listPets', 'a', missing('ETag')),
    on('getPet', 'b', missing('Date')),
    on('createPet', 'c', wrong('name')),
    on('listOrders', 'd', wrong('status')),
  ];
  expect(groupFailures(failures)).toHaveLength(4);
});

test('groupFailures: two failures of one operation -> two groups', () => {
  const ofOneOperation = [on('getPet', 'GET /pets/1 is slow.'), on('getPet', 'GET /pets/2 is slow.')];
  expect(grouped(...ofOneOperation, on('listPets', 'GET /pets is slow.'))).toEqual([
    ['GET /pets/1 is slow.', []],
    ['GET /pets/2 is slow.', []],
    ['GET /pets is slow.', []],
  ]);
});

test('summaryLine: several failures -> the first one, its other operations, and the number of others', () => {
  const [get, post] = [on('listPets', 'GET /pets is slow.'), on('createPet', 'POST /pets is slow.')];
  const other = on('getPet', 'GET /pets/1 is gone.', 'gone');
  const orders = on('listOrders', 'GET /store/orders is slow.');
  expect(summaryLine([])).toBeNull();
  expect(summaryLine([get])).toBe('GET /pets is slow.');
  expect(summaryLine([get, other])).toBe('GET /pets is slow. (and 1 more)');
  expect(summaryLine([get, other, post])).toBe('GET /pets is slow. (the same on createPet, and 1 more)');
  expect(summaryLine([get, post, orders])).toBe('GET /pets is slow. (the same on createPet and listOrders)');
});
