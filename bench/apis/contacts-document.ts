const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const problem = {
  description: 'A problem (RFC 9457).',
  content: { 'application/problem+json': { schema: ref('Problem') } },
};
const response = (description: string, schema: object, headers: object = {}) => ({
  description,
  headers,
  ...json(schema),
});
const parameter = (name: string, place: string, schema: object) => ({
  name,
  in: place,
  required: place === 'path',
  schema,
});
const country = { type: 'string', enum: ['CH', 'DE', 'FR', 'IT'] };
const body = (name: string) => ({ required: true, ...json(ref(name)) });

/** Written by hand, OpenAPI 3.1. */
export const document = {
  openapi: '3.1.0',
  info: { title: 'Contacts', version: '1.4.2' },
  security: [{ basic: [] }],
  paths: {
    '/contacts': {
      get: {
        operationId: 'listContacts',
        parameters: [
          parameter('pageSize', 'query', { type: 'integer', minimum: 1, maximum: 100 }),
          parameter('pageToken', 'query', { type: 'string' }),
          parameter('country', 'query', country),
        ],
        responses: {
          200: response('A page.', {
            type: 'object',
            required: ['contacts', 'nextPageToken'],
            properties: {
              contacts: { type: 'array', items: ref('Contact') },
              nextPageToken: { type: ['string', 'null'] },
            },
          }),
          400: problem,
          401: problem,
        },
      },
      post: {
        operationId: 'createContact',
        requestBody: body('NewContact'),
        responses: {
          201: response('Created.', ref('Contact'), {
            Location: { required: true, schema: { type: 'string' } },
          }),
          400: problem,
          401: problem,
        },
      },
    },
    '/contacts/{id}': {
      parameters: [parameter('id', 'path', { type: 'string' })],
      get: {
        operationId: 'getContact',
        responses: { 200: response('The contact.', ref('Contact')), 401: problem, 404: problem },
      },
      put: {
        operationId: 'replaceContact',
        requestBody: body('NewContact'),
        responses: { 200: response('Replaced.', ref('Contact')), 400: problem, 401: problem, 404: problem },
      },
      delete: {
        operationId: 'deleteContact',
        responses: {
          202: response('Queued.', {
            type: 'object',
            required: ['queued'],
            properties: { queued: { type: 'boolean' } },
          }),
          401: problem,
          404: problem,
        },
      },
    },
    '/groups/{slug}': {
      parameters: [parameter('slug', 'path', { type: 'string', pattern: '^[a-z]{2,10}$' })],
      put: {
        operationId: 'putGroup',
        requestBody: {
          required: true,
          ...json({
            type: 'object',
            required: ['title'],
            properties: { title: { type: 'string', minLength: 1, maxLength: 30 } },
          }),
        },
        responses: {
          200: response('Changed.', ref('Group')),
          201: response('Created.', ref('Group')),
          400: problem,
          401: problem,
        },
      },
      get: {
        operationId: 'getGroup',
        responses: { 200: response('The group.', ref('Group')), 401: problem, 404: problem },
      },
    },
  },
  components: {
    securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
    schemas: {
      Address: {
        type: 'object',
        required: ['city', 'zip', 'country'],
        properties: {
          city: { type: 'string', minLength: 1, maxLength: 40 },
          zip: { type: 'string', pattern: '^[0-9]{4,5}$' },
          country,
        },
      },
      NewContact: {
        type: 'object',
        required: ['name', 'email'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 60, pattern: '\\S' },
          email: { type: 'string', format: 'email', maxLength: 254 },
          birthday: { type: 'string', format: 'date' },
          address: ref('Address'),
          consent: { type: 'boolean', default: false },
          score: { type: 'number', minimum: 0, maximum: 1 },
        },
      },
      Contact: {
        allOf: [
          ref('NewContact'),
          {
            type: 'object',
            required: ['id', 'deletedAt'],
            properties: {
              id: { type: 'string' },
              deletedAt: { type: ['string', 'null'], format: 'date-time' },
            },
          },
        ],
      },
      Group: {
        type: 'object',
        required: ['slug', 'title'],
        properties: { slug: { type: 'string' }, title: { type: 'string' } },
      },
      Problem: {
        type: 'object',
        required: ['title', 'status'],
        properties: { title: { type: 'string' }, status: { type: 'integer', minimum: 400, maximum: 599 } },
      },
    },
  },
};
