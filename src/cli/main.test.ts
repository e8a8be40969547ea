import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bin, command, type Environment, folder, start, startCommand } from '../../test/support/processes.ts';
import { settingList } from '../config/table.ts';

/** A usage error: exit code 2, one line on standard error, nothing on standard output. */
const usageError = async (argv: readonly string[], env?: Environment): Promise<string> => {
  const { code, out, err } = await startCommand(argv, env).ended;
  expect({ code, out }, err).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^error: [^\n]+\n$/);
  return err;
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

  it('control characters -> no error contains them', async () => {
    expect(await usageError(['run', '--now', '\u001b[31mred'])).not.toContain('\u001b');
    expect(await usageError(['\u001b[31mred'])).not.toContain('\u001b');
  });
});

describe.concurrent('help', () => {
  it('--help -> the commands', async () => {
    const { out, ...rest } = await command('--help');
    expect(rest).toEqual({ code: 0, err: '' });
    for (const name of ['run', 'serve', 'selftest', 'requirements', 'compare', 'merge'])
      expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  });
  it('run --help -> flags and exit codes', async () => {
    const { code, out } = await command('run', '--help');
    expect(code).toBe(0);
    for (const part of ['--base-url <URL>', '--no-risky', '--shard <I/N>', '--config <FILE>', 'Exit codes:'])
      expect(out).toContain(part);
    for (const [, { flag }] of settingList) expect(out).toMatch(new RegExp(`^ {2}${flag}[ \n]`, 'm'));
    expect(out.split('\n').length).toBeLessThanOrEqual(60);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    for (const other of ['help run', 'run -h']) expect((await command(...other.split(' '))).out).toBe(out);
  });
  it('--version -> the version', async () => {
    for (const flag of ['--version', '-v']) expect((await command(flag)).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

it('a removed working directory -> a usage error', async () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" run';
  const { code, err } = await start('sh', ['-c', script, process.execPath, bin]).ended;
  expect(code).toBe(2);
  expect(err).toBe('error: the working directory no longer exists: change to one that does\n');
});

it('a closed pipe -> exit code 0, no error', async () => {
  const { child, ended } = startCommand(['run', '--help']);
  child.stdout.destroy();
  expect(await ended).toMatchObject({ code: 0, err: '' });
});

describe.runIf(existsSync('/dev/full'))('a full device', () => {
  const into = async (...words: readonly string[]) =>
    (await start('sh', ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, bin, ...words]).ended).code;

  it('run -> writes its reports', async () => {
    expect(await into('run', '--only', 'LIST-1', '--seed', '1', '--report-dir', 'full-device')).toBe(0);
    expect(existsSync(join(folder, 'full-device', 'conformance.json'))).toBe(true);
  });

  it('a command that only prints -> exit code 4', async () => {
    expect(await into('requirements')).toBe(4);
  });
});
