import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/report/conformance.ts';
import { parseReport } from '../../src/report/read.ts';
import { at, key, run, serve, verdictsOf } from '../support/command.ts';
import { command, folder } from '../support/processes.ts';

const readReport = (dir: string): Report => {
  const file = join(dir, 'conformance.json');
  return parseReport(readFileSync(file, 'utf8'), file);
};

const verdicts = ({ requirements }: Report): Readonly<Record<string, string>> =>
  Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));

const parts = ['1/3', '2/3', '3/3'] as const;
const seeded = ['--seed', '5'];

interface Targets {
  /** The target of the full run. The shards have others, because their animals would change what the full run can test. */
  readonly whole: readonly string[];
  readonly parts: readonly (readonly string[])[];
}

/** One full run, and the same run in three shards, merged. */
const wholeAndMerged = async (args: readonly string[], targets: Targets = { whole: [], parts: [] }) => {
  const [whole, ...shards] = await Promise.all([
    run([...targets.whole, ...args, ...seeded]),
    ...parts.map((part, index) =>
      run([...(targets.parts[index] ?? []), ...args, ...seeded, '--shard', part]),
    ),
  ]);
  const dir = mkdtempSync(join(folder, 'merged-'));
  const merge = await command('merge', '--report-dir', dir, ...shards.map(({ reportDir }) => reportDir));
  return { whole, shards, merge, dir, merged: readReport(dir) };
};

/** A server with a limit that allows several runs in one minute. */
const serveManyRuns = (...names: readonly string[]) =>
  serve('--limit', `${key}=100000/60`, ...names.flatMap((name) => ['--fault', name]));

describe.concurrent('three shards, merged', () => {
  test('conforming server -> the verdicts of one run', async () => {
    const { whole, shards, merge, merged } = await wholeAndMerged([]);
    expect(merge).toMatchObject({ code: 0, err: '' });
    expect(merge.out).toMatch(/^No failures \(.* not tested\)\.\n/);
    expect(verdicts(merged)).toEqual(verdictsOf(whole));
    for (const shard of shards) {
      expect(shard.code).toBe(0);
      expect(Object.keys(verdictsOf(shard))).toEqual(Object.keys(verdictsOf(whole)));
    }
    const sent = shards.map(({ report }) => report?.traffic.requests ?? 0);
    expect(merged.traffic.requests).toBe(sent.reduce((sum, requests) => sum + requests, 0));
    const [first = '', , third = ''] = shards.map(({ reportDir }) => reportDir);
    expect(await command('merge', first, third)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Missing shards: 2/3.'),
    });
    // The cases are divided: no shard sends nearly as much as the full run.
    for (const requests of sent) expect(requests).toBeLessThan((whole.report?.traffic.requests ?? 0) * 0.7);
  });

  test('faulty server -> the verdicts of one run', async () => {
    // Without faults whose animals change the lists of the other shards.
    const faulty = async () => {
      const server = await serveManyRuns('limit-ignored', 'odd-categories-made-even', 'no-challenge');
      return ['--base-url', server.baseUrl, '--api-key', key];
    };
    const targets = { whole: await faulty(), parts: [await faulty(), await faulty(), await faulty()] };
    const { whole, merge, merged, dir } = await wholeAndMerged(['--runs', '5'], targets);
    expect(merge).toMatchObject({ code: 1, err: '' });
    expect(verdicts(merged)).toEqual(verdictsOf(whole));
    // Each shard has a server of its own.
    expect(merged.target.baseUrl).toBe(targets.parts.map(([, baseUrl]) => baseUrl).join(', '));
    expect(readFileSync(join(dir, 'summary.md'), 'utf8')).toContain(merged.target.baseUrl);
    const [failure] = merged.requirements.find(({ id }) => id === 'CREATE-9')?.failures ?? [];
    expect(failure).toMatchObject({ expected: expect.any(String), curl: expect.stringContaining('curl') });
    for (const file of ['index.html', 'junit.xml', 'summary.md', 'traffic.har'])
      expect(readFileSync(join(dir, file), 'utf8'), file).not.toContain(key);
    const { log } = JSON.parse(readFileSync(join(dir, 'traffic.har'), 'utf8'));
    const ids = log.entries.map(({ _id }: { readonly _id: number }) => _id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(failure?.exchange);
  });
});

describe.concurrent('known failure', () => {
  const list = join(folder, 'known.yaml');
  writeFileSync(list, 'LIST-4: 50 is refused until March\n');
  const judge = (baseUrl: string) =>
    wholeAndMerged([
      ...['--base-url', baseUrl, '--api-key', key, '--only', 'LIST-4', '--runs', '0'],
      ...['--known-failures', list],
    ]);

  test('found in one shard -> the other shards do not fail', async () => {
    const { shards, merge } = await judge((await serveManyRuns('limit-of-fifty-refused')).baseUrl);
    expect(shards.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(merge).toMatchObject({ code: 0, err: '' });
    expect(merge.out).toMatch(/^No failures except 1 known failure.*\.\n/);
  });

  test('found in no shard -> the merged run fails', async () => {
    const { shards, merge } = await judge((await serveManyRuns()).baseUrl);
    expect(shards.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(merge.code).toBe(1);
    expect(merge.out).toMatch(/^Run failed: \S+ is listed as known to fail, but passes now\.\n/);
  });
});

describe.concurrent('merge and compare', () => {
  const quick = ['--only', 'LIST-3', '--runs', '0'];

  test('compare -> lists new failures and new passes', async () => {
    const [before, after] = await Promise.all([
      run([...at(await serve()), ...quick, ...seeded]),
      run([...at(await serve('--fault', 'limit-ignored')), ...quick, ...seeded]),
    ]);
    const worse = await command('compare', before.reportDir, join(after.reportDir, 'conformance.json'));
    expect(worse).toMatchObject({ code: 1, err: '' });
    expect(worse.out).toMatch(/Newly failing\n {2}LIST-3 failed \(was passed\): /);
    const better = await command('compare', after.reportDir, before.reportDir);
    expect(better).toMatchObject({ code: 0, err: '' });
    expect(better.out).toMatch(/Newly passing\n {2}LIST-3\n/);
    const each = await command('compare', after.reportDir, before.reportDir, '--verbose');
    expect(each.out).toMatch(/Newly passing\n {2}LIST-3 passed \(was failed\)/);
    expect(await command('compare', after.reportDir, after.reportDir)).toEqual({
      code: 0,
      out: 'Nothing changed.\n',
      err: '',
    });
    const mixed = await command('merge', before.reportDir, after.reportDir);
    expect(mixed).toMatchObject({ code: 2, out: '' });
    expect(mixed.err).toMatch(/^error: [^\n]*targets differ[^\n]*\n$/);
  });

  test.each([
    ['compare', ['nowhere', 'nowhere']],
    ['merge', ['nowhere']],
    ['merge', []],
    ['compare', ['nowhere']],
  ])('%s %j -> a usage error', async (name, words) => {
    const ended = await command(name, ...words);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toMatch(/^error: [^\n]+\n$/);
  });
});
