import { expect, test } from 'vitest';
import { dialects } from '../dialects/index.ts';
import { fieldsOf, itemsOf, testServer } from '../testing.ts';
import { faults } from './index.ts';

const patched = (name: string, seedPets = 0) => {
  const found = [...faults, ...dialects].find((one) => one.name === name);
  return testServer({ seedPets, patches: found ? [found.patch] : [] });
};

test.each([
  ['faults', faults],
  ['dialects', dialects],
])('names of %s are words with hyphens, each one once; each description is a sentence', (_which, all) => {
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, description } of all) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(description).toMatch(/^[A-Z0-9a-z].*\.$/);
  }
});

test('every fault names the requirement that catches it, and its companions apart from that', () => {
  for (const { name, requirement, companions } of faults) {
    for (const id of [requirement, ...companions]) expect(id, name).toMatch(/^[A-Z]+-\d+$/);
    expect(companions, name).not.toContain(requirement);
  }
});

test('status-filtered-after-paging loses animals beyond the first page', async () => {
  const server = patched('status-filtered-after-paging', 30);
  expect(itemsOf(await server.get('/pets?status=sold&limit=3')).length).toBe(1);
});

test('category-through-a-double changes the last digits beyond 2^53 only', async () => {
  const server = patched('category-through-a-double');
  const categoryOf = async (sent: string) =>
    fieldsOf(await server.create(`{"name":"x","categoryId":${sent}}`)).categoryId;
  expect(await categoryOf('9007199254740993')).toBe(9007199254740992n);
  expect(await categoryOf('9007199254740991')).toBe(9007199254740991n);
});

test('oldest-first lists in the order of creation', async () => {
  expect(itemsOf(await patched('oldest-first', 3).get('/pets')).map(({ id }) => id)).toEqual([1n, 2n, 3n]);
});

test('retry-after-as-a-date names the same second', async () => {
  const answers = await patched('retry-after-as-a-date').burst(4, { key: 'key-tiny' });
  expect(answers.at(-1)?.headers.get('retry-after')).toBe('Sun, 01 Mar 2026 12:00:10 GMT');
});
