import type { Server } from 'node:http';
import { serve as serveOnNode } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Listening, listening } from '../listening.ts';
import type { Result, Store } from '../store.ts';

const send = (context: Context, { status, body }: Result): Response => {
  context.header('Content-Type', 'application/json');
  return context.body(body, status as ContentfulStatusCode);
};

/** The animal store on Hono, with the defaults of Hono for everything that the document does not mention. */
const createApp = (store: Store): Hono => {
  const app = new Hono().basePath('/v1');
  app.use(async (context, next) => {
    const { headers, refusal } = store.admit(context.req.header('Authorization'));
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return refusal === null ? next() : send(context, refusal);
  });
  app.get('/pets', (context) => send(context, store.listPets(context.req.query())));
  app.post('/pets', async (context) => send(context, store.createPet(await context.req.text())));
  app.get('/pets/:petId', (context) => send(context, store.getPet(context.req.param('petId'))));
  app.get('/store/orders', (context) => send(context, store.listOrders()));
  return app;
};

/** Listens on this port of this machine; 0 picks a free one. */
export const serve = (store: Store, port: number): Promise<Listening> =>
  listening(serveOnNode({ fetch: createApp(store).fetch, hostname: '127.0.0.1', port }) as Server);
