import { anyCase, type Check, core, smoke } from '../../src/check/check.ts';
import { listOrders } from '../../src/check/requests.ts';
import { observeResponse } from './support/observed.ts';

/** Statuses of an operation that does not exist. */
const absent: readonly number[] = [404, 405, 501];

/** Each case is an Accept header: the operation has no parameters. */
const ordersExist: Check<string> = {
  id: 'orders-1-exists',
  title: 'GET /store/orders exists',
  requirement: 'ORDERS-1',
  covers: ['ORDERS-2'],
  phase: 'main',
  inputs: () => [smoke('application/json'), core('*/*')],
  run: async (accept, context) => {
    const reading = await context.send(listOrders({ accept }));
    if (reading.status === 429)
      return context.inconclusive('ORDERS-1', { code: 'rate-limit', detail: 'refused-repeatedly' });
    if (absent.includes(reading.status) || reading.status >= 500) {
      context.breach({
        requirement: 'ORDERS-1',
        problem: { rule: 'operation-missing', wrongStatus: reading.status },
        exchange: reading.exchange,
      });
    } else context.passed('ORDERS-1');
    observeResponse(context, reading, 'ORDERS-2', 'status');
    if (reading.status < 500) context.observe('ORDERS-2', 'body', shapeOf(reading.body));
  },
};

const shapeOf = (body: { readonly kind: string; readonly value?: unknown }): string => {
  if (body.kind !== 'json') return body.kind;
  if (Array.isArray(body.value)) return 'an array';
  return body.value === null ? 'null' : typeof body.value;
};

export const orders: readonly Check<unknown>[] = [anyCase(ordersExist)];
