import { randomUUID } from 'node:crypto';
import swagger from '@fastify/swagger';
import { fastify } from 'fastify';
import { listening } from '../../examples/listening.ts';
import type { BenchApi, Members } from './fault.ts';
import { faults } from './library-faults.ts';

const key = 'library-key-5f0c1b7a9d';

type Has = (fault: string) => boolean;

const id = { type: 'string', format: 'uuid' };
const genres = ['novel', 'poetry', 'science', 'history'];

const newBook = (has: Has) => ({
  type: 'object',
  required: has('title-optional') ? ['pages', 'genre'] : ['title', 'pages', 'genre'],
  properties: {
    title: {
      type: 'string',
      minLength: has('empty-title-accepted') ? 0 : 1,
      maxLength: has('title-limit-100') ? 100 : has('long-title-accepted') ? 1000 : 120,
    },
    pages: {
      type: 'integer',
      minimum: has('zero-pages-accepted') ? 0 : 1,
      maximum: has('pages-limit-exclusive') ? 4999 : 5000,
    },
    genre: has('any-genre-accepted')
      ? { type: 'string' }
      : { type: 'string', enum: has('history-refused') ? genres.slice(0, 3) : genres },
    publishedOn: has('any-day-accepted')
      ? { type: ['string', 'null'] }
      : { type: has('null-day-refused') ? 'string' : ['string', 'null'], format: 'date' },
    tags: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 20 },
      maxItems: has('four-tags-at-most') ? 4 : has('many-tags-accepted') ? 500 : 5,
      uniqueItems: true,
    },
    price: { type: 'number', minimum: has('negative-price-accepted') ? -1000 : 0, maximum: 1000 },
  },
});

const book = {
  type: 'object',
  required: ['id', 'title', 'pages', 'genre', 'publishedOn', 'tags', 'createdAt'],
  properties: {
    id,
    title: { type: 'string' },
    pages: { type: 'integer', minimum: 1 },
    genre: { type: 'string', enum: genres },
    publishedOn: { type: ['string', 'null'], format: 'date' },
    tags: { type: 'array', items: { type: 'string' } },
    price: { type: 'number' },
    createdAt: { type: 'string', format: 'date-time' },
  },
};

const newReview = (has: Has) => ({
  type: 'object',
  required: ['stars', 'reviewer'],
  properties: {
    stars: { type: 'integer', minimum: 1, maximum: has('six-stars-accepted') ? 6 : 5 },
    text: { type: 'string', maxLength: 500 },
    reviewer: has('any-reviewer-accepted')
      ? { type: 'string' }
      : has('plus-refused')
        ? { type: 'string', pattern: '^[a-zA-Z0-9.]+@[a-zA-Z0-9.-]+$' }
        : { type: 'string', format: 'email' },
  },
});

const review = {
  type: 'object',
  required: ['id', 'stars', 'reviewer'],
  properties: {
    id: { type: 'integer' },
    stars: { type: 'integer', minimum: 1, maximum: 5 },
    text: { type: 'string' },
    reviewer: { type: 'string' },
  },
};

const error = {
  type: 'object',
  required: ['message', 'statusCode'],
  properties: { message: { type: 'string' }, statusCode: { type: 'integer' } },
};
const errors = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, { description: 'An error.', ...error }]));

const page = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    offset: { type: 'integer', minimum: 0, default: 0 },
    genre: { type: 'string', enum: genres },
  },
};
const ofBook = { type: 'object', properties: { bookId: id }, required: ['bookId'] };

interface Stored extends Members {
  readonly id: string;
}

const createApp = async (names: ReadonlySet<string>) => {
  const has: Has = (fault) => names.has(fault);
  const app = fastify();
  // Responses are sent as the handlers make them.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Library', version: '1.0.0' },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
  });
  app.addHook('onRequest', async (request, reply) => {
    const { authorization = '' } = request.headers;
    const isOpen =
      (has('delete-without-key') && request.method === 'DELETE') ||
      (has('empty-key-accepted') && /^bearer ?$/i.test(authorization)) ||
      (has('key-prefix-accepted') && authorization.startsWith(`Bearer ${key.slice(0, 12)}`)) ||
      (has('any-case-key') && authorization.toLowerCase() === `bearer ${key}`);
    if (authorization !== `Bearer ${key}` && !isOpen)
      return reply
        .code(has('forbidden-without-key') ? 403 : 401)
        .header('WWW-Authenticate', 'Bearer')
        .send(has('bare-401') ? { error: 'no key' } : { message: 'No valid key.', statusCode: 401 });
  });
  app.setErrorHandler<Error & { statusCode?: number; validation?: unknown }>((problem, _request, reply) => {
    const status = problem.statusCode ?? 500;
    const sent =
      has('status-422-for-invalid') && status === 400
        ? 422
        : has('invalid-is-500') && problem.validation !== undefined
          ? 500
          : status;
    return reply
      .code(sent)
      .send(
        has('error-code-as-text')
          ? { message: problem.message, statusCode: `${status}` }
          : { message: problem.message, statusCode: status },
      );
  });
  const books = new Map<string, Stored>();
  const reviews = new Map<string, Members[]>();
  const notFound = { message: 'No such book.', statusCode: 404 };
  const shown = (stored: Stored): Members => ({
    ...stored,
    ...(has('pages-as-text') ? { pages: `${stored.pages}` } : {}),
    ...(has('null-tags') && (stored.tags as unknown[]).length === 0 ? { tags: null } : {}),
    ...(has('date-with-space') ? { createdAt: `${stored.createdAt}`.replace('T', ' ') } : {}),
  });
  const withDefaults = (sent: Members): Members => ({ publishedOn: null, tags: [], ...sent });

  app.get<{ Querystring: { limit: number; offset: number; genre?: string } }>(
    '/books',
    {
      schema: {
        operationId: 'listBooks',
        querystring: {
          ...page,
          properties: {
            ...page.properties,
            ...(has('limit-100-refused') ? { limit: { ...page.properties.limit, maximum: 99 } } : {}),
            ...(has('any-limit-accepted') ? { limit: { type: 'integer', default: 20 } } : {}),
            ...(has('poetry-filter-refused') ? { genre: { enum: ['novel', 'science', 'history'] } } : {}),
          },
        },
        response: {
          200: {
            description: 'A page.',
            type: 'object',
            required: ['items', 'total'],
            properties: { items: { type: 'array', items: book }, total: { type: 'integer', minimum: 0 } },
          },
          ...errors(400, 401),
        },
      },
    },
    async ({ query: { limit, offset, genre } }, reply) => {
      const matching = [...books.values()].filter(
        (each) => genre === undefined || has('genre-ignored') || each.genre === genre,
      );
      const from = has('offset-ignored') ? 0 : offset;
      const items = matching.slice(from, has('limit-ignored') ? undefined : from + limit).map(shown);
      if (has('empty-filter-fails') && genre !== undefined && items.length === 0) throw new Error('no rows');
      const all = has('newest-missing')
        ? items.slice(0, -1)
        : has('first-listed-twice') && items[0]
          ? [items[0], ...items]
          : items;
      return reply.send(has('no-total') ? { items: all } : { items: all, total: matching.length });
    },
  );
  app.post<{ Body: Members }>(
    '/books',
    {
      schema: {
        operationId: 'addBook',
        body: newBook(has),
        response: {
          201: {
            description: 'Added.',
            headers: { Location: { type: 'string' } },
            ...book,
          },
          ...errors(400, 401),
        },
      },
    },
    async ({ body }, reply) => {
      if (has('quote-in-title-fails') && `${body.title}`.includes("'")) throw new Error('syntax error');
      const stored: Stored = { id: randomUUID(), ...withDefaults(body), createdAt: new Date().toISOString() };
      if (!has('not-stored')) books.set(stored.id, has('price-lost') ? { ...stored, price: 0 } : stored);
      return reply
        .code(has('created-is-200') ? 200 : 201)
        .header('Location', has('wrong-location') ? `/books/${randomUUID()}` : `/books/${stored.id}`)
        .send(shown(stored));
    },
  );
  app.get<{ Params: { bookId: string } }>(
    '/books/:bookId',
    {
      schema: {
        operationId: 'getBook',
        params: ofBook,
        response: { 200: { description: 'The book.', ...book }, ...errors(400, 401, 404) },
      },
    },
    async ({ params: { bookId } }, reply) => {
      const stored = books.get(bookId);
      if (stored === undefined && has('missing-is-500')) throw new Error('null');
      return stored === undefined ? reply.code(404).send(notFound) : reply.send(shown(stored));
    },
  );
  app.put<{ Params: { bookId: string }; Body: Members }>(
    '/books/:bookId',
    {
      schema: {
        operationId: 'replaceBook',
        params: ofBook,
        body: newBook((fault) => has(fault) && fault !== 'title-limit-100'),
        response: { 200: { description: 'Replaced.', ...book }, ...errors(400, 401, 404) },
      },
    },
    async ({ params: { bookId }, body }, reply) => {
      const stored = books.get(bookId);
      if (stored === undefined) return reply.code(404).send(notFound);
      const next: Stored = { id: bookId, ...withDefaults(body), createdAt: stored.createdAt };
      if (!has('replace-not-stored')) books.set(bookId, next);
      return reply.send(shown(next));
    },
  );
  app.delete<{ Params: { bookId: string } }>(
    '/books/:bookId',
    {
      schema: {
        operationId: 'removeBook',
        params: ofBook,
        response: { 204: { description: 'Removed.', type: 'null' }, ...errors(400, 401, 404) },
      },
    },
    async ({ params: { bookId } }, reply) => {
      if (!books.has(bookId)) {
        if (has('second-delete-fails')) throw new Error('nothing to delete');
        return reply.code(404).send(notFound);
      }
      if (!has('delete-does-nothing')) books.delete(bookId);
      return has('delete-returns-200') ? reply.send({}) : reply.code(204).send();
    },
  );
  app.get<{ Params: { bookId: string } }>(
    '/books/:bookId/reviews',
    {
      schema: {
        operationId: 'listReviews',
        params: ofBook,
        response: { 200: { description: 'All.', type: 'array', items: review }, ...errors(400, 401, 404) },
      },
    },
    async ({ params: { bookId } }, reply) => {
      if (!books.has(bookId)) return reply.code(404).send(notFound);
      const all = has('reviews-of-all-books') ? [...reviews.values()].flat() : (reviews.get(bookId) ?? []);
      if (all.length === 0 && has('no-reviews-is-null')) return reply.type('application/json').send('null');
      return reply.send(all);
    },
  );
  app.post<{ Params: { bookId: string }; Body: Members }>(
    '/books/:bookId/reviews',
    {
      schema: {
        operationId: 'addReview',
        params: ofBook,
        body: newReview(has),
        response: { 201: { description: 'Added.', ...review }, ...errors(400, 401, 404) },
      },
    },
    async ({ params: { bookId }, body }, reply) => {
      if (!books.has(bookId) && !has('review-of-no-book')) return reply.code(404).send(notFound);
      const all = reviews.get(bookId) ?? [];
      const added = { id: has('review-ids-repeat') ? 1 : [...reviews.values()].flat().length + 1, ...body };
      reviews.set(bookId, [...all, added]);
      return reply
        .code(201)
        .send(has('review-text-cut') && typeof body.text === 'string' ? { ...added, stars: 0 } : added);
    },
  );
  app.get(
    '/stats',
    {
      schema: {
        operationId: 'stats',
        response: {
          200: {
            description: 'Figures.',
            type: 'object',
            required: ['books', 'byGenre'],
            properties: {
              books: { type: 'integer' },
              byGenre: { type: 'object', additionalProperties: { type: 'integer' } },
            },
          },
          ...errors(401),
        },
      },
    },
    async () => ({
      books: has('average-count') ? books.size + 0.5 : books.size,
      byGenre: Object.fromEntries(
        genres.map((genre) => [genre, [...books.values()].filter((each) => each.genre === genre).length]),
      ),
    }),
  );
  await app.ready();
  return app;
};

/** Books and reviews, with a bearer token. The document is generated by @fastify/swagger. */
export const library: BenchApi = {
  name: 'library',
  framework: 'Fastify',
  key,
  authenticate: (sent) => ({ header: ['Authorization', `Bearer ${sent}`] }),
  document: async () => {
    const app = await createApp(new Set());
    return { ...app.swagger() };
  },
  faults,
  serve: async (names) => {
    const app = await createApp(names);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { baseUrl, close } = await listening(app.server);
    return { baseUrl: baseUrl.replace('/v1', ''), close };
  },
};
