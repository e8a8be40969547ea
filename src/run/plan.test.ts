import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkNamed, noSettings, nowhere } from '../../test/support/build.ts';
import { type Check, defineCheck } from '../check/check.ts';
import type { RunSettings } from '../config/settings.ts';
import { checkName } from '../finding/check-name.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { coversCase, createSelection, selectChecks } from './plan.ts';
import type { Target } from './run-deps.ts';
import { checkOf } from './run-testing.ts';

const catalogue = loadCatalogue();
const arbitrary = () => fc.nat();
const all: readonly Check[] = [
  checkOf({ ...checkNamed('RATE-5 exhausts'), covers: ['RATE-6'], phase: 'exhaust-limit' }),
  checkOf({ ...checkNamed('CREATE-2 risky'), covers: ['LIST-1'], phase: 'risky' }),
  checkOf({ ...checkNamed('GET-1 later'), phase: 'filled-store', dependsOnEarlierCases: true }),
  checkOf({ ...checkNamed('LIST-2 late'), phase: 'filled-store' }),
  checkOf({ ...checkNamed('LIST-1 plain') }),
  checkOf({ ...checkNamed('LIST-7 narrowed'), shrink: () => [] }),
  checkOf({ ...checkNamed('CREATE-2 generated'), arbitrary }),
  checkOf({ ...checkNamed('LIST-8 early'), phase: 'first' }),
];
const permissions = { risky: true, exhaust: true };
const chosen = (settings: Partial<RunSettings> = {}, allowed = permissions) => {
  const full = { ...noSettings, ...settings };
  return selectChecks(all, full, createSelection(full, catalogue, nowhere()), allowed).map(checkName);
};

test('no permission -> the checks that need it are left out', () => {
  expect(chosen({}, { risky: false, exhaust: true })).not.toContain('CREATE-2 risky');
  expect(chosen({}, { risky: true, exhaust: false })).not.toContain('RATE-5 exhausts');
});

test('selection -> every check that gives evidence on it, also checks of other requirements', () => {
  expect(chosen({ only: ['LIST-1'] })).toEqual(['LIST-1 plain', 'CREATE-2 risky']);
  expect(chosen({ only: ['LIST'], skip: ['LIST-1'] })).toEqual([
    'LIST-8 early',
    'LIST-7 narrowed',
    'LIST-2 late',
  ]);
});

test('requirement on every exchange -> every check', () => {
  expect(chosen({ only: ['GEN-2'] })).toHaveLength(all.length);
});

test('requirement that a 429 does not test -> no check that uses up a limit', () => {
  for (const id of ['AUTH-6', 'GET-6']) expect(chosen({ only: [id] })).toHaveLength(all.length - 1);
});

test('path -> checks of the selected requirement, and with a shrunk path only checks that shrink', () => {
  const named = (id: string, path: string) => chosen({ only: [id, 'GEN-4'], seed: 1, path });
  expect(named('CREATE-2', '30:1')).toEqual(['CREATE-2 generated']);
  expect(named('LIST-7', '3:0')).toEqual(['LIST-7 narrowed']);
  expect(named('LIST-1', '3:0')).toEqual([]);
  expect(named('CREATE-2', '3')).toEqual(['CREATE-2 generated', 'CREATE-2 risky']);
  expect(named('LIST-1', '3')).toEqual(['LIST-1 plain']);
});

test('path -> no check that depends on earlier cases', () => {
  expect(chosen({ only: ['GET-1'] })).toContain('GET-1 later');
  expect(chosen({ only: ['GET-1'], seed: 1, path: '0' })).toEqual([]);
});

const plainCheck = (name: string, phase: Check['phase'] = 'main') =>
  defineCheck<number>({ ...checkNamed(name), phase, inputs: () => [], run: async () => {} });

/** The cases of a check by shard. */
const casesByShard = (
  check: Check,
  of: number,
  count: number,
  repeats = true,
): readonly (readonly number[])[] =>
  Array.from({ length: of }, (_, shard) => {
    const covers = coversCase({ index: shard + 1, of }, () => count, { repeats });
    return [...Array(count).keys()].filter((position) => covers(check, position));
  });

describe.each(['LIST-1 one', 'LIST-2 another', 'GET-4 a third'])('%s', (name) => {
  const check = plainCheck(name);

  test.each([1, 2, 3, 4, 5, 9])('%i cases, 4 shards -> each shard has a case, no case is lost', (count) => {
    const shards = casesByShard(check, 4, count);
    for (const cases of shards) expect(cases.length).toBeGreaterThan(0);
    expect(new Set(shards.flat()).size).toBe(count);
    if (count >= 4) expect(shards.flat()).toHaveLength(count);
  });

  test.each([1, 2, 5])('%i cases, without repeats -> each in one shard', (count) => {
    const all = [...Array(count).keys()];
    expect(casesByShard(check, 4, count, false).flat().toSorted()).toEqual(all);
  });

  test('one shard -> every case', () => {
    expect(casesByShard(check, 1, 3)).toEqual([[0, 1, 2]]);
  });
});

test('the first case of all checks -> not in the first shard only', () => {
  const names = Array.from({ length: 20 }, (_, index) => `LIST-${index} a check`);
  const first = names.map((name) =>
    casesByShard(plainCheck(name), 4, 4).findIndex((cases) => cases.includes(0)),
  );
  expect(new Set(first).size).toBe(4);
});

test('a check that uses up a limit, or comes last -> in the first shard only', () => {
  for (const phase of ['exhaust-limit', 'last'] as const)
    expect(casesByShard(plainCheck('RATE-5 a check', phase), 3, 2)).toEqual([[0, 1], [], []]);
});

const selection = (settings: Partial<RunSettings> = {}, target: Partial<Target> = {}) =>
  createSelection({ ...noSettings, ...settings }, catalogue, nowhere(target));
const chosenBy = (settings: Partial<RunSettings>) =>
  catalogue.map(({ id }) => id).filter(selection(settings).isChosen);

test('only and skip -> accept ids and groups', () => {
  expect(chosenBy({ only: ['ORDERS', 'LIST-3'] })).toEqual(['LIST-3', 'ORDERS-1', 'ORDERS-2']);
  expect(chosenBy({ only: ['ORDERS'], skip: ['ORDERS-2'] })).toEqual(['ORDERS-1']);
  expect(chosenBy({ only: ['LIST-1'] })).toEqual(['LIST-1']);
  expect(chosenBy({ skip: ['RATE'] }).some((id) => id.startsWith('RATE'))).toBe(false);
});

test('not tested -> skipped with a reason', () => {
  const { skipped } = selection({ skip: ['LIST-1'] });
  expect(skipped('LIST-1')?.code).toBe('not-selected');
  expect(skipped('LIST-2')).toBeNull();
  for (const id of ['RATE-5', 'RATE-6', 'RATE-7', 'RATE-8', 'RATE-9', 'RATE-10'])
    expect(skipped(id)?.code).toBe('needs-rate-limit-key');
  expect(skipped('RATE-11')?.code).toBe('needs-exhaust-daily');
  expect(skipped('RATE-3')?.code).toBe('unknown-plan');
  const enterprise: Target['plans'] = { main: 'enterprise', 'rate-limit': null };
  expect(selection({}, { plans: enterprise }).skipped('RATE-3')?.code).toBe('individual-plan');
  expect(selection({ allowAnyPath: true }).skipped('VER-1')?.code).toBe('path-waived');
});
