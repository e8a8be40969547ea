import { describe, expect, test } from 'vitest';
import { serve as express } from '../../examples/express/server.ts';
import { serve as fastify } from '../../examples/fastify/server.ts';
import { inSqlite } from '../../examples/fastify/sqlite.ts';
import { serve as hono } from '../../examples/hono/server.ts';
import { createStore, inMemory, type Shelf } from '../../examples/store.ts';
import { at, key, run } from '../support/command.ts';
import { alarms } from '../support/run-in-words.ts';

const spare = 'spare-key-of-the-frameworks-5tGh';

/** The spare key is an Enterprise key with windows that are short enough to wait for. */
const keys = {
  [key]: { requests: 1_000, seconds: 60 },
  [spare]: { requests: 60, seconds: 3 },
};

const judged = async (serve: typeof express, shelf: () => Shelf, words: readonly string[]) => {
  const server = await serve(createStore(keys, shelf()), 0);
  try {
    const { code, report } = await run([...at(server), ...words]);
    return { code, verdict: report?.verdict, alarms: report && alarms(report) };
  } finally {
    await server.close();
  }
};

const conformant = { code: 0, verdict: 'conformant', alarms: [] };

describe.each([
  ['Express', express, inMemory],
  ['Fastify with SQLite', fastify, inSqlite],
  ['Hono', hono, inMemory],
])('the animal store on %s with the defaults of the framework', (_, serve, shelf) => {
  test('with one key -> conformant', async () => {
    expect(await judged(serve, shelf, ['--seed', '1'])).toEqual(conformant);
  });

  test('with a rate limit key -> conformant', async () => {
    const words = ['--seed', '4', '--rate-limit-key', spare, '--rate-limit-plan', 'enterprise'];
    expect(await judged(serve, shelf, words)).toEqual(conformant);
  });
});
