import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadCatalogue } from '../../src/openapi/catalogue.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { isKilled } from '../../src/selftest/judge.ts';
import type { SelfTestReport } from '../../src/selftest/report.ts';
import { command, folder, type ProcessEnd } from '../support/processes.ts';

/** A fixed seed. `npm run selftest:seeds` draws new ones. */
const seed = 42;
let ended: ProcessEnd;
let report: SelfTestReport;

beforeAll(async () => {
  ended = await command('selftest', '--budgets', '--seed', String(seed), '--report-dir', folder);
  report = JSON.parse(await readFile(join(folder, 'selftest.json'), 'utf8'));
});

test('the suite kills every fault precisely, most of them on a budget too, and accepts every dialect', () => {
  expect(ended.code, ended.out).toBe(0);
});

test('every MUST on servers kills at least two faults', () => {
  const killed = report.faults.filter(isKilled);
  const unproved = loadCatalogue()
    .filter(({ level, subject }) => level === 'MUST' && subject === 'server')
    .map(({ id }) => `${id}: ${killed.filter(({ requirement }) => requirement === id).length}`)
    .filter((line) => /: [01]$/.test(line));
  expect(unproved, `seed ${seed}`).toEqual([]);
});

test('every fault names existing requirements on servers', () => {
  const ids = loadCatalogue()
    .filter(({ subject }) => subject === 'server')
    .map(({ id }) => id);
  for (const { name, requirement, companions } of faults) {
    for (const id of [requirement, ...companions]) expect(ids, name).toContain(id);
  }
});
