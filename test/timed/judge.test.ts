import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/openapi/package-root.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import { folder, startCommand } from '../support/processes.ts';

/** The longest judgement, on a slow machine. */
const timeout = 120_000;

const judge = async (reportDir: string, ...args: readonly string[]) => {
  const words = ['judge', '--report-dir', join(folder, reportDir), ...args];
  const { code, out, err } = await startCommand(words).ended;
  const text = readFileSync(join(folder, reportDir, 'conformance.json'), 'utf8');
  const report: Pick<Outcome, 'verdict' | 'requirements'> = JSON.parse(text);
  const verdicts = Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict]));
  return { code, out, err, text, verdicts };
};

const ids = Array.from({ length: 7 }, (_, at) => `CLIENT-${at + 1}`);

/** Tries again after 300 ms, whatever Retry-After says. */
const naive = `
  const { ANIMAL_STORE_BASE_URL: base, ANIMAL_STORE_API_KEY: key } = process.env;
  const get = async (tries) => {
    const { status } = await fetch(base + '/pets?limit=2', { headers: { authorization: 'Bearer ' + key } });
    if (status === 429 && tries < 9) { await new Promise((wake) => setTimeout(wake, 300)); await get(tries + 1); }
  };
  await get(0);
  console.log('the client has ended');
`;

test('our own client, in every scenario -> every requirement passes', { timeout }, async () => {
  const client = join(packageRoot(), 'test/support/own-client.ts');
  const { code, out, verdicts } = await judge('own', '--', process.execPath, client);
  expect(verdicts, out).toEqual(Object.fromEntries(ids.map((id) => [id, 'passed'])));
  expect(code).toBe(0);
});

test('a naive client -> exit 1; its traffic as a HAR -> the same failure, and no key', {
  timeout,
}, async () => {
  const command = ['--scenario', 'retry-after-seconds', '--', process.execPath, '-e', naive];
  const judged = await judge('naive', ...command);
  expect(judged.verdicts).toMatchObject({
    'CLIENT-1': 'passed',
    'CLIENT-2': 'failed',
    'CLIENT-3': 'inconclusive',
  });
  expect(judged.code).toBe(1);
  expect(judged.err).toContain('[retry-after-seconds] the client has ended');
  expect(judged.out).toContain('exit code 0');
  const recorded = await judge('recorded', '--har', join(folder, 'naive', 'traffic.har'));
  expect(recorded.verdicts).toMatchObject({
    'CLIENT-2': 'failed',
    'CLIENT-4': 'skipped',
    'AUTH-1': 'skipped',
  });
  expect(recorded.code).toBe(1);
  expect(judged.text + recorded.text).not.toMatch(/Bearer key-[\w-]{8}/);
});

test('a client that sends nothing -> exit 3; a command that cannot be started -> exit 2', {
  timeout,
}, async () => {
  const silent = await judge('silent', '--', process.execPath, '-e', '');
  expect(silent.code).toBe(3);
  expect(silent.out).toContain('The client sent no request');
  const { code, err } = await startCommand(['judge', '--', 'no-such-command']).ended;
  expect(code).toBe(2);
  expect(err).toMatch(/^error: "no-such-command" cannot be started: ENOENT\./m);
});
