const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const failure = { description: 'Refused.', ...json(ref('Failure')) };
const part = {
  description: 'The part.',
  headers: { ETag: { schema: { type: 'string' } } },
  ...json(ref('Part')),
};
const query = (name: string, schema: object) => ({ name, in: 'query', schema });
const ifMatch = { name: 'If-Match', in: 'header', schema: { type: 'string' } };
const sent = { required: true, ...json(ref('NewPart')) };
const members = {
  name: { type: 'string', minLength: 1, maxLength: 80 },
  price: { type: 'number', minimum: 0, maximum: 10_000 },
  stock: { type: 'integer', minimum: 0, maximum: 1_000_000 },
  state: { type: 'string', enum: ['new', 'used', 'broken'], default: 'new' },
};

/** Written by hand, OpenAPI 3.0. The path of a part has nothing to do with the path that creates it: only a link says so. */
export const document = {
  openapi: '3.0.3',
  info: { title: 'Spare parts', version: '3.1.0' },
  security: [{ key: [] }],
  paths: {
    '/deliveries': {
      post: {
        operationId: 'deliver',
        tags: ['parts'],
        requestBody: sent,
        responses: {
          201: {
            ...part,
            links: { part: { operationId: 'getPart', parameters: { code: '$response.body#/number' } } },
          },
          400: failure,
          401: failure,
        },
      },
    },
    '/parts': {
      get: {
        operationId: 'listParts',
        tags: ['parts'],
        parameters: [
          query('limit', { type: 'integer', minimum: 1, maximum: 100, default: 5 }),
          query('offset', { type: 'integer', minimum: 0, default: 0 }),
          query('sort', { type: 'string', enum: ['price', '-price', 'name'] }),
          query('minPrice', { type: 'number', minimum: 0 }),
        ],
        responses: {
          200: {
            description: 'Some parts.',
            ...json({
              type: 'object',
              required: ['items', 'total'],
              properties: {
                items: { type: 'array', items: ref('Part') },
                total: { type: 'integer', minimum: 0 },
              },
            }),
          },
          400: failure,
          401: failure,
        },
      },
    },
    '/parts/{code}': {
      parameters: [{ name: 'code', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getPart', tags: ['parts'], responses: { 200: part, 401: failure, 404: failure } },
      patch: {
        operationId: 'changePart',
        tags: ['parts'],
        parameters: [ifMatch],
        requestBody: { required: true, ...json({ type: 'object', minProperties: 1, properties: members }) },
        responses: { 200: part, 400: failure, 401: failure, 404: failure, 412: failure },
      },
      delete: {
        operationId: 'dropPart',
        tags: ['parts'],
        responses: { 204: { description: 'Gone.' }, 401: failure, 404: failure },
      },
    },
    '/search': {
      post: {
        operationId: 'search',
        requestBody: {
          required: true,
          ...json({
            type: 'object',
            required: ['text'],
            properties: { text: { type: 'string', minLength: 1, maxLength: 40 } },
          }),
        },
        responses: {
          200: { description: 'Matches.', ...json({ type: 'array', items: ref('Part') }) },
          400: failure,
          401: failure,
        },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Parts-Key' } },
    schemas: {
      NewPart: { type: 'object', required: ['name', 'price', 'stock'], properties: members },
      Part: {
        type: 'object',
        required: ['number', 'name', 'price', 'stock', 'state'],
        properties: { number: { type: 'string' }, ...members },
      },
      Failure: { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } },
    },
  },
};
