import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureOutput } from '../../test/support/output.ts';
import type { RunSettings } from '../config/settings.ts';
import { UnwritableReports } from '../report/files.ts';
import { failure, outcomeOf } from '../report/testing.ts';
import type { Outcome } from '../run/outcome.ts';
import type { RunDeps } from '../run/run-deps.ts';
import { judgeServer } from './judge-server.ts';
import { withoutSecrets } from './secrets.ts';

const runSuite = vi.hoisted(() => vi.fn());
const writeReports = vi.hoisted(() => vi.fn());
vi.mock('../api/run-suite.ts', () => ({ runSuite }));
vi.mock('../report/write.ts', () => ({ writeReports }));

type Engine = (settings: RunSettings, deps: RunDeps) => Promise<{ outcome: Outcome; exit: number }>;
const engine = (run: Engine) => runSuite.mockImplementation(run);

let directory: string;
let output: ReturnType<typeof captureOutput>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'judge-'));
  output = captureOutput();
  for (const name of [
    'ANIMAL_STORE_BASE_URL',
    'ANIMAL_STORE_API_KEY',
    'ANIMAL_STORE_RATE_LIMIT_KEY',
    'ANIMAL_STORE_SEED',
    'CI',
    'GITHUB_ACTIONS',
  ]) {
    vi.stubEnv(name, undefined);
  }
  writeReports.mockResolvedValue([{ name: 'index.html', path: 'somewhere/index.html', for: 'people' }]);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  runSuite.mockReset();
  await rm(directory, { recursive: true });
});

const judge = (flags: Readonly<Record<string, unknown>> = {}) =>
  judgeServer({ reportDir: join(directory, 'reports'), ...flags });
const key = 'canary-key-0123456789';
const remote = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: key };

describe('judgeServer', () => {
  it('before anything is sent -> shows server, masked key, plan, and seed', async () => {
    engine(async () => {
      expect(output.stdout).toBe('Testing http://127.0.0.1:1/v1, key cana…, plan pro, seed 7\n');
      return { outcome: outcomeOf(), exit: 0 };
    });
    await judge({ ...remote, plan: 'pro', seed: '7' });
    expect(output.stdout).not.toContain(key);
  });

  it('no seed -> draws one and shows it', async () => {
    const seeds: (number | null)[] = [];
    engine(async ({ seed }) => {
      seeds.push(seed);
      expect(output.stdout).toContain(`seed ${seed}\n`);
      return { outcome: outcomeOf(), exit: 0 };
    });
    await judge();
    await judge();
    expect(new Set(seeds).size).toBe(2);
    expect(seeds.every((seed) => seed === (Number(seed) | 0))).toBe(true);
  });

  it('a key for the reference server -> says that it is not used', async () => {
    engine(async () => ({ outcome: outcomeOf(), exit: 0 }));
    await judge({ reference: true, apiKey: key });
    expect(output.stdout).toContain('The given API key is not used');
  });

  it('verbose -> every failure in full', async () => {
    const failures = [1, 2].map((exchange) => failure({ exchange, response: null, expected: `${exchange}` }));
    const results = { 'CREATE-9': { verdict: 'failed', failures } } as const;
    engine(async () => ({ outcome: outcomeOf({ verdict: 'nonconformant', results }), exit: 1 }));
    const replays = async (flags: Parameters<typeof judge>[0]) => {
      output.stdout = '';
      await judge({ ...remote, ...flags });
      return output.stdout.match(/^ {2}replay /gm)?.length;
    };
    expect([await replays({}), await replays({ verbose: true })]).toEqual([1, 2]);
  });

  it('no connection and a proxy variable -> says that the proxy is not used', async () => {
    vi.stubEnv('https_proxy', 'http://user:secret@proxy:3128');
    const notJudged: Outcome = {
      ...outcomeOf({ verdict: 'not-judged' }),
      traffic: { ...outcomeOf().traffic, byStatus: {} },
    };
    engine(async () => ({ outcome: notJudged, exit: 3 }));
    await judge();
    expect(output.stdout).toMatch(/^(\w+, )*https_proxy\b.*: set, but not used/m);
    expect(output.stdout).not.toContain('secret');
    output.stdout = '';
    engine(async () => ({ outcome: outcomeOf(), exit: 0 }));
    await judge();
    expect(output.stdout).not.toContain('proxy');
  });

  it('a report folder that cannot be written to -> exit code 2, nothing is sent', async () => {
    await writeFile(join(directory, 'file'), '');
    expect(await judge({ reportDir: join(directory, 'file', 'reports') })).toBe(2);
    expect(output.stderr).toMatch(/^error: --report-dir \S+: .*\. Name another folder\n$/);
    expect(runSuite).not.toHaveBeenCalled();
  });

  it('reports that cannot be written after the run -> the summary, then the error, exit code 4', async () => {
    engine(async () => ({ outcome: outcomeOf(), exit: 0 }));
    const written = [{ name: 'conformance.json', path: 'full/conformance.json', for: 'programs' }];
    writeReports.mockRejectedValue(
      new UnwritableReports('index.html cannot be written to full: no space is left.', {
        cause: null,
        written,
      }),
    );
    expect(await judge({ seed: '7' })).toBe(4);
    expect(output.stdout).toMatch(/^No failures.* - /m);
    expect(output.stdout).toContain('seed 42');
    expect(output.stdout).toContain('full/conformance.json (for programs)');
    expect(output.stderr).toBe(
      'error: index.html cannot be written to full: no space is left. Make room there and let it be written to, or name another folder with --report-dir.\n',
    );
  });

  it('an exception while reports are written -> the summary first', async () => {
    engine(async () => ({ outcome: outcomeOf(), exit: 0 }));
    writeReports.mockRejectedValue(new TypeError('no such page'));
    await expect(judge()).rejects.toThrow('no such page');
    expect(output.stdout).toMatch(/^No failures.* - /m);
  });

  it('an exception that contains a key -> the key is masked', async () => {
    engine(async () => {
      throw new TypeError(`illegal header: Bearer ${key}`);
    });
    const thrown: unknown = await judge(remote).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(TypeError);
    const shown = withoutSecrets(`${thrown instanceof Error && thrown.stack}`);
    expect(shown).toContain('illegal header: Bearer cana…');
    expect(shown).not.toContain(key);
    expect(writeReports).not.toHaveBeenCalled();
  });
});
