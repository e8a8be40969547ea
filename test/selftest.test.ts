import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCatalogue } from '../src/openapi/catalogue.ts';
import { packageRoot } from '../src/openapi/package-root.ts';
import { faults } from '../src/reference/faults/index.ts';
import { isKilled } from '../src/selftest/judge.ts';
import type { SelfTestReport } from '../src/selftest/report.ts';

const patienceMs = 600_000;
const bin = join(packageRoot(), 'bin/animal-store-conformance.js');
/** A fixed seed. `npm run selftest:seeds` draws new ones. */
const seed = 42;
let directory: string;
let code: unknown;
let stdout: string;
let report: SelfTestReport;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'selftest-'));
  const argv = [bin, 'selftest', '--budgets', '--seed', String(seed), '--report-dir', directory];
  [code, stdout] = await new Promise((resolve) => {
    execFile(process.execPath, argv, { maxBuffer: 2 ** 26 }, (error, out) =>
      resolve([error?.code ?? 0, out]),
    );
  });
  report = JSON.parse(await readFile(join(directory, 'selftest.json'), 'utf8'));
}, patienceMs);
afterAll(() => rm(directory, { recursive: true }));

test('the suite kills every fault precisely, most of them on a budget too, and accepts every dialect', () => {
  expect(code, stdout).toBe(0);
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
