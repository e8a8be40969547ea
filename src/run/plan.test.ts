import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkNamed, checkOf } from '../../test/support/executing.ts';
import { noSettings, nowhere } from '../../test/support/running.ts';
import type { Check } from '../check/check.ts';
import { checkName } from '../check/check-name.ts';
import type { RunSettings } from '../config/settings.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { selectChecks } from './plan.ts';
import { createSelection } from './selection.ts';

const catalogue = loadCatalogue();
const arbitrary = () => fc.nat();
const all: readonly Check<unknown>[] = [
  checkOf({ ...checkNamed('RATE-5 exhausts'), covers: ['RATE-6'], phase: 'exhaust-limit' }),
  checkOf({ ...checkNamed('CREATE-2 risky'), covers: ['LIST-1'], phase: 'risky' }),
  checkOf({ ...checkNamed('GET-1 later'), phase: 'filled-store', dependsOnEarlierCases: true }),
  checkOf({ ...checkNamed('LIST-2 late'), phase: 'filled-store' }),
  checkOf({ ...checkNamed('LIST-1 plain') }),
  checkOf({ ...checkNamed('LIST-7 narrowed'), shrink: () => [] }),
  checkOf({ ...checkNamed('CREATE-2 generated'), arbitrary }),
  checkOf({ ...checkNamed('LIST-8 early'), phase: 'first' }),
];
const leave = { risky: true, exhaust: true };
const chosen = (settings: Partial<RunSettings> = {}, leaves = leave) => {
  const full = { ...noSettings, ...settings };
  return selectChecks(all, full, createSelection(full, catalogue, nowhere()), leaves).map(checkName);
};

test('checks are made in the order of their phases, and within one as they stand', () => {
  expect(chosen()).toEqual([
    'LIST-8 early',
    'LIST-1 plain',
    'LIST-7 narrowed',
    'CREATE-2 generated',
    'GET-1 later',
    'LIST-2 late',
    'CREATE-2 risky',
    'RATE-5 exhausts',
  ]);
});

test('what needs leave is not made without', () => {
  expect(chosen({}, { risky: false, exhaust: true })).not.toContain('CREATE-2 risky');
  expect(chosen({}, { risky: true, exhaust: false })).not.toContain('RATE-5 exhausts');
});

test('a selection leaves the checks that give evidence on it, whatever they are named for', () => {
  expect(chosen({ only: ['LIST-1'] })).toEqual(['LIST-1 plain', 'CREATE-2 risky']);
  expect(chosen({ only: ['LIST'], skip: ['LIST-1'] })).toEqual([
    'LIST-8 early',
    'LIST-7 narrowed',
    'LIST-2 late',
  ]);
});

test('every check is evidence for what every exchange is judged by', () => {
  expect(chosen({ only: ['GEN-2'] })).toHaveLength(all.length);
});

test('no limit is used up for what a 429 says nothing of', () => {
  for (const id of ['AUTH-6', 'GET-6']) expect(chosen({ only: [id] })).toHaveLength(all.length - 1);
});

test('a path is of the checks that are named for the selection, and make cases small where it does', () => {
  const named = (id: string, path: string) => chosen({ only: [id, 'GEN-4'], seed: 1, path });
  expect(named('CREATE-2', '30:1')).toEqual(['CREATE-2 generated']);
  expect(named('LIST-7', '3:0')).toEqual(['LIST-7 narrowed']);
  expect(named('LIST-1', '3:0')).toEqual([]);
  expect(named('CREATE-2', '3')).toEqual(['CREATE-2 generated', 'CREATE-2 risky']);
  expect(named('LIST-1', '3')).toEqual(['LIST-1 plain']);
});

test('no path leads to a case that looks back at what went before it', () => {
  expect(chosen({ only: ['GET-1'] })).toContain('GET-1 later');
  expect(chosen({ only: ['GET-1'], seed: 1, path: '0' })).toEqual([]);
});
