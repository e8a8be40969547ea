import { type FastifyReply, fastify } from 'fastify';
import { type Listening, listening } from '../listening.ts';
import type { Result, Store } from '../store.ts';

const send = (reply: FastifyReply, { status, body }: Result): FastifyReply =>
  reply.code(status).type('application/json').send(body);

/** The animal store on Fastify, with the defaults of Fastify for everything that the document does not mention. */
const createApp = (store: Store) => {
  const app = fastify();
  app.addHook('onRequest', async (request, reply) => {
    const { headers, refusal } = store.admit(request.headers.authorization);
    reply.headers(headers);
    if (refusal !== null) return send(reply, refusal);
  });
  // The text, because the JSON parser of Fastify would round integers above 2^53.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  app.get<{ Querystring: Record<string, unknown> }>('/v1/pets', (request, reply) =>
    send(reply, store.listPets(request.query)),
  );
  app.post('/v1/pets', (request, reply) => send(reply, store.createPet(String(request.body ?? ''))));
  app.get<{ Params: { petId: string } }>('/v1/pets/:petId', (request, reply) =>
    send(reply, store.getPet(request.params.petId)),
  );
  app.get('/v1/store/orders', (_request, reply) => send(reply, store.listOrders()));
  return app;
};

/** Listens on this port of this machine; 0 picks a free one. */
export const serve = async (store: Store, port: number): Promise<Listening> => {
  const app = createApp(store);
  await app.listen({ host: '127.0.0.1', port });
  return listening(app.server);
};
