/** Servers that conform, and do what their document leaves open in a way of their own. */

import { office, officeDocument, uploadDocument, uploads } from './own-rules.ts';
import { ownWays } from './own-ways.ts';
import { type Choice, type Fetch, type Item, json, objectIn, things } from './things-server.ts';

const texts = (change: (text: string) => string) => (sent: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]),
  );

const numberIn = (query: URLSearchParams, name: string, usualValue: number): number =>
  Number(query.get(name) ?? usualValue) || usualValue;

/** Things from `start` on, no more than the query and the server permit. */
const pageOf = (items: readonly Item[], query: URLSearchParams, cap: number) => {
  const size = Math.min(cap, numberIn(query, 'limit', cap));
  const start = query.has('page') ? (numberIn(query, 'page', 1) - 1) * size : numberIn(query, 'offset', 0);
  return { size, start, shown: items.slice(start, start + size) };
};

const limit = { type: 'integer', minimum: 1 };
const text = { type: 'string', minLength: 1, maxLength: 40 };
const rank = ['small', 'medium', 'large', 'huge'];

/** A connection has cursors of both ends, and a page may have fewer things than were asked for. */
const connection = (items: readonly Item[], query: URLSearchParams) => {
  const visible = (item: Item) => item.id % 3 !== 1 || item.id > 9;
  const start = items.findIndex(({ id }) => `c${id}` === query.get('after')) + 1;
  const page = items.slice(start, start + Math.min(30, numberIn(query, 'limit', 30)));
  const isLast = start + page.length >= items.length;
  return {
    pageInfo: {
      startCursor: page.length > 0 ? `c${page[0]?.id}` : null,
      endCursor: page.length > 0 && !isLast ? `c${page.at(-1)?.id}` : null,
    },
    things: page.filter(visible),
  };
};

const masked = ({ email, address, labels, ...item }: Item) => ({
  ...item,
  email: `${`${email}`.slice(0, 1)}***@example.com`,
  address: { town: (address as { town?: unknown } | undefined)?.town ?? null },
  labels: [],
});

const order = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['note'],
                properties: { note: text, amount: { type: 'integer', minimum: 1, maximum: 9 } },
              },
            },
          },
        },
        responses: {
          201: {
            description: 'Ordered.',
            content: {
              'application/json': { schema: { type: 'object', properties: { id: {}, customerId: {} } } },
            },
            links: {
              customer: {
                operationId: 'getCustomer',
                parameters: { customerId: '$response.body#/customerId' },
              },
            },
          },
        },
      },
    },
    '/customers/{customerId}': {
      get: {
        operationId: 'getCustomer',
        parameters: [
          { name: 'customerId', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
        ],
        responses: {
          200: { description: 'Found.', content: { 'application/json': { schema: { type: 'object' } } } },
          404: { description: 'Missing.' },
        },
      },
    },
  },
};

const orders = (): Fetch => {
  let last = 0;
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET')
      return pathname.endsWith('/customers/7')
        ? json(200, { id: 7, name: 'The customer', note: 'Pays late' })
        : new Response(null, { status: 404 });
    const sent = await objectIn(request);
    if (sent === null) return new Response(null, { status: 400 });
    last += 1;
    return json(201, { ...sent, id: last, customerId: 7 });
  };
};

export const choices: readonly Choice[] = [
  {
    name: 'escapes HTML',
    members: { text },
    serve: things({
      store: texts((value) =>
        value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
      ),
    }),
  },
  {
    name: 'decomposes letters',
    members: { text },
    serve: things({ store: texts((value) => value.normalize('NFD')) }),
  },
  {
    name: 'sets the state of a new resource itself',
    members: {
      state: { type: 'string', enum: ['draft', 'published', 'archived'] },
      active: { type: 'boolean' },
    },
    serve: things({ store: (sent) => ({ ...sent, state: 'draft', active: true }) }),
  },
  {
    name: 'stores numbers with single precision',
    members: { weight: { type: 'number', minimum: 0, maximum: 123456.789 } },
    serve: things({
      store: (sent) => ({
        ...sent,
        ...(typeof sent.weight === 'number' ? { weight: Math.fround(sent.weight) } : {}),
      }),
    }),
  },
  {
    name: 'caps the page size',
    query: { limit, page: { type: 'integer', minimum: 1 } },
    serve: things({
      list: (items, query) => ({ total: items.length, things: pageOf(items, query, 12).shown }),
    }),
  },
  {
    name: 'has pages of 7',
    query: { page: { type: 'integer', minimum: 1 } },
    serve: things({
      list: (items, query) => {
        const { start, size, shown } = pageOf(items, query, 7);
        return { next: start + size < items.length ? '/things?page=next' : null, things: shown };
      },
    }),
  },
  {
    name: 'lists the first 12 and counts all',
    serve: things({ list: (items) => ({ total: items.length, things: items.slice(-12) }) }),
  },
  {
    name: 'lists summaries, with the sum of their prices',
    members: {
      email: { type: 'string', format: 'email' },
      address: { type: 'object', required: ['street', 'town'], properties: { street: text, town: text } },
      labels: { type: 'array', maxItems: 5, items: text },
      price: { type: 'integer', minimum: 2, maximum: 500 },
    },
    required: ['email', 'address', 'labels', 'price'],
    serve: things({
      list: (items) => ({
        total: items.reduce((sum, { price }) => sum + (typeof price === 'number' ? price : 0), 0),
        things: items.map(masked),
      }),
    }),
  },
  {
    name: 'keeps responses for a second',
    members: { kind: { type: 'string', enum: ['one', 'two'] } },
    query: {
      limit: { ...limit, default: 500, maximum: 1000 },
      offset: { type: 'integer', minimum: 0 },
      kind: {},
    },
    serve: things({
      cacheMs: 990,
      tags: true,
      list: (items, query) =>
        pageOf(
          items.filter(({ kind }) => !query.has('kind') || kind === query.get('kind')),
          query,
          500,
        ).shown,
    }),
  },
  {
    name: 'has cursors of both ends',
    query: { limit, after: { type: 'string' } },
    serve: things({ list: connection }),
  },
  {
    name: 'sorts listed texts by rank',
    members: { size: { type: 'string', enum: rank } },
    required: ['size'],
    query: { sort: { type: 'string', enum: ['size', '-size'] } },
    serve: things({
      list: (items, query) => {
        const sign = query.get('sort') === '-size' ? -1 : 1;
        return items.toSorted((a, b) => sign * (rank.indexOf(`${a.size}`) - rank.indexOf(`${b.size}`)));
      },
    }),
  },
  { name: 'returns 409 for what was deleted', serve: things({ gone: () => 409 }) },
  {
    name: 'uses the id after the highest one',
    serve: things({ nextId: (items) => Math.max(0, ...items.map(({ id }) => id)) + 1 }),
  },
  {
    name: 'confirms updates in words',
    hasNoRead: true,
    serve: things({ update: () => ({ message: 'Updated' }) }),
  },
  { name: 'links a creation to another resource', document: order, serve: orders },
  { name: 'has rules of its business', document: officeDocument, serve: office },
  { name: 'shows the size of an uploaded file', document: uploadDocument, serve: uploads },
  ...ownWays,
];
