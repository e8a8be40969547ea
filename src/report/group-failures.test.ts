import { expect, test } from 'vitest';
import type { Failure } from '../run/outcome.ts';
import { groupFailures, summaryLine } from './group-failures.ts';
import { failure } from './testing.ts';

/** A failure of an operation with this message, of the same rule unless another is given. */
const on = (operation: string, message: string, changes: Partial<Failure> = {}) =>
  failure({ operation, message, rule: 'slow', ...changes });
const grouped = (...failures: readonly Failure[]) =>
  groupFailures(failures).map(({ failure: { message }, alsoOn }) => [message, alsoOn]);

test('groupFailures: one problem on several operations, with any message -> one group', () => {
  const unexpected = (status: number) => ({ rule: 'status', variant: `401, ${status}` });
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
  const failures = [
    on('listPets', 'a', { headers: ['ETag'] }),
    on('getPet', 'b', { headers: ['Date'] }),
    on('createPet', 'c', { members: ['name'] }),
    on('listOrders', 'd', { members: ['status'] }),
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
  const other = on('getPet', 'GET /pets/1 is gone.', { rule: 'gone' });
  const orders = on('listOrders', 'GET /store/orders is slow.');
  expect(summaryLine([])).toBeNull();
  expect(summaryLine([get])).toBe('GET /pets is slow.');
  expect(summaryLine([get, other])).toBe('GET /pets is slow. (and 1 more)');
  expect(summaryLine([get, other, post])).toBe('GET /pets is slow. (the same on createPet, and 1 more)');
  expect(summaryLine([get, post, orders])).toBe('GET /pets is slow. (the same on createPet and listOrders)');
});
