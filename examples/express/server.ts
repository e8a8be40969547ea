import express, { type ErrorRequestHandler, type Express, type Response } from 'express';
import { type Listening, listening } from '../listening.ts';
import type { Result, Store } from '../store.ts';

const send = (response: Response, { status, body }: Result): void => {
  response.status(status).type('application/json').send(body);
};

/** Express refuses malformed paths and bodies itself, with HTML: the document wants an Error with every 400. */
const sendError =
  (store: Store): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const { status = 500 } = error as { readonly status?: number };
    send(response, store.refuse(status));
  };

/** The animal store on Express, with the defaults of Express for everything that the document does not mention. */
const createApp = (store: Store): Express => {
  const app = express();
  const v1 = express.Router();
  v1.use((request, response, next) => {
    const { headers, refusal } = store.admit(request.get('Authorization'));
    response.set(headers);
    if (refusal === null) next();
    else send(response, refusal);
  });
  v1.get('/pets', (request, response) => send(response, store.listPets(request.query)));
  // The text, because express.json would round integers above 2^53.
  v1.post('/pets', express.text({ type: 'application/json' }), (request, response) =>
    send(response, store.createPet(typeof request.body === 'string' ? request.body : '')),
  );
  v1.get('/pets/:petId', (request, response) => send(response, store.getPet(request.params.petId)));
  v1.get('/store/orders', (_request, response) => send(response, store.listOrders()));
  v1.use(sendError(store));
  app.use('/v1', v1);
  return app;
};

/** Listens on this port of this machine; 0 picks a free one. */
export const serve = (store: Store, port: number): Promise<Listening> =>
  listening(createApp(store).listen(port, '127.0.0.1'));
