// A server whose resources refer to others, by ids in a list, and by ids whose names do not tell of what.
import { expect, test } from 'vitest';
import { runOnApi } from '../support/api-run.ts';
import { isObject, json, type Members, objectIn, objectOf, status } from '../support/small-apis.ts';

/** What a conforming server may do. */
type Choice = 'each product once';
type Mistake = 'takes any quantity' | 'refuses the largest quantity' | 'takes no lines';

const name = { type: 'string', minLength: 1, maxLength: 60 };
const number = { type: 'integer', minimum: 1 };
const line = objectOf({ productId: number, quantity: { ...number, maximum: 99 } }, 'productId', 'quantity');
const order = objectOf(
  { lines: { type: 'array', items: line, minItems: 1, maxItems: 9 }, buyerId: number, giftProductId: number },
  'lines',
  'buyerId',
);
const shown = ({ properties }: { readonly properties: object }) =>
  json(objectOf({ ...properties, id: number }, 'id'));
const creation = (schema: ReturnType<typeof objectOf>) => ({
  post: {
    requestBody: { required: true, ...json(schema) },
    responses: { 201: shown(schema), 422: { description: 'Invalid.' } },
  },
});
const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/products': creation(objectOf({ name }, 'name')),
    '/customers': creation(objectOf({ name }, 'name')),
    '/customers/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: number }],
        responses: { 200: shown(objectOf({ name })), 404: { description: 'None.' } },
      },
    },
    '/orders': creation(order),
  },
};

const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
const isName = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && [...value].length <= 60;

/** No id is one that a client makes up. */
const firstId = 4_001;

const ordersServer = (trait: Choice | Mistake | null) => {
  const names: Readonly<Record<'products' | 'customers' | 'orders', unknown[]>> = {
    ...{ products: [], customers: [], orders: [] },
  };
  const isKnown = (kind: keyof typeof names, id: unknown): boolean =>
    Number.isInteger(id) && names[kind][Number(id) - firstId] !== undefined;
  const isLine = (value: unknown): boolean => {
    if (!isObject(value) || !isKnown('products', value.productId)) return false;
    const most = trait === 'refuses the largest quantity' ? 98 : 99;
    const { quantity } = value;
    return isWhole(quantity, most) || (trait === 'takes any quantity' && Number.isInteger(quantity));
  };
  const areLines = (lines: readonly unknown[]): boolean => {
    if (trait === 'each product once' && lines.length > 1) return false;
    return (lines.length > 0 || trait === 'takes no lines') && lines.length <= 9 && lines.every(isLine);
  };
  const isOrder = ({ lines, buyerId, giftProductId }: Members): boolean =>
    Array.isArray(lines) &&
    areLines(lines) &&
    isKnown('customers', buyerId) &&
    (giftProductId === undefined || isKnown('products', giftProductId));
  return async (request: Request): Promise<Response> => {
    const [, kind, id, ...others] = new URL(request.url).pathname.split('/');
    if (others.length > 0 || (kind !== 'products' && kind !== 'customers' && kind !== 'orders'))
      return status(404);
    if (kind === 'customers' && id !== undefined && request.method === 'GET') {
      const found = isKnown(kind, /^\d+$/.test(id) ? Number(id) : null);
      return found
        ? Response.json({ id: Number(id), name: names.customers[Number(id) - firstId] })
        : status(404);
    }
    if (request.method !== 'POST' || id !== undefined) return status(405);
    const sent = objectIn(await request.text()) ?? {};
    if (!(kind === 'orders' ? isOrder(sent) : isName(sent.name))) return status(422);
    const known = names[kind].push(sent.name);
    return Response.json({ ...sent, id: firstId - 1 + known }, { status: 201 });
  };
};

test.concurrent.each([null, 'each product once'] as const)(
  '%s: a conforming server -> no failure',
  async (choice) => {
    const { exitCode, messages } = await runOnApi(document, ordersServer(choice));
    expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
  },
);

test.concurrent.each([
  ['takes any quantity', 'REQ-2', 'lines.0.quantity: less than 1'],
  ['takes no lines', 'REQ-2', 'lines: fewer than 1 items'],
  ['refuses the largest quantity', 'REQ-1', 'lines.0.quantity 99'],
] as const)('%s -> %s fails: %s', async (mistake, requirement, about) => {
  const { alarms, messages } = await runOnApi(document, ordersServer(mistake), { only: [requirement] });
  expect(alarms).toEqual([requirement]);
  expect(messages).toContainEqual(expect.stringContaining(about));
});
