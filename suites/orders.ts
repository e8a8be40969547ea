import { anyCase, type Check } from '../src/run/check.ts';
import { listOrders } from '../src/run/probes.ts';
import { observeAnswer } from './support/observed.ts';

/** What is said of an operation that is not there, by the status. */
const absent: Readonly<Record<number, string>> = {
  404: 'does not exist',
  405: 'takes no GET',
  501: 'is not implemented',
};

/** Which media types are asked for: the operation has nothing else that could differ. */
const ordersExist: Check<string> = {
  name: 'ORDERS-1 the store orders operation exists',
  gives: ['ORDERS-1', 'ORDERS-2'],
  phase: 'main',
  examples: () => ['application/json', '*/*'],
  attempt: async (accept, context) => {
    const reading = await context.send(listOrders({ accept }));
    if (reading.status === 429)
      return context.undecided('ORDERS-1', 'it was answered with 429 again and again');
    if (reading.status in absent || reading.status >= 500) {
      context.breach({
        requirement: 'ORDERS-1',
        rule: 'absent',
        message: `GET /store/orders ${absent[reading.status] ?? 'does not work'}: with a valid key it is answered with ${reading.status}.`,
        expected: 'an answer other than 404, 405, 501 and the other server failures',
        actual: `status ${reading.status}`,
        exchange: reading.exchange,
      });
    } else context.met('ORDERS-1');
    observeAnswer(context, reading, 'ORDERS-2', 'status');
    if (reading.status < 500) context.observe('ORDERS-2', 'body', shapeOf(reading.body));
  },
};

const shapeOf = (body: { readonly kind: string; readonly value?: unknown }): string => {
  if (body.kind !== 'json') return body.kind;
  if (Array.isArray(body.value)) return 'an array';
  return body.value === null ? 'null' : typeof body.value;
};

export const orders: readonly Check<unknown>[] = [anyCase(ordersExist)];
