// A server whose resources have a list of parts that refer to other resources.
import { expect, test } from 'vitest';
import { runOnApi } from '../support/api-run.ts';
import { json, objectIn, objectOf } from '../support/small-apis.ts';

/** What a conforming server may do. */
type Choice = 'each product once';
type Mistake = 'takes any quantity' | 'refuses the largest quantity' | 'takes no lines';

const name = { type: 'string', minLength: 1, maxLength: 60 };
const number = { type: 'integer', minimum: 1 };
const line = objectOf({ productId: number, quantity: { ...number, maximum: 99 } }, 'productId', 'quantity');
const order = objectOf({ lines: { type: 'array', items: line, minItems: 1, maxItems: 9 } }, 'lines');
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
  paths: { '/products': creation(objectOf({ name }, 'name')), '/orders': creation(order) },
};

const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;

const ordersServer = (trait: Choice | Mistake | null) => {
  const count = { '/products': 0, '/orders': 0 };
  const isLine = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null || !('productId' in value) || !('quantity' in value))
      return false;
    const { productId, quantity } = value;
    const most = trait === 'refuses the largest quantity' ? 98 : 99;
    return (
      isWhole(productId, count['/products']) &&
      (isWhole(quantity, most) || (trait === 'takes any quantity' && Number.isInteger(quantity)))
    );
  };
  const areLines = (lines: readonly unknown[]): boolean => {
    if (trait === 'each product once' && lines.length > 1) return false;
    return (lines.length > 0 || trait === 'takes no lines') && lines.length <= 9 && lines.every(isLine);
  };
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname !== '/products' && pathname !== '/orders') return new Response(null, { status: 404 });
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const sent = objectIn(await request.text()) ?? {};
    const isProduct = typeof sent.name === 'string' && sent.name !== '' && [...sent.name].length <= 60;
    const isOrder = Array.isArray(sent.lines) && areLines(sent.lines);
    if (!(pathname === '/products' ? isProduct : isOrder)) return new Response(null, { status: 422 });
    count[pathname] += 1;
    return Response.json({ ...sent, id: count[pathname] }, { status: 201 });
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
