import { expect, test } from 'vitest';
import { document } from '../../../test/support/build.ts';
import { withFewerInvalid, withFewerMembers } from './invalid-body.ts';

const plain = { name: 'Rex', categoryId: 1n };

test('each of several invalid values is made valid in its turn, and those that are left are told', () => {
  const value = { name: 7n, categoryId: 'x', status: 'gone' };
  expect(withFewerInvalid({ label: 'every value invalid', value }, plain, document)).toEqual([
    { label: 'categoryId: "x" and status: "gone"', value: { ...value, name: 'Rex' } },
    { label: 'name: 7 and status: "gone"', value: { ...value, categoryId: 1n } },
    { label: 'name: 7 and categoryId: "x"', value: { name: 7n, categoryId: 'x' } },
  ]);
});

test('a body with one invalid value keeps it', () => {
  const value = { ...plain, categoryId: 'x', status: 'sold' };
  expect(withFewerInvalid({ label: '', value }, plain, document)).toEqual([
    { label: 'categoryId: "x"', value: { ...plain, categoryId: 'x' } },
  ]);
  expect(withFewerInvalid({ label: '', value: { ...plain, name: null } }, plain, document)).toEqual([]);
});

test('what stands in place of a missing field is left out part by part, the query first', () => {
  const value = { name: 'Rex', category_id: 1n };
  expect([...withFewerMembers({ label: '', value, query: 'categoryId=1' })]).toEqual([
    { label: 'only name and category_id', value, query: '' },
    { label: 'only name', value: { name: 'Rex' }, query: 'categoryId=1' },
    { label: 'only category_id', value: { category_id: 1n }, query: 'categoryId=1' },
  ]);
  expect([...withFewerMembers({ label: '', value })]).toEqual([
    { label: 'only name', value: { name: 'Rex' } },
    { label: 'only category_id', value: { category_id: 1n } },
  ]);
  expect([...withFewerMembers({ label: '', value: {} })]).toEqual([]);
});
