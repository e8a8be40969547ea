import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../src/openapi/catalogue.ts';
import { parseReport } from '../../src/report/read.ts';
import { at, type Ended, key, record, resultOf, run, serve, startRun } from '../support/command.ts';
import { type Environment, folder, shell } from '../support/processes.ts';

const ofServers = loadCatalogue().filter(({ subject }) => subject === 'server');

/** Expects a report that matches its schema, as it is read, and the promises that the schema does not make. */
const expectPromises = ({ report: outcome, reportDir }: Ended): void => {
  const file = join(reportDir, 'conformance.json');
  const report = parseReport(readFileSync(file, 'utf8'), file);
  expect(report).toMatchObject({
    tool: { name: 'animal-store-conformance', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    interface: { version: '1.0.0' },
    target: { baseUrl: expect.stringMatching(/^http:.*\/v1$/) },
    traffic: { unanswered: expect.any(Object) },
  });
  expect(report.requirements.map(({ id }) => id)).toEqual(ofServers.map(({ id }) => id));
  for (const requirement of report.requirements) {
    for (const { curl, replay } of requirement.failures) {
      expect(curl).toMatch(/^(printf .*\| )?curl /s);
      expect(replay).toMatch(/^node \S+\.js run /);
    }
    const undecided = ['inconclusive', 'skipped'].includes(requirement.verdict);
    expect(requirement.known).toBeNull();
    expect(requirement.reason === null, requirement.id).toBe(!undecided);
    expect(requirement.reasonCode === null, requirement.id).toBe(!undecided);
  }
  expect(outcome).toBeDefined();
};

const few = ['--runs', '1', '--seed', '5'];

describe.concurrent('conformance.json: has the promised fields', () => {
  test('conforming server', async () => {
    const ended = await run(few);
    expectPromises(ended);
    expect(ended.report).toMatchObject({ verdict: 'conformant', target: { reference: true } });
    const { created = [], traffic } = ended.report ?? {};
    expect(created).toHaveLength(traffic?.created ?? -1);
    expect(created.some(({ name }) => name.startsWith('conformance-'))).toBe(true);
  });

  test('failures -> each replay repeats its failure', async () => {
    const names = ['limit-ignored', 'category-through-a-double', 'key-in-x-api-key', 'no-challenge'];
    const server = await serve(...names.flatMap((name) => ['--fault', name]));
    const failed = ['LIST-3', 'CREATE-9', 'AUTH-3'];
    const only = [...failed, 'AUTH-6', 'GEN-3'].flatMap((id) => ['--only', id]);
    const ended = await run([...at(server), ...few, ...only]);
    expectPromises(ended);
    expect(ended).toMatchObject({ code: 1, report: { verdict: 'nonconformant' } });
    for (const id of failed) {
      expect(resultOf(ended, id)?.verdict).toBe('failed');
      const [failure] = resultOf(ended, id)?.failures ?? [];
      const again = await shell(failure?.replay ?? '', { ANIMAL_STORE_API_KEY: key }).ended;
      expect(again, failure?.replay).toMatchObject({ code: 1, err: '' });
      expect(again.out).toContain(`\n✕ ${id} `);
      expect(again.out).toContain(failure?.message.slice(0, 60));
    }
    expect(resultOf(ended, 'AUTH-6')?.verdict).toBe('warned');
    expect(ended.out).not.toContain('✕ AUTH-6');
    expect(ended.out).not.toContain('::error');
  });

  test('inconclusive requirements', async () => {
    const ended = await run([...few, '--read-only', '--only', 'CREATE', '--only', 'LIST']);
    expectPromises(ended);
    expect(ended.report?.verdict).toBe('conformant');
    expect(resultOf(ended, 'CREATE-1')?.verdict).toBe('inconclusive');
    expect(resultOf(ended, 'AUTH-1')).toMatchObject({ verdict: 'skipped', checks: 0 });
  });

  test('server that cannot be tested', async () => {
    const { baseUrl } = await record();
    const ended = await run(['--base-url', baseUrl, '--api-key', 'not-a-key-of-this-server']);
    expectPromises(ended);
    expect(ended).toMatchObject({ code: 3, report: { verdict: 'not-judged' } });
    expect(`${ended.out}${ended.err}`).not.toContain('not-a-key-of-this-server');
  });

  test('interrupted by Ctrl-C, in the middle of requests', async () => {
    const server = await record({
      before: async (count) => {
        if (count === 200) child.kill('SIGINT');
        return count < 200 ? undefined : new Promise<never>(() => {});
      },
    });
    const { child, ended } = startRun([...at(server), ...few]);
    const { out, code, report, reportDir } = await ended;
    expectPromises(await ended);
    expect({ code, ended: report?.ended }).toEqual({ code: 130, ended: 'interrupted' });
    expect(out).toContain('Interrupted. Writing reports; press Ctrl-C again to quit now.\n');
    const verdicts = report?.requirements.map(({ verdict }) => verdict);
    expect(verdicts).toContain('passed');
    expect(verdicts).not.toContain('failed');
    expect(server.seen.length).toBeLessThan(220);
    expect(readFileSync(join(reportDir, 'index.html'), 'utf8')).toContain('Interrupted');
  });
});

/** The output of a run in a terminal with this many columns, with the line breaks of a terminal. */
const onTerminal = async (columns: number, env: Environment): Promise<string> => {
  const command = `stty cols ${columns}; animal-store-conformance --reference --only LIST --skip LIST-8 --runs 1 --seed 3`;
  const { out, code } = await shell(`script -qec "${command}" /dev/null`, { TERM: 'xterm', ...env }).ended;
  expect(code, out).toBe(0);
  return out;
};

describe.concurrent('terminal', () => {
  const control = '\u001b[';
  const erase = `\r${control}K`;

  test('narrow -> the progress bar does not wrap', async () => {
    const out = await onTerminal(20, {});
    const frames = out.split(erase).slice(1, -1);
    expect(frames.length).toBeGreaterThan(1);
    for (const frame of frames) expect(frame).toMatch(/^[ -~]{1,19}$/);
    expect(out).toContain(`${control}32m`);
  });

  test('NO_COLOR -> a progress bar without colors', async () => {
    const out = await onTerminal(80, { NO_COLOR: '1' });
    expect(out).toMatch(/\[#*-*\] \d+\/\d+ {2}0 failed/);
    expect(out.replaceAll(erase, '')).not.toContain(control);
  });

  test.each([
    ['TERM=dumb', { TERM: 'dumb' }],
    ['CI', { CI: 'true', NO_COLOR: '1' }],
  ])('%s -> plain lines', async (_, env) => {
    const out = await onTerminal(80, env);
    for (const moving of ['\r', '\b', control]) expect(out.replaceAll('\r\n', '\n')).not.toContain(moving);
    expect(out).toMatch(/\d+ requests planned, no wait for a rate limit/);
    expect(out).not.toMatch(/\b0 ms/);
  });
});

test.concurrent('GitHub Actions: writes annotations, and appends a summary to the one of earlier steps', async () => {
  const summary = join(folder, 'step-summary.md');
  writeFileSync(summary, 'An earlier step.\n');
  const ended = await run(
    [
      ...at(await serve('--fault', 'limit-ignored', '--fault', 'no-challenge')),
      ...few,
      ...['--only', 'LIST-3', '--only', 'AUTH-6'],
    ],
    { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_STEP_SUMMARY: summary },
  );
  const commands = ended.out.split('\n').filter((line) => line.startsWith('::'));
  expect(commands.filter((line) => line.startsWith('::error title=LIST-3 '))).toHaveLength(1);
  expect(commands.filter((line) => line.startsWith('::warning title=AUTH-6 '))).toHaveLength(1);
  expect(commands.join('\n')).not.toContain(key);
  const written = readFileSync(summary, 'utf8');
  expect(written).toMatch(/^An earlier step\.\n## ❌ Failed: /);
  expect(written).toContain(readFileSync(join(ended.reportDir, 'summary.md'), 'utf8'));
  expect(written.split('\n').length).toBeLessThanOrEqual(32);
});

test('a body that is too long to print -> a file beside the page, which curl sends and the next run removes', async () => {
  const server = await serve('--fault', 'deep-json-crashes');
  const ended = await run([...at(server), ...few, '--only', 'GEN-4', '--verbose']);
  const [, file = ''] = / --data-binary @(\S+)/.exec(ended.out) ?? [];
  expect(file).toMatch(/\/body-\d+\.bin$/);
  expect(file.startsWith(ended.reportDir)).toBe(true);
  const [failure] = resultOf(ended, 'GEN-4')?.failures ?? [];
  expect(readFileSync(file, 'utf8').slice(0, 100)).toBe(failure?.request.body?.slice(0, 100));
  expect(readFileSync(join(ended.reportDir, 'index.html'), 'utf8')).toContain(file);
  await run([...at(server), ...few, '--only', 'LIST-1', '--report-dir', ended.reportDir]);
  expect(existsSync(file)).toBe(false);
});
