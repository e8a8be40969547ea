import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at, key, record, resultOf, run, serve, startRun, verdictsOf } from '../support/command.ts';
import { folder } from '../support/processes.ts';

const seeded = ['--seed', '5'];

/** The processes that a process started. */
const childrenOf = (pid: number | undefined): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

/** Runs with 2 workers, and calls `action` with the process of the run once 200 requests have come. */
const runUntil = async (action: (pid: number) => void) => {
  let pid = 0;
  const server = await record({
    before: async (count) => {
      if (count === 200) action(pid);
      return undefined;
    },
  });
  const { child, ended } = startRun([...at(server), '--workers', '2']);
  pid = child.pid ?? 0;
  // The output ends with the last process that has it, so that no worker is left.
  const end = await ended;
  return { ...end, requests: server.seen.length };
};

describe('--workers', () => {
  test('conforming server -> the verdicts of one run, in one report', async () => {
    const [one, three] = await Promise.all([
      run([...at(await serve()), ...seeded]),
      run([...at(await serve()), ...seeded, '--workers', '3']),
    ]);
    expect(three).toMatchObject({ code: 0, err: '' });
    expect(verdictsOf(three)).toEqual(verdictsOf(one));
    expect(three.out.match(/requests planned/g)).toHaveLength(1);
    expect(three.out.match(/^No failures/gm)).toHaveLength(1);
    expect(three.report).toMatchObject({ settings: { workers: 3 }, seed: 5 });
    expect(three.report?.shard).toBeUndefined();
    expect(three.report?.command).toContain('--workers 3');
    // The cases are divided: none is repeated.
    const [requests, divided] = [one, three].map(({ report }) => report?.traffic.requests ?? 0);
    expect(divided).toBeLessThan((requests ?? 0) * 1.1);
    expect(three.report?.traffic.created).toBeLessThanOrEqual(200);
  });

  test('a limit -> the workers share one pace, and get no 429', async () => {
    const server = await serve('--limit', `${key}=60/2`);
    const ended = await run([
      ...at(server),
      ...seeded,
      ...['--only', 'LIST', '--only', 'GET', '--runs', '20', '--workers', '4'],
    ]);
    expect(ended).toMatchObject({ code: 0, err: '' });
    const { requests = 0, rateLimited } = ended.report?.traffic ?? {};
    expect(requests).toBeGreaterThan(240);
    expect(rateLimited).toBe(0);
  });

  test('--max-creates -> for all of them together', async () => {
    const server = await record();
    const ended = await run([...at(server), ...seeded, '--workers', '4', '--max-creates', '20']);
    const created = server.seen.filter(
      ({ method }, index) => method === 'POST' && server.statuses[index] === 201,
    );
    expect(created.length).toBeGreaterThan(10);
    expect(created.length).toBeLessThanOrEqual(20);
    expect(ended.report?.traffic.created).toBe(created.length);
  });

  test('Ctrl-C -> ends at once with one report, as one run', async () => {
    const ended = await runUntil((pid) => {
      // As a terminal sends it.
      for (const each of [pid, ...childrenOf(pid)]) process.kill(each, 'SIGINT');
    });
    expect(ended).toMatchObject({ code: 130, err: '' });
    expect(ended.report).toMatchObject({ verdict: 'not-judged', endedCode: 'interrupted' });
    expect(ended.out.match(/^Interrupted\. /gm)).toHaveLength(1);
    expect(ended.out.match(/^Traffic /gm)).toHaveLength(1);
    expect(ended.requests).toBeLessThan(300);
  });

  test('a worker that is killed -> the run says so, and is not green', async () => {
    const ended = await runUntil((pid) => process.kill(childrenOf(pid)[0] ?? 0, 'SIGKILL'));
    const why = 'worker 1 of 2 ended before its part of the run was done (SIGKILL)';
    expect(ended.code).toBe(4);
    expect(ended.out).toContain(why);
    expect(ended.report).toMatchObject({ verdict: 'not-judged', ended: why });
    expect(Object.values(verdictsOf(ended))).not.toContain('passed');
  });

  test('all workers are killed -> an error of the suite', async () => {
    const ended = await runUntil((pid) => {
      for (const each of childrenOf(pid)) process.kill(each, 'SIGKILL');
    });
    expect(ended).toMatchObject({ code: 4, report: undefined });
    expect(ended.err).toContain('no worker has a result: SIGKILL, SIGKILL');
  });

  test('the process that started them is killed -> they end, too', async () => {
    const ended = await runUntil((pid) => process.kill(pid, 'SIGKILL'));
    expect(ended).toMatchObject({ code: null, err: '' });
  });

  test('own checks, known failures, and a replay -> as in one run', async () => {
    const server = await serve('--fault', 'limit-ignored');
    const checks = join(folder, 'worker-checks.mjs');
    writeFileSync(
      checks,
      `import { defineCheck, defineRequirement, listPets } from '${import.meta.resolve('../../src/api/index.ts')}';
      export const requirement = defineRequirement({ id: 'ACME-1', level: 'MUST', statement: 'A list exists.' });
      export const check = defineCheck({
        title: 'a list',
        requirement: 'ACME-1',
        run: async (_, context) => {
          const response = await context.send(listPets());
          if (response.status === 200) context.passed();
        },
      });`,
    );
    const known = join(folder, 'worker-known.yaml');
    writeFileSync(known, 'LIST-3: a page is too long until March\n');
    const ended = await run([
      ...at(server),
      ...seeded,
      ...['--only', 'LIST-3', '--only', 'ACME-1', '--workers', '2'],
      ...['--checks', checks, '--known-failures', known],
    ]);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(resultOf(ended, 'ACME-1')?.verdict).toBe('passed');
    const failed = resultOf(ended, 'LIST-3');
    expect(failed).toMatchObject({ verdict: 'failed', known: 'a page is too long until March' });
    expect(failed?.failures[0]?.replay).not.toContain('--workers');
  });
});
