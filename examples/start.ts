import { serve as express } from './express/server.ts';
import { serve as fastify } from './fastify/server.ts';
import { inSqlite } from './fastify/sqlite.ts';
import { serve as hono } from './hono/server.ts';
import { createStore, inMemory } from './store.ts';

/** node examples/start.ts NAME [PORT]: starts an example, with the keys `example-key` and `example-limit-key`. */
const examples = { express, fastify, hono };
const name = process.argv[2] ?? '';
if (name !== 'express' && name !== 'fastify' && name !== 'hono') {
  console.error(`error: expected the name of an example: ${Object.keys(examples).join(', ')}`);
  process.exitCode = 2;
} else {
  const keys = {
    'example-key': { requests: 5_000, seconds: 60 },
    'example-limit-key': { requests: 20, seconds: 3 },
  };
  const store = createStore(keys, name === 'fastify' ? inSqlite() : inMemory());
  console.log((await examples[name](store, Number(process.argv[3] ?? 4011))).baseUrl);
}
