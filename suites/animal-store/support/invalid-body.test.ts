import { expect, test } from 'vitest';
import { document } from '../../../test/support/build.ts';
import { withFewerInvalid, withFewerMembers } from './invalid-body.ts';

const plain = { name: 'Rex', categoryId: 1n };

test('several invalid values -> one of them made valid, and the label names the others', () => {
  const value = { name: 7n, categoryId: 'x', status: 'gone' };
  expect(withFewerInvalid({ label: 'every value invalid', value }, plain, document)).toEqual([
    { label: 'categoryId: "x" and status: "gone"', value: { ...value, name: 'Rex' } },
    { label: 'name: 7 and status: "gone"', value: { ...value, categoryId: 1n } },
    { label: 'name: 7 and categoryId: "x"', value: { name: 7n, categoryId: 'x' } },
  ]);
});

test('one invalid value -> kept', () => {
  const value = { ...plain, categoryId: 'x', status: 'sold' };
  expect(withFewerInvalid({ label: '', value }, plain, document)).toEqual([
    { label: 'categoryId: "x"', value: { ...plain, categoryId: 'x' } },
  ]);
  expect(withFewerInvalid({ label: '', value: { ...plain, name: null } }, plain, document)).toEqual([]);
});

test('other fields and a query instead of a missing field -> removed one by one, the query first', () => {
  const value = { name: 'Rex', category_id: 1n };
  expect([...withFewerMembers({ label: '', value, query: 'categoryId=1' })]).toEqual([
    { label: 'only name and category_id', value, query: '' },
    {
      label: 'only name in the body, and categoryId in the query',
      value: { name: 'Rex' },
      query: 'categoryId=1',
    },
    {
      label: 'only category_id in the body, and categoryId in the query',
      value: { category_id: 1n },
      query: 'categoryId=1',
    },
  ]);
  expect([...withFewerMembers({ label: '', value })]).toEqual([
    { label: 'only name', value: { name: 'Rex' } },
    { label: 'only category_id', value: { category_id: 1n } },
  ]);
  expect([...withFewerMembers({ label: '', value: {} })]).toEqual([]);
});
