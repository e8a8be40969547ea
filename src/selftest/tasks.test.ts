import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { titleOf } from './task.ts';
import { type Offer, tasksFor, type Wanted } from './tasks.ts';

const dialects = ['red', 'green', 'blue', 'grey'].map((name) => ({
  name,
  ...(name.startsWith('gr') ? { choice: 'shade' } : {}),
}));
const offer: Offer = {
  faults: [
    { name: 'list-fault', requirement: 'LIST-3' },
    { name: 'create-fault', requirement: 'CREATE-9' },
    { name: 'rate-fault', requirement: 'RATE-5', needs: 'rate-limit-key' },
  ],
  dialects,
  combination: () => fc.shuffledSubarray(dialects, { minLength: 2 }),
  degenerate: [{ name: 'echo' }],
};
const everything: Wanted = {
  only: [],
  faults: [],
  dialects: [],
  combinations: null,
  budgets: [],
  thorough: true,
  seed: 1,
};
const tasks = (wanted: Partial<Wanted> = {}) => tasksFor(offer, { ...everything, ...wanted });
const titles = (wanted: Partial<Wanted> = {}) => tasks(wanted).map((task) => `${task.kind} ${titleOf(task)}`);

describe('the servers of a self-test', () => {
  test('are all there are, and forty combinations', () => {
    const kinds = Map.groupBy(tasks(), ({ kind }) => kind);
    expect([...kinds].map(([kind, { length }]) => [kind, length])).toEqual([
      ['fault', 3],
      ['dialect', 4],
      ['combination', 40],
      ['degenerate', 1],
    ]);
  });

  test('are the dialects by twos that go together, each once, where it is not to be thorough', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const together = tasks({ thorough: false, combinations: 0, seed })
          .filter(({ kind }) => kind === 'combination')
          .map(({ names }) => names);
        expect(together.flat().toSorted()).toEqual(['blue', 'green', 'grey', 'red']);
        expect(together).not.toContainEqual(expect.arrayContaining(['green', 'grey']));
        expect(together.some(({ length }) => length === 2)).toBe(true);
      }),
    );
    expect(titles({ thorough: false }).filter((title) => title.startsWith('dialect'))).toEqual([]);
  });

  test('are examined thoroughly where they are selected', () => {
    const isThorough = (wanted: Partial<Wanted>) =>
      tasks({ thorough: false, ...wanted }).every(({ thorough }) => thorough);
    expect(isThorough({ faults: ['create-fault'] })).toBe(true);
    expect(isThorough({ dialects: ['red'] })).toBe(true);
    expect(isThorough({ only: ['LIST'] })).toBe(true);
    expect(isThorough({})).toBe(false);
  });

  test('are the same for the same seed, and others for another', () => {
    expect(tasks()).toEqual(tasks());
    expect(titles({ seed: 2 })).not.toEqual(titles());
  });

  test('have the seed in another selection that they have among all', () => {
    const seedIn = (wanted: Partial<Wanted>) =>
      tasks(wanted).find(({ names }) => names.includes('create-fault'))?.seed;
    expect(seedIn({ faults: ['create-fault'] })).toBe(seedIn({}));
  });

  test('have seeds of their own, all of 32 bits', () => {
    const seeds = tasks().map(({ seed }) => seed);
    expect(seeds.every((seed) => seed === (seed | 0))).toBe(true);
    expect(new Set(tasks({ combinations: 0 }).map(({ seed }) => seed)).size).toBe(8);
  });

  test('are those asked for and no others', () => {
    expect(titles({ faults: ['create-fault'] })).toEqual(['fault create-fault']);
    expect(titles({ faults: ['echo'] })).toEqual(['degenerate echo']);
    expect(titles({ dialects: ['red'] })).toEqual(['dialect red']);
    expect(titles({ dialects: ['red', 'blue'], faults: ['list-fault'] })).toEqual([
      'fault list-fault',
      'dialect red',
      'dialect blue',
      'combination red + blue',
    ]);
  });

  test.each([['LIST-3'], ['LIST']])(
    'with --only %s are its faults, and every dialect judged by it alone',
    (word) => {
      const chosen = tasks({ only: [word], combinations: 0 });
      expect(chosen.map((task) => [task.kind, titleOf(task), task.only])).toEqual([
        ['fault', 'list-fault', []],
        ...['red', 'green', 'blue', 'grey'].map((name) => ['dialect', name, [word]]),
      ]);
    },
  );

  test('are judged on budgets too where they need no key of their own', () => {
    const onBudget = tasks({ budgets: [300, 60], combinations: 0 }).filter(({ budget }) => budget !== null);
    expect(onBudget.map((task) => [titleOf(task), task.budget])).toEqual([
      ['list-fault', 300],
      ['create-fault', 300],
      ['list-fault', 60],
      ['create-fault', 60],
    ]);
  });
});
