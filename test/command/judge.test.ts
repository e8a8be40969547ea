// The commands `judge` of README.md and docs/how-to.md.
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { key, record } from '../support/command.ts';
import { command, folder, startCommand } from '../support/processes.ts';

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const send = (headers: string) =>
  `fetch(process.env.ANIMAL_STORE_BASE_URL + '/pets?limit=5', { headers: { ${headers} } })`;
const withKey = `Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY`;
const right = file('right.mjs', `const response = await ${send(withKey)};\nawait response.text();`);
const keyless = file('keyless.mjs', `const response = await ${send('')};\nawait response.text();`);
const hasty = file(
  'hasty.mjs',
  `for (let tries = 0; tries < 5; tries += 1) { const response = await ${send(withKey)}; await response.text(); }`,
);
const idle = file('idle.mjs', '');

let reports = 0;
/** Judges, and returns the exit code with the verdicts by requirement. */
const judge = async (...words: readonly string[]) => {
  reports += 1;
  const dir = join(folder, `judge-${reports}`);
  const { code, out, err } = await command('judge', '--report-dir', dir, ...words);
  const report = join(dir, 'conformance.json');
  const { requirements = [] } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const verdicts: Readonly<Record<string, string>> = Object.fromEntries(
    requirements.map(({ id, verdict }: { id: string; verdict: string }) => [id, verdict]),
  );
  return { code, out, err, verdicts, dir };
};

const started = (script: string) => ['--', process.execPath, script];

describe.concurrent('a command is judged by its requests', () => {
  test('a right client in a calm scenario -> 0', async () => {
    const { code, verdicts } = await judge('--scenario', 'calm', ...started(right));
    expect([code, verdicts['CLIENT-1'], verdicts['CLIENT-5']]).toEqual([0, 'passed', 'passed']);
  });

  test('a client without its key -> CLIENT-1 fails', async () => {
    const { code, verdicts } = await judge('--scenario', 'calm', ...started(keyless));
    expect([code, verdicts['CLIENT-1']]).toEqual([1, 'failed']);
  });

  test('a client that sends again at once after a 429 -> CLIENT-2 fails', async () => {
    const { code, verdicts } = await judge(...started(hasty));
    expect([code, verdicts['CLIENT-2']]).toEqual([1, 'failed']);
  });

  test('a command that sends nothing -> 3; one that cannot be started -> 2', async () => {
    expect((await judge('--scenario', 'calm', ...started(idle))).code).toBe(3);
    expect((await judge('--', join(folder, 'no-such-command'))).code).toBe(2);
  });

  test('--target -> the server is tested too, and no report has its key', async () => {
    const server = await record();
    const script = file(
      'at-target.mjs',
      readFileSync(right, 'utf8').replace('process.env.ANIMAL_STORE_API_KEY', `'${key}'`),
    );
    const { code, verdicts, dir } = await judge('--target', server.baseUrl, ...started(script));
    expect([code, verdicts['CLIENT-1'], verdicts['GEN-1']]).toEqual([0, 'passed', 'passed']);
    expect(server.seen.length).toBeGreaterThan(0);
    expect(readFileSync(join(dir, 'conformance.json'), 'utf8')).not.toContain(key);
  });

  test('--listen -> judges what arrives until SIGINT', async () => {
    const dir = join(folder, 'judge-listen');
    const words = ['judge', '--listen', '--port', '0', '--key', key, '--report-dir', dir];
    const { child, ended } = startCommand(words);
    let out = '';
    while (!/http:\S+\/v1/.test(out)) out += String((await once(child.stdout, 'data'))[0]);
    const [baseUrl = ''] = /http:\S+\/v1/.exec(out) ?? [];
    const response = await fetch(`${baseUrl}/pets`, { headers: { Authorization: `Bearer ${key}` } });
    await response.text();
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
    const { requirements } = JSON.parse(readFileSync(join(dir, 'conformance.json'), 'utf8'));
    expect(requirements.find(({ id }: { id: string }) => id === 'CLIENT-1')).toMatchObject({
      verdict: 'passed',
    });
  });

  test('--har -> recorded traffic is judged, and nothing is sent', async () => {
    const request = {
      method: 'GET',
      url: 'https://staging.example/v1/pets?limit=500',
      headers: [{ name: 'Authorization', value: `Bearer ${key}` }],
    };
    const response = { status: 200, headers: [], content: { mimeType: 'application/json', text: '[]' } };
    const entries = [{ startedDateTime: '2026-01-01T00:00:00Z', time: 5, request, response }];
    const har = file('session.har', JSON.stringify({ log: { version: '1.2', entries } }));
    const { code, verdicts, dir } = await judge('--har', har);
    expect([code, verdicts['CLIENT-1'], verdicts['CLIENT-5']]).toEqual([1, 'passed', 'failed']);
    expect(readFileSync(join(dir, 'conformance.json'), 'utf8')).not.toContain(key);
  });
});
