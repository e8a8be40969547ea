const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const error = { description: 'An error.', ...json(ref('Error')) };
const response = (description: string, schema: object, headers: object = {}) => ({
  description,
  headers,
  ...json(schema),
});
const ticketId = { name: 'ticketId', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
const priority = { type: 'string', enum: ['low', 'normal', 'high', 'urgent'] };

const properties = {
  subject: { type: 'string', minLength: 3, maxLength: 80 },
  body: { type: 'string', maxLength: 2000 },
  priority,
  assignee: { type: 'string', format: 'email', nullable: true },
  dueAt: { type: 'string', format: 'date-time' },
  labels: { type: 'array', maxItems: 3, items: { type: 'string', pattern: '^[a-z-]{2,12}$' } },
  minutes: { type: 'integer', minimum: 0, maximum: 480 },
};

/** As people write it by hand, OpenAPI 3.0. */
export const document = {
  openapi: '3.0.3',
  info: { title: 'Helpdesk', version: '2.1.0' },
  security: [{ key: [] }],
  paths: {
    '/health': {
      get: {
        operationId: 'health',
        security: [],
        responses: {
          200: response('Well.', {
            type: 'object',
            required: ['status', 'uptime'],
            properties: { status: { type: 'string', enum: ['ok', 'down'] }, uptime: { type: 'number' } },
          }),
        },
      },
    },
    '/tickets': {
      get: {
        operationId: 'listTickets',
        tags: ['tickets'],
        parameters: [
          { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100000, default: 1 } },
          {
            name: 'per_page',
            in: 'query',
            schema: { type: 'integer', minimum: 1, maximum: 50, default: 25 },
          },
          { name: 'priority', in: 'query', schema: priority },
          { name: 'sort', in: 'query', schema: { type: 'string', enum: ['id', '-id'], default: 'id' } },
        ],
        responses: {
          200: response(
            'A page.',
            { type: 'array', items: ref('Ticket') },
            {
              'X-Total-Count': { required: true, schema: { type: 'integer', minimum: 0 } },
            },
          ),
          400: error,
          401: error,
        },
      },
      post: {
        operationId: 'openTicket',
        tags: ['tickets'],
        requestBody: { required: true, ...json(ref('NewTicket')) },
        responses: {
          201: response('Opened.', ref('Ticket'), {
            Location: { required: true, schema: { type: 'string', format: 'uri-reference' } },
          }),
          400: error,
          401: error,
        },
      },
    },
    '/tickets/{ticketId}': {
      parameters: [ticketId],
      get: {
        operationId: 'getTicket',
        responses: { 200: response('The ticket.', ref('Ticket')), 401: error, 404: error },
      },
      patch: {
        operationId: 'changeTicket',
        requestBody: { required: true, ...json(ref('TicketChange')) },
        responses: { 200: response('Changed.', ref('Ticket')), 400: error, 401: error, 404: error },
      },
      delete: {
        operationId: 'deleteTicket',
        responses: { 204: { description: 'Deleted.' }, 401: error, 404: error },
      },
    },
    '/tickets/{ticketId}/comments': {
      parameters: [ticketId],
      get: {
        operationId: 'listComments',
        responses: {
          200: response('All.', { type: 'array', items: ref('Comment') }),
          401: error,
          404: error,
        },
      },
      post: {
        operationId: 'addComment',
        requestBody: {
          required: true,
          ...json({
            type: 'object',
            required: ['text'],
            properties: {
              text: { type: 'string', minLength: 1, maxLength: 200 },
              internal: { type: 'boolean' },
            },
          }),
        },
        responses: { 201: response('Added.', ref('Comment')), 400: error, 401: error, 404: error },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    schemas: {
      NewTicket: {
        type: 'object',
        required: ['subject', 'priority'],
        additionalProperties: false,
        properties,
      },
      TicketChange: { type: 'object', additionalProperties: false, properties },
      Ticket: {
        type: 'object',
        required: ['id', 'status', 'subject', 'priority', 'labels'],
        properties: {
          ...properties,
          id: { type: 'integer', minimum: 1 },
          status: { type: 'string', enum: ['open', 'closed'] },
        },
      },
      Comment: {
        type: 'object',
        required: ['text', 'internal', 'at'],
        properties: {
          text: { type: 'string' },
          internal: { type: 'boolean' },
          at: { type: 'string', format: 'date-time' },
        },
      },
      Error: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string' }, fields: { type: 'array', items: { type: 'string' } } },
      },
    },
  },
};
