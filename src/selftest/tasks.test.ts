import fc from 'fast-check';
import { expect, test } from 'vitest';
import { degenerates } from '../reference/degenerate/index.ts';
import { dialects } from '../reference/dialects/index.ts';
import { domainDialects } from '../reference/domains/dialects.ts';
import { domainFaults } from '../reference/domains/faults.ts';
import { faults } from '../reference/faults/index.ts';
import { type SelfTestSelection, type Task, tasksFor } from './tasks.ts';

const everything: SelfTestSelection = {
  only: [],
  faults: [],
  dialects: [],
  combinations: 0,
  budgets: [],
  thorough: true,
  seed: 1,
};
const tasks = (selection: Partial<SelfTestSelection> = {}) => tasksFor({ ...everything, ...selection });
const titleOf = ({ kind, names }: Task) => `${kind} ${names.join(' + ')}`;
const titles = (selection: Partial<SelfTestSelection> = {}) => tasks(selection).map(titleOf);
const countsOf = (selection: Partial<SelfTestSelection> = {}) =>
  Object.fromEntries(
    [...Map.groupBy(tasks(selection), ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  );

test('thorough: everything, and 40 combinations', () => {
  expect(countsOf({ combinations: null })).toEqual({
    fault: faults.length + domainFaults.length,
    dialect: dialects.length + domainDialects.length,
    combination: 40,
    degenerate: degenerates.length,
  });
});

test('any seed, not thorough: each dialect once, in pairs that can be combined, and 10 combinations', () => {
  const choiceOf = new Map(dialects.map(({ name, choice }) => [name, choice ?? name]));
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const pairs = tasks({ thorough: false, seed }).filter(({ kind }) => kind === 'combination');
      expect(pairs.flatMap(({ names }) => names).toSorted()).toEqual([...choiceOf.keys()].toSorted());
      for (const { names } of pairs) {
        expect(names.length).toBeLessThanOrEqual(2);
        expect(new Set(names.map((name) => choiceOf.get(name))).size).toBe(names.length);
      }
      expect(pairs.length).toBeLessThan(dialects.length * 0.6);
    }),
    { numRuns: 20 },
  );
  const pairs = countsOf({ thorough: false }).combination ?? 0;
  expect(countsOf({ thorough: false, combinations: null })).toMatchObject({ combination: pairs + 10 });
  // Those of domains take no time.
  expect(countsOf({ thorough: false }).dialect).toBe(domainDialects.length);
});

test('a selection: tested thoroughly', () => {
  const isThorough = (selection: Partial<SelfTestSelection>) =>
    tasks({ thorough: false, ...selection }).every(({ thorough }) => thorough);
  expect(isThorough({ faults: ['limit-ignored'] })).toBe(true);
  expect(isThorough({ dialects: ['oldest-first'] })).toBe(true);
  expect(isThorough({ only: ['LIST'] })).toBe(true);
  expect(isThorough({})).toBe(false);
});

test('seeds: repeatable, of 32 bits, another for each server, the same in any selection', () => {
  const all = tasks({ combinations: 3 });
  expect(tasks({ combinations: 3 })).toEqual(all);
  expect(tasks({ combinations: 3, seed: 2 })).not.toEqual(all);
  const seeds = all.map(({ seed }) => seed);
  expect(seeds.every((seed) => seed === (seed | 0))).toBe(true);
  expect(new Set(seeds).size).toBe(seeds.length);
  const [alone] = tasks({ faults: ['limit-ignored'] });
  expect(all).toContainEqual(alone);
});

test.each<[Partial<SelfTestSelection>, readonly string[]]>([
  [{ faults: ['limit-ignored'], combinations: null }, ['fault limit-ignored']],
  [{ faults: ['requires-no-key'] }, ['degenerate requires-no-key']],
  [{ dialects: ['oldest-first'] }, ['dialect oldest-first']],
  [
    { dialects: ['oldest-first', 'ids-random'], faults: ['limit-ignored'] },
    [
      'fault limit-ignored',
      'dialect ids-random',
      'dialect oldest-first',
      'combination oldest-first + ids-random',
    ],
  ],
])('%o -> these servers alone', (selection, expected) => {
  expect(titles(selection).toSorted()).toEqual([...expected].toSorted());
});

test.each(['LIST-3', 'LIST'])('--only %s: its faults, and every dialect judged by it alone', (word) => {
  const selected = tasks({ only: [word] });
  const meant = faults.filter(({ requirement }) => requirement.startsWith(word));
  expect(selected.map(({ kind, only }) => [kind, ...only].join(' '))).toEqual([
    ...meant.map(() => 'fault'),
    ...dialects.map(() => `dialect ${word}`),
  ]);
});

test('a fault that needs no other key: on each budget too', () => {
  const limited = faults.find(({ needs }) => needs !== undefined)?.name ?? '';
  const budgets = [{ requests: 300 }, { requests: 60 }];
  const onBudget = tasks({ faults: ['limit-ignored', limited], budgets }).map((task) => [
    titleOf(task),
    task.budget,
  ]);
  expect(onBudget).toEqual([
    ['fault limit-ignored', null],
    [`fault ${limited}`, null],
    ['fault limit-ignored', 300],
    ['fault limit-ignored', 60],
  ]);
});

test.each([['DOMAIN'], ['DOMAIN-9']])('only %s: no server, which shows nothing about domains', (id) => {
  const names = tasks({ only: [id], combinations: 40 }).flatMap((task) => task.names);
  expect(names.filter((name) => !name.startsWith('domain-'))).toEqual([]);
});
