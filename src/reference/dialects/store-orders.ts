import type { Json } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Dialect } from '../patch.ts';
import { handle, replace } from '../patches.ts';
import { jsonReply, type Reply } from '../reply.ts';

const orders = (name: string, description: string, answer: (call: Call) => Reply): Dialect => ({
  name,
  choice: 'orders',
  description: `${description}.`,
  patch: handle('listOrders', answer),
});

const shown = (name: string, description: string, body: Json): Dialect => ({
  name,
  choice: 'orders',
  description: `Orders are ${description}.`,
  patch: replace('renderOrders', () => () => body),
});

const error = (status: number, code: string): Reply =>
  jsonReply(status, { code, message: 'The orders cannot be shown', status: BigInt(status) });

const order = { id: 9007199254740993n, petId: 1n, quantity: 1n, shipDate: null, complete: false };

/** What GET /store/orders may answer: only its existence is stated (ORDERS-2). */
export const storeOrderDialects: readonly Dialect[] = [
  shown('orders-an-object', 'an empty object', {}),
  shown('orders-null', 'null', null),
  shown('orders-some', 'an array that is not empty', [order, order]),
  shown('orders-paged', 'a page with a total', {
    data: [order],
    total: 41n,
    next: '/v1/store/orders?after=1',
  }),
  orders('orders-without-a-body', 'Orders are answered with 204', () => ({
    status: 204,
    headers: {},
    body: null,
  })),
  orders('orders-empty-200', 'Orders are answered with 200 and no body', () => ({
    status: 200,
    headers: {},
    body: null,
  })),
  orders('orders-elsewhere', 'Orders are answered with 303 to another address', () => ({
    status: 303,
    headers: { location: '/v1/store/orders/latest' },
    body: null,
  })),
  orders(
    'orders-need-a-parameter',
    'Orders without a parameter that is not shown are refused with 400',
    (call) => (call.url.searchParams.has('storeId') ? jsonReply(200, []) : error(400, 'store_id_required')),
  ),
  orders('orders-need-payment', 'Orders are answered with 402', () => error(402, 'payment_required')),
  orders('orders-forbidden', 'Orders are answered with 403', () => error(403, 'forbidden')),
  orders('orders-unprocessable', 'Orders are answered with 422', () => error(422, 'unprocessable')),
];
