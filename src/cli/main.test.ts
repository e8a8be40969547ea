import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingList } from '../config/table.ts';

const bin = join(import.meta.dirname, '../../bin/animal-store-conformance.js');

interface ProcessResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'main-'));
});
afterAll(() => rm(directory, { recursive: true }));

const {
  ANIMAL_STORE_BASE_URL: _url,
  ANIMAL_STORE_API_KEY: _key,
  ANIMAL_STORE_RATE_LIMIT_KEY: _limit,
  // Runs without --base-url are an error in CI.
  CI: _ci,
  ...ambient
} = process.env;
const command = (
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProcessResult> =>
  new Promise((resolve) => {
    const options = { cwd: directory, env: { ...ambient, ...env } };
    execFile(process.execPath, [bin, ...argv], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, stdout, stderr });
    });
  });

/** A usage error: exit code 2, one line on standard error, nothing on standard output, no stack. */
const usageError = async (
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { code, stdout, stderr } = await command(argv, env);
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({
    code: 2,
    stdout: '',
    lines: 1,
  });
  expect(stderr).toMatch(/^error: /);
  expect(stderr).not.toMatch(/\n\s+at /);
  return stderr;
};

describe.concurrent('usage errors', () => {
  it.each([
    [['sreve'], '"sreve" is not a command: did you mean serve?'],
    [['frobnicate'], '"frobnicate" is not a command: the commands are run, serve'],
    [['run', '--conccurency', '4'], 'unknown option --conccurency: did you mean --concurrency?'],
    [['--sede=5'], 'unknown option --sede: did you mean --seed?'],
    [['-x'], 'unknown option -x'],
    [['run', '--seed'], '--seed needs a value: --seed N'],
    [['run', 'serve'], 'unexpected argument "serve"'],
    [['--strict', 'serve'], 'unexpected argument "serve"'],
    [['run', '--only', 'CREATE,LIST-4'], 'is given again for each: --only CREATE --only LIST-4\n'],
    [['run', '--strict=true'], '--strict takes no value: write --strict alone'],
    [['run', '--config='], '--config: is empty'],
    [['run', '--api-key', '--strict'], '--api-key has no value: the next word is the flag --strict'],
    [['run', '--seed', '1', '--seed', '2'], '--seed: takes one value, and is given 2: "1", "2"'],
    [['run', '--no-risky', '--risky'], '--risky and --no-risky exclude each other: drop one'],
    [['run', '--seed', '1', '--seed', '1', '--plan', 'por'], '--plan: '],
    [['run', '--known-failures', 'none.yaml'], '--known-failures none.yaml: there is no such file'],
    [['requirements', '--jsno'], 'unknown option --jsno: did you mean --json?'],
  ])('%j -> one line', async (argv, message) => expect(await usageError(argv)).toContain(message));

  it('CI without a base URL -> a usage error', async () => {
    expect(await usageError([], { CI: 'true' })).toBe(
      'error: --base-url is missing: CI is set. Set --base-url, or test the built-in server with --reference\n',
    );
  });

  it('a key in any place -> no error shows it', async () => {
    const key = 'canary-key-0123456789';
    for (const argv of [
      ['--api-key', `${key}\r`],
      ['--api-key', ` ${key}`],
      ['--api-kye', key],
      [`--api-kye=${key}`],
      [`-k${key}`],
      ['--api-key', key, key],
      ['--api-key', key, '--seed', key],
      [key],
    ]) {
      expect(await usageError(argv), argv.join(' ')).not.toContain('canary-key');
    }
  });

  it('control characters -> no error contains them', async () => {
    expect(await usageError(['run', '--now', '\u001b[31mred'])).not.toContain('\u001b');
    expect(await usageError(['\u001b[31mred'])).not.toContain('\u001b');
  });
});

describe.concurrent('help', () => {
  it('--help -> the commands', async () => {
    const { code, stdout, stderr } = await command(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of ['run', 'serve', 'selftest', 'requirements', 'compare', 'merge']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    }
  });
  it('run --help -> flags and exit codes', async () => {
    const { code, stdout } = await command(['run', '--help']);
    expect(code).toBe(0);
    for (const flag of ['--base-url <URL>', '--no-risky', '--shard <I/N>', '--config <FILE>'])
      expect(stdout).toContain(flag);
    expect(stdout).toContain('Exit codes:');
    for (const [, { flag }] of settingList) expect(stdout).toMatch(new RegExp(`^ {2}${flag}[ \n]`, 'm'));
    expect(stdout.split('\n').length).toBeLessThanOrEqual(60);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    for (const other of [
      ['help', 'run'],
      ['run', '-h'],
    ])
      expect((await command(other)).stdout).toBe(stdout);
  });
  it('--version -> the version', async () => {
    for (const flag of ['--version', '-v'])
      expect((await command([flag])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

it('a removed working directory -> a usage error', async () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" run';
  const { code, stderr } = await new Promise<Omit<ProcessResult, 'stdout'>>((resolve) => {
    const options = { cwd: directory, env: ambient };
    execFile('sh', ['-c', script, process.execPath, bin], options, (error, _, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stderr }),
    );
  });
  expect(code).toBe(2);
  expect(stderr).toBe('error: the working directory no longer exists: change to one that does\n');
});

describe('a closed pipe', () => {
  it('run --help -> exit code 0, no error', async () => {
    const child = spawn(process.execPath, [bin, 'run', '--help'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe.runIf(existsSync('/dev/full'))('a full device', () => {
  const into = (argv: readonly string[]): Promise<number> =>
    new Promise((resolve) => {
      const words = ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, bin, ...argv];
      execFile('sh', words, { cwd: directory, env: ambient }, (error) => resolve(Number(error?.code ?? 0)));
    });

  it('run -> writes its reports', async () => {
    expect(await into(['run', '--only', 'LIST-1', '--seed', '1', '--report-dir', 'full-device'])).toBe(0);
    expect(existsSync(join(directory, 'full-device', 'conformance.json'))).toBe(true);
  });

  it('a command that only prints -> exit code 4', async () => {
    expect(await into(['requirements'])).toBe(4);
  });
});
