import { describe, expect, test } from 'vitest';
import { checkNamed } from '../../test/support/executing.ts';
import { anyCase, type Check } from '../check/check.ts';
import { coversCase } from './shard.ts';

const checkOf = (name: string, phase: Check<unknown>['phase'] = 'main') =>
  anyCase<number>({ ...checkNamed(name), phase, inputs: () => [], run: async () => {} });

/** The cases of a check by shard. */
const casesByShard = (check: Check<unknown>, of: number, count: number): readonly (readonly number[])[] =>
  Array.from({ length: of }, (_, shard) => {
    const covers = coversCase({ index: shard + 1, of }, () => count);
    return [...Array(count).keys()].filter((position) => covers(check, position));
  });

describe.each(['LIST-1 one', 'LIST-2 another', 'GET-4 a third'])('%s', (name) => {
  const check = checkOf(name);

  test.each([1, 2, 3, 4, 5, 9])('%i cases, 4 shards -> each shard has a case, no case is lost', (count) => {
    const shards = casesByShard(check, 4, count);
    for (const cases of shards) expect(cases.length).toBeGreaterThan(0);
    expect(new Set(shards.flat()).size).toBe(count);
    if (count >= 4) expect(shards.flat()).toHaveLength(count);
  });

  test('one shard -> every case', () => {
    expect(casesByShard(check, 1, 3)).toEqual([[0, 1, 2]]);
  });
});

test('the first case of all checks -> not in the first shard only', () => {
  const names = Array.from({ length: 20 }, (_, index) => `LIST-${index} a check`);
  const first = names.map((name) =>
    casesByShard(checkOf(name), 4, 4).findIndex((cases) => cases.includes(0)),
  );
  expect(new Set(first).size).toBe(4);
});

test('a check that uses up a limit -> in the first shard only', () => {
  expect(casesByShard(checkOf('RATE-5 a check', 'exhaust-limit'), 3, 2)).toEqual([[0, 1], [], []]);
});
