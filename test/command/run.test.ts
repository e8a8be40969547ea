import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../src/openapi/catalogue.ts';
import { at, key, record, resultOf, run, serve, startRun, verdictsOf } from '../support/command.ts';

/** Takes each connection, and closes it. */
const silentServer = async () => {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: async () => void server.close() };
};

const passing = new Set(['passed', 'observed', 'skipped', 'inconclusive']);

// Concurrent, because each test mostly waits for its processes.
describe.concurrent('the built-in reference server', () => {
  test('is conformant within the daily limit of a Free key, also in another process', async () => {
    const [builtIn, other] = await Promise.all([
      run(['--seed', '7']),
      serve().then((server) => run([...at(server), '--seed', '7'])),
    ]);
    expect(builtIn).toMatchObject({ code: 0, err: '' });
    expect(builtIn.report).toMatchObject({ verdict: 'conformant', seed: 7, ended: null });
    expect(Object.values(verdictsOf(builtIn)).filter((verdict) => !passing.has(verdict))).toEqual([]);
    expect(builtIn.report?.traffic.requests).toBeLessThanOrEqual(920);
    expect(builtIn.report?.traffic.rateLimited).toBe(0);
    expect(other.code).toBe(0);
    expect(verdictsOf(other)).toEqual(verdictsOf(builtIn));
    expect(other.report?.target.reference).toBe(false);
    for (const file of ['index.html', 'conformance.json', 'junit.xml', 'summary.md', 'traffic.har'])
      expect(existsSync(join(builtIn.reportDir, file))).toBe(true);
  });
});

describe.concurrent('created animals', () => {
  test('--read-only -> none, and requirements that need them say so', async () => {
    const server = await record();
    const ended = await run([...at(server), '--runs', '5', '--read-only']);
    expect(ended.code).toBe(0);
    expect(server.seen.length).toBeGreaterThan(100);
    expect(server.seen.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))).toEqual([]);
    const results = ended.report?.requirements.filter(({ id }) => id.startsWith('CREATE-')) ?? [];
    expect(results.map(({ id }) => id)).toEqual(
      loadCatalogue().flatMap(({ id }) => (id.startsWith('CREATE-') ? [id] : [])),
    );
    for (const { verdict, reason } of results) {
      expect(verdict).toBe('inconclusive');
      expect(reason).toContain('--read-only');
    }
    expect(verdictsOf(ended)).toMatchObject({ 'LIST-1': 'passed', 'LIST-4': 'passed', 'GET-3': 'passed' });
  });

  test('--max-creates -> at most this many', async () => {
    const server = await record();
    const ended = await run([...at(server), '--runs', '5', '--max-creates', '5']);
    expect(ended.code).toBe(0);
    expect(server.statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(5);
    expect(ended.report?.traffic.created).toBe(server.statuses.filter((status) => status === 201).length);
    expect(resultOf(ended, 'CREATE-1')).toMatchObject({
      verdict: 'inconclusive',
      reason: '11 of 11 cases not run (--max-creates)',
    });
  });
});

test.concurrent('a key whose day has less left than the run needs -> says so in the plan, and at the end', async () => {
  const server = await serve('--limit', `${key}=149/86400`);
  const ended = await run([...at(server).slice(0, 4), '--seed', '7']);
  expect(ended.out).toMatch(/requests planned, of which the API key allows 14\d more today: /);
  const lost = ended.report?.requirements.filter(
    ({ level, verdict, reasonCode }) =>
      level === 'MUST' && verdict === 'inconclusive' && reasonCode === 'rate-limit',
  );
  expect(lost?.length).toBeGreaterThan(10);
  expect(ended.out).toMatch(
    new RegExp(
      `\\(${lost?.length} MUSTs, because the limit of the API key is used up until \\d{4}-.*Z \\(149 requests a day\\)\\)\\n`,
    ),
  );
});

test.concurrent('server starts a moment later -> waits, and says so', async () => {
  const reserved = await record();
  await reserved.close();
  const port = Number(new URL(reserved.baseUrl).port);
  const one = ['--only', 'LIST-1', '--wait-for-target', '30'];
  const { child, ended } = startRun([...at(reserved), ...one]);
  let out = '';
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      out += chunk;
      if (out.includes('--wait-for-target')) resolve();
    });
  });
  await record({ port });
  expect((await ended).code).toBe(0);
  expect(out).toContain('is not ready: trying again for at most 30 s (--wait-for-target)\n');
});

test.concurrent('a gateway returns 503 until the server is up -> waits, and only the server is judged', async () => {
  const up = 3;
  const server = await record({
    before: async (count) => (count < up ? new Response('Starting', { status: 503 }) : undefined),
  });
  const ended = await run([...at(server), '--only', 'LIST-1', '--wait-for-target', '30']);
  expect([ended.code, resultOf(ended, 'LIST-1')?.verdict, server.seen.length > up]).toEqual([
    0,
    'passed',
    true,
  ]);
});

describe.concurrent('a server that closes every connection -> never 0', () => {
  const judged = async (...args: string[]) => {
    const { close, baseUrl } = await silentServer();
    const ended = await run([...at({ baseUrl }), ...args]);
    await close();
    return [ended.code, ended.report?.verdict];
  };

  test.each([
    ['--only', 'LIST'],
    ['--only', 'AUTH-1'],
    ['--skip', 'GEN-4'],
  ])('%s %s -> not judged, 3', async (...args) => {
    expect(await judged(...args)).toEqual([3, 'not-judged']);
  });

  test('everything selected -> GEN-4 fails, 1', async () => {
    expect(await judged()).toEqual([1, 'nonconformant']);
  });
});

test('a run that is refused -> removes the reports of an earlier run, and no other file', async () => {
  const first = await run(['--only', 'LIST-1', '--read-only']);
  const dir = first.reportDir;
  writeFileSync(join(dir, 'notes.txt'), 'mine');
  const second = await run(['--only', 'NOPE-1', '--report-dir', dir]);
  expect([first.code, second.code]).toEqual([0, 2]);
  expect(readdirSync(dir)).toEqual(['notes.txt']);
});

test('reports of an earlier run that cannot be replaced -> refused before anything is sent', async () => {
  const server = await record();
  const { reportDir } = await run(['--only', 'LIST-1', '--read-only']);
  rmSync(join(reportDir, 'index.html'));
  mkdirSync(join(reportDir, 'index.html'));
  const second = await run([...at(server), '--report-dir', reportDir]);
  expect([second.code, server.seen.length]).toEqual([2, 0]);
  expect(second.err).toMatch(/^error: Reports cannot be written to .*--report-dir\.\n$/);
});

describe.concurrent('a server that stops during the run -> exit 1', () => {
  test('it goes down', async () => {
    const server = await record({
      before: async (count) => {
        if (count === 150) await server.close();
        return undefined;
      },
    });
    const ended = await run(at(server));
    expect(ended.code).toBe(1);
    expect(ended.report).toMatchObject({ verdict: 'nonconformant', ended: expect.any(String) });
    expect(resultOf(ended, 'GEN-4')?.verdict).toBe('failed');
    expect(resultOf(ended, 'LIST-1')?.checks).toBeGreaterThan(0);
    const { failures = [] } = resultOf(ended, 'GEN-4') ?? {};
    expect(failures.filter(({ seen, tries }) => seen < tries)).toEqual([]);
  });
});

describe.concurrent('usage error -> exit 2, one line, and no request', () => {
  test.each([
    ['an unknown requirement', ['--only', 'CREATE-99']],
    ['a path of a requirement without cases', ['--only', 'VER-1', '--seed', '1', '--path', '1:1']],
  ])('%s', async (_, args) => {
    const server = await record();
    const ended = await run([...at(server), ...args]);
    expect(ended).toMatchObject({ code: 2, out: '', report: undefined });
    expect(ended.err).toMatch(/^error: [^\n]+\n$/);
    expect(server.seen).toEqual([]);
  });
});

describe.concurrent('selection', () => {
  test('--only and --skip -> tests only the selected requirements, and skips the others as not selected', async () => {
    const server = await record();
    const ended = await run([...at(server), '--only', 'LIST', '--only', 'VER-1', '--skip', 'LIST-3']);
    expect(ended.code).toBe(0);
    for (const { id, verdict, reasonCode } of ended.report?.requirements ?? []) {
      const chosen = id === 'VER-1' || (id.startsWith('LIST-') && id !== 'LIST-3');
      if (chosen) expect(['passed', 'observed']).toContain(verdict);
      else expect([verdict, reasonCode]).toEqual(['skipped', 'not-selected']);
    }
    expect(server.seen.filter(({ path }) => path.includes('/store/orders'))).toEqual([]);
  });

  test('a fault outside the selection -> the run passes', async () => {
    const server = await serve('--fault', 'limit-ignored');
    const ended = await run([...at(server), '--only', 'AUTH-1', '--only', 'VER-1']);
    expect(ended.code).toBe(0);
  });
});

describe.concurrent('replay of a failure', () => {
  test('systematic case -> repeats only that case', async () => {
    const server = await record({
      before: async (_, { path }) =>
        path.endsWith('?limit=50') ? new Response('oops', { status: 404 }) : undefined,
    });
    const found = await run([...at(server), '--only', 'ERR-1', '--seed', '3']);
    const [failure] = resultOf(found, 'ERR-1')?.failures ?? [];
    const before = server.seen.length;
    const again = await run(failure?.replay.split(' ').slice(3) ?? [], { ANIMAL_STORE_API_KEY: key });
    expect(resultOf(again, 'ERR-1')?.failures[0]).toMatchObject({ path: failure?.path, seen: 3, tries: 3 });
    expect(server.seen.length - before).toBeLessThanOrEqual(6);
  });

  test('path without a case -> a usage error, and not a pass', async () => {
    const server = await record();
    const ended = await run([...at(server), '--only', 'CREATE-1', '--seed', '1', '--path', '7:7:7']);
    expect(ended).toMatchObject({ code: 2, report: undefined });
    expect(ended.err).toMatch(/^error: --path 7:7:7 leads to no case of CREATE-1, [^\n]+\n$/);
    expect(ended.out).not.toContain('onformant');
  });

  test('generated case -> repeats only that case', async () => {
    const limitOf = (path: string) => Number(new URLSearchParams(path.split('?')[1]).get('limit'));
    const isLarge = (limit: number) => limit > 100_000_000 && limit < 1_000_000_000;
    const server = await record({
      before: async (_, { path }) =>
        isLarge(limitOf(path)) ? new Response('oops', { status: 500 }) : undefined,
    });
    const found = await run([...at(server), '--only', 'LIST-5', '--seed', '3', '--runs', '200']);
    expect(found.code).toBe(1);
    const [failure] = resultOf(found, 'LIST-5')?.failures ?? [];
    expect(failure?.path).toMatch(/^\d+:/);
    expect(failure?.request.url).toContain('limit=100000001');
    const words = failure?.replay.split(' ') ?? [];
    expect(words.slice(0, 3)).toEqual([
      'node',
      expect.stringMatching(/animal-store-conformance\.js$/),
      'run',
    ]);
    expect(failure?.replay).not.toContain(key);

    const before = server.seen.length;
    const again = await run(words.slice(3), { ANIMAL_STORE_API_KEY: key });
    expect(again.code).toBe(1);
    expect(resultOf(again, 'LIST-5')?.failures[0]).toMatchObject({ path: failure?.path, seen: 3, tries: 3 });
    const repeated = server.seen.slice(before).map(({ path }) => path);
    expect(repeated.filter((path) => isLarge(limitOf(path)))).toEqual(
      Array.from({ length: 3 }, () => '/v1/pets?limit=100000001'),
    );
    expect(repeated.length).toBeLessThanOrEqual(6);
  });
});
