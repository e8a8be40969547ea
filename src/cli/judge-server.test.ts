import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunSettings } from '../config/settings.ts';
import { UnwritableReports } from '../report/files.ts';
import { outcomeOf } from '../report/testing.ts';
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
let stdout: string;
let stderr: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'judge-'));
  stdout = '';
  stderr = '';
  const into = (add: (text: string) => void) => (text: string | Uint8Array) => {
    add(String(text));
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(
    into((text) => {
      stdout += text;
    }),
  );
  vi.spyOn(process.stderr, 'write').mockImplementation(
    into((text) => {
      stderr += text;
    }),
  );
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
  it('tells target, key, plan and seed before anything is sent, the key cut short', async () => {
    engine(async () => {
      expect(stdout).toBe('Testing http://127.0.0.1:1/v1, key cana…, plan pro, seed 7\n');
      return { outcome: outcomeOf(), exit: 0 };
    });
    await judge({ ...remote, plan: 'pro', seed: '7' });
    expect(stdout).not.toContain(key);
  });

  it('draws a seed where none is given, and tells it', async () => {
    const seeds: (number | null)[] = [];
    engine(async ({ seed }) => {
      seeds.push(seed);
      expect(stdout).toContain(`seed ${seed}\n`);
      return { outcome: outcomeOf(), exit: 0 };
    });
    await judge();
    await judge();
    expect(new Set(seeds).size).toBe(2);
    expect(seeds.every((seed) => seed === (Number(seed) | 0))).toBe(true);
  });

  it('says where no connection was made that a proxy is not used', async () => {
    vi.stubEnv('https_proxy', 'http://user:secret@proxy:3128');
    const unjudged: Outcome = {
      ...outcomeOf({ verdict: 'not-judged' }),
      traffic: { ...outcomeOf().traffic, byStatus: {} },
    };
    engine(async () => ({ outcome: unjudged, exit: 3 }));
    await judge();
    expect(stdout).toMatch(/^(\w+, )*https_proxy\b.*: set, but not used/m);
    expect(stdout).not.toContain('secret');
    stdout = '';
    engine(async () => ({ outcome: outcomeOf(), exit: 0 }));
    await judge();
    expect(stdout).not.toContain('proxy');
  });

  it('sends nothing where the reports could not be written', async () => {
    await writeFile(join(directory, 'file'), '');
    expect(await judge({ reportDir: join(directory, 'file', 'reports') })).toBe(2);
    expect(stderr).toMatch(/^error: --report-dir: .*\n$/);
    expect(runSuite).not.toHaveBeenCalled();
  });

  it('tells what it found where the reports cannot be written after all, then what is missing', async () => {
    engine(async () => ({ outcome: outcomeOf(), exit: 0 }));
    const written = [{ name: 'conformance.json', path: 'full/conformance.json', for: 'programs' }];
    writeReports.mockRejectedValue(
      new UnwritableReports('index.html cannot be written to full: no space is left.', {
        cause: null,
        written,
      }),
    );
    expect(await judge({ seed: '7' })).toBe(4);
    expect(stdout).toMatch(/^No failures.* - /m);
    expect(stdout).toContain('seed 42');
    expect(stdout).toContain('full/conformance.json (for programs)');
    expect(stderr).toBe(
      'error: index.html cannot be written to full: no space is left. Make room there and let it be written to, or name another folder with --report-dir.\n',
    );
  });

  it('tells what it found before a fault in making the reports', async () => {
    engine(async () => ({ outcome: outcomeOf(), exit: 0 }));
    writeReports.mockRejectedValue(new TypeError('no such page'));
    await expect(judge()).rejects.toThrow('no such page');
    expect(stdout).toMatch(/^No failures.* - /m);
  });

  it('takes keys out of faults of its own', async () => {
    engine(async () => {
      throw new TypeError(`illegal header: Bearer ${key}`);
    });
    const fault: unknown = await judge(remote).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(TypeError);
    const shown = withoutSecrets(`${fault instanceof Error && fault.stack}`);
    expect(shown).toContain('illegal header: Bearer cana…');
    expect(shown).not.toContain(key);
    expect(writeReports).not.toHaveBeenCalled();
  });
});
