import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { at, record, resultOf, run, startRun } from '../support/command.ts';
import { spareKey } from '../support/counting-server.ts';
import { folder } from '../support/processes.ts';

const never = new Promise<Response>(() => undefined);

test('a server that hangs during the run -> costs at most half a minute', async () => {
  const ended = await run([
    ...at(await record({ before: async (count) => (count > 60 ? never : undefined) })),
    ...['--timeout', '400'],
  ]);
  expect(ended.code).toBe(1);
  expect(resultOf(ended, 'GEN-4')?.verdict).toBe('failed');
  const usual = await run(at(await record()));
  expect(ended.report?.durationMs).toBeLessThan(2 * (usual.report?.durationMs ?? 0) + 30_000);
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
  const startedAt = performance.now();
  await once(child.stdout as Readable, 'data');
  const killedAt = performance.now();
  child.kill('SIGTERM');
  const { code, out } = await ended;
  // Node itself takes most of that time.
  expect(performance.now() - killedAt).toBeLessThan(killedAt - startedAt);
  expect([code, child.signalCode]).toEqual([null, 'SIGTERM']);
  expect(out).toBe(`Preparing requests for ${spec}\n`);
  expect(server.statuses).toEqual([]);
});
