import type { Json } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { handle, replace } from '../patch-kit/core.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { choices } from './choices.ts';

const orders = (respond: (call: Call) => Reply): Patch => handle('listOrders', respond);

const empty = (status: number, headers: Reply['headers'] = {}): Patch =>
  orders(() => ({ status, headers, body: null }));

const shown = (body: Json): Patch => replace('renderOrders', () => () => body);

const error = (status: number, code: string): Reply =>
  jsonReply(status, { code, message: 'The orders cannot be shown', status: BigInt(status) });

const order = { id: 9007199254740993n, petId: 1n, quantity: 1n, shipDate: null, complete: false };

/** Responses of GET /store/orders: the document says only that it exists (ORDERS-2). */
export const storeOrderDialects = choices('orders', {
  'orders-an-object': ['Orders are an empty object.', shown({})],
  'orders-null': ['Orders are null.', shown(null)],
  'orders-some': ['Orders are a non-empty array.', shown([order, order])],
  'orders-paged': [
    'Orders are a page with a total.',
    shown({ data: [order], total: 41n, next: '/v1/store/orders?after=1' }),
  ],
  'orders-without-a-body': ['Orders return 204.', empty(204)],
  'orders-empty-200': ['Orders return 200 without a body.', empty(200)],
  'orders-elsewhere': [
    'Orders return 303 to another address.',
    empty(303, { location: '/v1/store/orders/latest' }),
  ],
  'orders-need-a-parameter': [
    'Orders without an undocumented parameter get 400.',
    orders((call) =>
      call.url.searchParams.has('storeId') ? jsonReply(200, []) : error(400, 'store_id_required'),
    ),
  ],
  'orders-need-payment': ['Orders return 402.', orders(() => error(402, 'payment_required'))],
  'orders-forbidden': ['Orders return 403.', orders(() => error(403, 'forbidden'))],
  'orders-unprocessable': ['Orders return 422.', orders(() => error(422, 'unprocessable'))],
});
