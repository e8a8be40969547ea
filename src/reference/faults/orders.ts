import type { Fault } from '../patch.ts';
import { handle, perServer } from '../patches.ts';
import { jsonReply, textReply } from '../reply.ts';
import { failOn } from './gen-answers.ts';

/** Mistakes in GET /store/orders, of which only the existence is documented. */
export const ordersFaults: readonly Fault[] = [
  {
    name: 'orders-not-found',
    requirement: 'ORDERS-1',
    companions: [],
    description: 'GET /store/orders was never built: 404.',
    patch: handle('listOrders', (call) => call.parts.fail('unknown-resource', call)),
  },
  {
    name: 'orders-only-by-post',
    requirement: 'ORDERS-1',
    companions: [],
    description: 'GET /store/orders answers 405: the path takes POST alone.',
    patch: handle('listOrders', (call) => {
      const reply = call.parts.fail('method-not-allowed', call);
      return { ...reply, headers: { ...reply.headers, allow: 'POST' } };
    }),
  },
  {
    name: 'orders-not-implemented',
    requirement: 'ORDERS-1',
    companions: ['GEN-4'],
    description: 'GET /store/orders is a stub: 501.',
    patch: handle('listOrders', (call) =>
      jsonReply(
        501,
        call.parts.renderError({ status: 501, code: 'not_implemented', message: 'Coming soon' }, call),
      ),
    ),
  },
  {
    name: 'orders-page-not-found',
    requirement: 'ORDERS-1',
    companions: ['GEN-2', 'ERR-1'],
    description: "GET /store/orders answers the framework's own 404 page.",
    patch: handle('listOrders', () => textReply(404, 'text/html', '<h1>Not Found</h1>')),
  },
  {
    name: 'orders-crash',
    requirement: 'ORDERS-1',
    companions: ['GEN-4'],
    description: 'GET /store/orders reads a table that does not exist: 500.',
    patch: failOn('listOrders', () => true),
  },
  {
    name: 'orders-served-once',
    requirement: 'ORDERS-1',
    companions: ['GEN-4'],
    description: 'GET /store/orders does not give back its database connection: 503 from the second time on.',
    patch: perServer(() => {
      let served = 0;
      return failOn(
        'listOrders',
        () => {
          served += 1;
          return served > 1;
        },
        'Service Unavailable',
      );
    }),
  },
];
