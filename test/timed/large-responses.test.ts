import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Behavior, longErrors, manyHeaders } from '../hostile/behaviors.ts';
import { isLarge, servers } from '../hostile/servers.ts';
import { expectResult, type Shown } from '../hostile/shown.ts';
import { behaving, sendingBytes } from '../hostile/targets.ts';
import { at, key, record, startRun } from '../support/command.ts';
import { folder } from '../support/processes.ts';

/** The peak of resident memory so far, in megabytes; 0 if the system does not say. */
const peakOf = (pid: number | undefined): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** What a run of the command takes. */
interface Cost {
  readonly milliseconds: number;
  readonly megabytes: number;
}

/** A run of the command, with its cost. */
const measured = async (args: readonly string[]): Promise<Shown & Cost> => {
  const startedAt = performance.now();
  const { child, ended } = startRun(args);
  let megabytes = 0;
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid));
  }, 20);
  const { code, report, out, err, reportDir } = await ended.finally(() => clearInterval(watch));
  const milliseconds = performance.now() - startedAt;
  const html = readFileSync(`${reportDir}/index.html`, 'utf8');
  return { code, report, printed: `${out}${err}`, html, milliseconds, megabytes };
};

const few = ['--runs', '1', '--budget', '20'];
const timeoutMs = 3_000;
let usual: Cost;

/** The same run against a conforming server: the second, because the first fills the compile cache. */
beforeAll(async () => {
  const server = await record();
  await measured([...at(server), ...few]);
  usual = await measured([...at(server), ...few]);
});

/** Expects a run that takes little more than usual: bodies are cut, and each request may last for its timeout. */
const expectLimits = ({ report, milliseconds, megabytes }: Shown & Cost, mostMemory = 2.5): void => {
  expect(megabytes).toBeLessThan(mostMemory * usual.megabytes);
  const requests = report?.traffic.requests ?? 0;
  expect(milliseconds).toBeLessThan(5 * usual.milliseconds + requests * timeoutMs);
};

const expected = (result: Shown & Cost, { code, failed }: Pick<Behavior, 'code' | 'failed'>) => {
  expectLimits(result);
  return expectResult(result, { code, failed });
};

describe('much sent by a server -> the time and the memory of a usual run', () => {
  test.each(servers.filter(isLarge))('$name: GEN-4 $gen4', async (hostile) => {
    const { baseUrl } = await sendingBytes(hostile);
    const timeout = ['--timeout', String(timeoutMs)];
    const result = await measured(['--base-url', baseUrl, '--api-key', key, ...few, ...timeout]);
    const { gen4, texts } = expected(result, { code: 1, failed: hostile.failed });
    expect(gen4 === 'failed').toBe(hostile.gen4 === 'failed');
    if (hostile.says !== null) expect(texts).toMatch(hostile.says);
  });

  test('10,000 header lines: exit 0', async () => {
    const server = await behaving({ respond: manyHeaders });
    const result = await measured([...at(server), '--budget', '150']);
    // Less than 500 MB, where a usual run has 164: the HTTP library parses all lines before any is dropped.
    expectLimits(result, 3);
    expectResult(result, { code: 0, failed: [] });
  });

  test('errors of 2 MB: exit 0', async () => {
    const server = await behaving({ respond: longErrors });
    expected(await measured([...at(server), '--budget', '150']), { code: 0, failed: [] });
  });

  test('a run writes nothing but its folder of reports', () => {
    expect(readdirSync(folder).filter((name) => !/^reports-\d+$/.test(name))).toEqual([]);
  });
});
