import { expect, test } from 'vitest';
import { dialects } from '../dialects/index.ts';
import { faults } from './index.ts';

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

test('every fault names its requirement, and the companions do not include it', () => {
  for (const { name, requirement, companions } of faults) {
    for (const id of [requirement, ...companions]) expect(id, name).toMatch(/^[A-Z]+-\d+$/);
    expect(companions, name).not.toContain(requirement);
  }
});

test('date of a fault: after the removal if getPet still works (GET-5), before it if it stops early (GET-4)', () => {
  const datesOf = (id: string) =>
    faults.filter(({ requirement }) => requirement === id).map(({ now = '2026-03-01' }) => Date.parse(now));
  for (const date of datesOf('GET-5')) expect(date).toBeGreaterThan(Date.parse('2030-12-06'));
  for (const date of datesOf('GET-4')) expect(date).toBeLessThan(Date.parse('2030-12-04'));
});
