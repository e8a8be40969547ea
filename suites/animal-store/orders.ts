import { type Check, core, defineCheck, listOrders, smoke } from '../../src/check/index.ts';
import { observeResponse } from './support/observed.ts';

/** Statuses of an operation that does not exist. */
const absent: readonly number[] = [404, 405, 501];

/** Each case is an Accept header: the operation has no parameters. */
const ordersExist = defineCheck<string>({
  id: 'orders-1-exists',
  title: 'GET /store/orders exists',
  requirement: 'ORDERS-1',
  covers: ['ORDERS-2'],
  inputs: () => [smoke('application/json'), core('*/*')],
  run: async (accept, context) => {
    const response = await context.send(listOrders({ accept }));
    if (response.status === 429)
      return context.inconclusive({ code: 'rate-limit', detail: 'refused-repeatedly' });
    if (absent.includes(response.status) || response.status >= 500) {
      context.breach({ problem: { rule: 'operation-missing', wrongStatus: response.status }, response });
    } else context.passed();
    observeResponse(context, response, 'ORDERS-2', 'status');
    if (response.status < 500) context.observe('body', shapeOf(response.body), 'ORDERS-2');
  },
});

const shapeOf = (body: { readonly kind: string; readonly value?: unknown }): string => {
  if (body.kind !== 'json') return body.kind;
  if (Array.isArray(body.value)) return 'an array';
  return body.value === null ? 'null' : typeof body.value;
};

export const orders: readonly Check[] = [ordersExist];
