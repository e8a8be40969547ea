import { expect, test } from 'vitest';
import { noSettings, nowhere } from '../../test/support/running.ts';
import type { RunSettings } from '../config/settings.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import type { Target } from './run-deps.ts';
import { createSelection } from './selection.ts';

const catalogue = loadCatalogue();
const selection = (settings: Partial<RunSettings> = {}, target: Partial<Target> = {}) =>
  createSelection({ ...noSettings, ...settings }, catalogue, nowhere(target));
const chosenBy = (settings: Partial<RunSettings>) =>
  catalogue.map(({ id }) => id).filter(selection(settings).isChosen);

test('everything on servers is chosen unless told otherwise', () => {
  expect(chosenBy({})).toEqual(catalogue.filter(({ subject }) => subject === 'server').map(({ id }) => id));
});

test('ids and groups are chosen and left out', () => {
  expect(chosenBy({ only: ['ORDERS', 'LIST-3'] })).toEqual(['LIST-3', 'ORDERS-1', 'ORDERS-2']);
  expect(chosenBy({ only: ['ORDERS'], skip: ['ORDERS-2'] })).toEqual(['ORDERS-1']);
  expect(chosenBy({ only: ['LIST-1'] })).toEqual(['LIST-1']);
  expect(chosenBy({ skip: ['RATE'] }).some((id) => id.startsWith('RATE'))).toBe(false);
});

test('another document is judged by what holds for any', () => {
  expect(chosenBy({ spec: 'other.yaml' })).toEqual([
    'GEN-1',
    'GEN-2',
    'GEN-3',
    'GEN-4',
    'AUTH-1',
    'AUTH-2',
    'RATE-1',
    'RATE-2',
  ]);
  expect(selection({ spec: 'other.yaml' }).skipped('LIST-1')?.code).toBe('animal-store-only');
});

test('what is not tried says why', () => {
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

test('what there is a key, leave or a plan for is tried', () => {
  const { skipped } = selection(
    { exhaustDaily: true },
    { keys: { main: 'a', 'rate-limit': 'b' }, plans: { main: null, 'rate-limit': 'free' } },
  );
  for (const id of ['RATE-3', 'RATE-5', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-11', 'VER-1'])
    expect(skipped(id)).toBeNull();
});
