import { expect, test } from 'vitest';
import { missingFromPage } from './missing.ts';

/** Animals with the ids, created one after the other. */
const created = (...ids: readonly number[]) => ids.map((id, at) => ({ id: BigInt(id), at }));
const tell = (wanted: readonly number[], listed: readonly number[], status: string | null = null) =>
  missingFromPage({
    rule: 'missing-from-list',
    in: 'page',
    wanted: created(...wanted),
    listed: listed.map(BigInt),
    most: 100,
    status,
  });

test('what is missing is told by its ids, with what was created and what is there', () => {
  expect(tell([31, 32, 33], [5, 32], 'sold')).toEqual({
    message:
      'The list is not a full page, but 2 of the 3 animals that this run created with status sold are missing',
    expected: 'all 3 animals that this run created with status sold (ids 31, 32, 33), or a full page of 100',
    actual: '2 animals (ids 5, 32), missing ids 31, 33',
  });
  expect(tell([31], [])).toEqual({
    message: 'The list is not a full page, but the animal that this run created is missing',
    expected: 'the animal that this run created (id 31), or a full page of 100',
    actual: '0 animals, missing id 31',
  });
});

test('of many ids the first are shown', () => {
  expect(tell([1, 2], []).message).toMatch(/, but all 2 animals that this run created are missing$/);
  expect(tell([1, 2, 3, 4, 5, 6], []).actual).toBe('0 animals, missing ids 1, 2, 3, 4, 5, …');
});

test.each([
  [[1, 2, 3, 4, 5], [4, 5], ', only the 2 newest are there'],
  [[1, 2, 3, 4, 5], [1, 2, 3], ', only the 3 oldest are there'],
  [[7, 2, 9, 1], [7, 9], ', only the 2 with the highest ids are there'],
  [[7, 2, 9, 1], [2, 1], ', only the 2 with the lowest ids are there'],
  [[1, 2, 3, 4, 5], [2, 4], 'are missing'],
  [[1, 2, 3], [3], 'are missing'],
])('of %j only %j listed: what those have in common is said', (wanted, listed, ending) => {
  expect(tell(wanted, listed).message.endsWith(ending)).toBe(true);
});
