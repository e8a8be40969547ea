import { counter, handle, withState } from '../patch-kit/core.ts';
import { failOn } from '../patch-kit/failures.ts';
import { errorReply, refuseAs } from '../patch-kit/responses.ts';
import { textReply, withHeaders } from '../reply.ts';
import { family } from './family.ts';

const missingOrders = family('ORDERS-1', {
  'orders-not-found': [
    'GET /store/orders does not exist: 404.',
    handle('listOrders', refuseAs('unknown-resource')),
  ],
  'orders-only-by-post': [
    'GET /store/orders gets 405: the path accepts only POST.',
    handle('listOrders', (call) =>
      withHeaders(call.parts.fail('method-not-allowed', call), { allow: 'POST' }),
    ),
  ],
  'orders-not-implemented': [
    'GET /store/orders is a stub: 501.',
    handle('listOrders', errorReply(501, 'not_implemented', 'Coming soon')),
    { companions: ['GEN-4'] },
  ],
  'orders-page-not-found': [
    "GET /store/orders gets the framework's 404 page.",
    handle('listOrders', () => textReply(404, 'text/html', '<h1>Not Found</h1>')),
    { companions: ['GEN-2', 'ERR-1'] },
  ],
  'orders-crash': [
    'GET /store/orders reads a table that does not exist: 500.',
    failOn('listOrders', () => true),
    { companions: ['GEN-4'] },
  ],
  'orders-served-once': [
    'GET /store/orders does not release its database connection: 503 from the second request on.',
    withState(() => {
      const requests = counter();
      return failOn('listOrders', () => requests() > 1, 'unavailable');
    }),
    { companions: ['GEN-4'] },
  ],
});

/** Mistakes in GET /store/orders: the document says only that it exists. */
export const ordersFaults = [...missingOrders];
