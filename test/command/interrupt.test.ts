import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Patch } from '../../src/reference/patch.ts';
import { replace } from '../../src/reference/patch-kit/core.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { at, record, startRun } from '../support/command.ts';
import { countingServer, spareKey } from '../support/counting-server.ts';
import { judge } from '../support/paced-run.ts';
import { folder } from '../support/processes.ts';

/** Calls `action` at the first 429. */
const atFirst429 = (action: () => void): Patch => {
  let refused = false;
  return replace('rateLimited', (before) => (decision, call) => {
    if (!refused) action();
    refused = true;
    return before(decision, call);
  });
};

test('interrupted while a check waits for a limit -> ends at once, and sends nothing more', async () => {
  const clock = createVirtualClock(Date.parse('2026-06-01T12:00:17.300Z'));
  const interrupt = new AbortController();
  let interruptedAt = 0;
  const patch = atFirst429(() => {
    clock.after(5_000, () => {
      interruptedAt = clock.now();
      interrupt.abort(new Error('interrupted'));
    });
  });
  const { target, count } = countingServer({ keys: ['business', 'free'], patch }, clock, 20);
  const { outcome, exit } = await judge(target, clock, { only: ['RATE-5'] }, { signal: interrupt.signal });
  expect(exit).toBe(130);
  expect(outcome.endedCode).toBe('interrupted');
  expect(clock.now()).toBe(interruptedAt);
  expect(count.arrivals.at(-1)?.at).toBeLessThan(interruptedAt);
  expect(outcome.requirements.filter(({ verdict }) => ['failed', 'error'].includes(verdict))).toEqual([]);
});

test('Ctrl-C while a check waits for a limit -> the command ends at once', async () => {
  const retryAfter = 40;
  const server = await record({
    before: async (_, { authorization }) => {
      if (authorization?.includes(spareKey) !== true) return undefined;
      // By then the response has been read.
      setTimeout(() => child.kill('SIGINT'), 1_000);
      return new Response('{}', { status: 429, headers: { 'Retry-After': `${retryAfter}` } });
    },
  });
  const { child, ended } = startRun([...at(server), '--only', 'RATE-5'], {
    ANIMAL_STORE_RATE_LIMIT_KEY: spareKey,
  });
  const { code, report, err } = await ended;
  expect(code).toBe(130);
  expect(err).toBe('');
  expect(report?.ended).toBe('interrupted');
  expect(report?.durationMs).toBeLessThan((retryAfter / 2) * 1_000);
  expect(server.statuses.filter((status) => status === 429)).toHaveLength(1);
});

/** Objects that each refer to all later ones: what is generated from them takes long. */
const nestedDocument = () => {
  const ref = (index: number) => ({ $ref: `#/components/schemas/S${index}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => {
      const later = Array.from({ length: 99 - index }, (_, offset) => index + offset + 1);
      const properties = later.map((name) => [`s${name}`, { oneOf: [ref(name), { type: 'string' }] }]);
      return [`S${index}`, { type: 'object', properties: Object.fromEntries(properties) }];
    }),
  );
  const requestBody = { content: { 'application/json': { schema: ref(0) } } };
  const responses = { 201: { description: 'created' }, 400: { description: 'invalid' } };
  const info = { title: 'Nested', version: '1' };
  return {
    openapi: '3.1.0',
    info,
    paths: { '/pets': { post: { requestBody, responses } } },
    components: { schemas },
  };
};

test('SIGTERM while values of large schemas are generated ends the command at once', async () => {
  const server = await record({});
  const spec = join(folder, 'nested.json');
  writeFileSync(spec, JSON.stringify(nestedDocument()));
  const { child, ended } = startRun([...at(server), '--spec', spec]);
  await once(child.stdout as Readable, 'data');
  const killedAt = performance.now();
  child.kill('SIGTERM');
  const { code, out } = await ended;
  expect(performance.now() - killedAt).toBeLessThan(1_000);
  expect([code, child.signalCode]).toEqual([null, 'SIGTERM']);
  expect(out).toBe(`Preparing requests for ${spec}\n`);
  expect(server.statuses).toEqual([]);
});
