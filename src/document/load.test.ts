import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ApiDocument, type Operation, responseFor } from './api-document.ts';
import { loadDocument } from './load.ts';
import { packageRoot } from './package-root.ts';
import { compileSchema } from './schema.ts';
import { assertUsable } from './usable.ts';

const folder = mkdtempSync(join(tmpdir(), 'document-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file into the test's folder; returns its path. */
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

/** A document with the given members, and a way to say what matters to a test only. */
const openapi = (members: object, version = '3.1.0') => ({
  openapi: version,
  info: { title: 'Test', version: '1' },
  paths: {},
  ...members,
});
const ok = { responses: { '200': { description: 'ok' } } };

const only = (document: ApiDocument): Operation => {
  const [operation] = document.operations;
  if (operation === undefined || document.operations.length > 1) throw new Error('expected one operation');
  return operation;
};

const problems = (
  schema: Parameters<typeof compileSchema>[0],
  document: ApiDocument,
  value: Parameters<ReturnType<typeof compileSchema>>[0],
) => compileSchema(schema, document.root)(value).map(({ message }) => message);

describe("the animal store's own document", () => {
  test('is valid by swagger-parser, and read the same with it as without', async () => {
    expect(await loadDocument(join(packageRoot(), 'spec', 'openapi.yaml'))).toEqual(await loadDocument());
  });

  test('has only schemas that compile', async () => {
    const document = await loadDocument();
    assertUsable(document);
    for (const schema of Object.values(document.schemas)) compileSchema(schema, document.root);
  });

  test('has the operations, parameters and statuses of the interface', async () => {
    const { title, version, operations } = await loadDocument();
    expect([title, version]).toEqual(['Animal Store API', '1.0.0']);
    const lines = operations.map(
      ({ id, method, path, secured, deprecated, sunset, parameters, requestBody, responses }) =>
        [
          `${id} = ${method} ${path}`,
          parameters
            .map((parameter) => `${parameter.in} ${parameter.name}${parameter.required ? '!' : ''}`)
            .join(', '),
          requestBody === null ? '-' : `${requestBody.mediaType}${requestBody.required ? '!' : ''}`,
          responses.map(({ status, mediaType }) => `${status} ${mediaType ?? 'open'}`).join(', '),
          `${secured ? 'bearer' : 'public'}${deprecated ? `, deprecated, gone on ${sunset}` : ''}`,
        ].join(' | '),
    );
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "listPets = GET /pets | query limit, query status | - | 200 application/json, 401 application/json, 429 open | bearer
      createPet = POST /pets |  | application/json! | 201 application/json, 400 application/json, 401 application/json, 429 open | bearer
      getPet = GET /pets/{petId} | path petId! | - | 200 application/json, 401 application/json, 404 application/json, 429 open | bearer, deprecated, gone on 2030-12-05
      listOrders = GET /store/orders |  | - | 401 application/json, 429 open, default open | bearer"
    `);
  });

  test('asks for the rate limit headers on every response, and for Retry-After on a 429', async () => {
    const { operations } = await loadDocument();
    for (const { id, responses } of operations)
      for (const { status, headers } of responses) {
        const required = Object.entries(headers).flatMap(([name, header]) => (header.required ? [name] : []));
        const always = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
        expect([id, status, required]).toEqual([
          id,
          status,
          status === '429' ? [...always, 'Retry-After'] : always,
        ]);
      }
  });

  test('takes what the interface allows, and tells what it does not', async () => {
    const document = await loadDocument();
    const { Pet = false, NewPet = false, Error: ErrorBody = false } = document.schemas;
    const pet = { id: 2n ** 63n - 1n, name: 'a', categoryId: 1n };
    expect(problems(Pet, document, { ...pet, status: 'sold', extra: null })).toEqual([]);
    expect(problems(Pet, document, { ...pet, id: 2n ** 63n })).toEqual([
      `/id: expected an int64, got ${2n ** 63n}`,
    ]);
    expect(problems(Pet, document, { ...pet, status: 'Sold' })).toEqual([
      '/status: expected one of "available", "pending", "sold", got "Sold"',
    ]);
    expect(problems(NewPet, document, {})).toHaveLength(2);
    expect(problems(ErrorBody, document, { code: 'x', message: '', status: 404n })).toEqual([]);
    expect(problems(ErrorBody, document, { code: 1n, message: null, status: '404' })).toHaveLength(3);
  });

  test('keeps the bounds and the default of limit', async () => {
    const { operations } = await loadDocument();
    expect(operations[0]?.parameters[0]).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1n, maximum: 100n, default: 20n },
      style: 'form',
      explode: true,
    });
  });
});

describe('responses', () => {
  test('a status is described by itself, else by its class, else by default', async () => {
    const operation = (statuses: string[]): Operation => ({
      id: 'x',
      method: 'GET',
      path: '/',
      deprecated: false,
      sunset: null,
      secured: false,
      security: [],
      parameters: [],
      requestBody: null,
      responses: statuses.map((status) => ({ status, mediaType: null, schema: null, headers: {} })),
    });
    const full = operation(['default', '4XX', '404']);
    expect(responseFor(full, 404)?.status).toBe('404');
    expect(responseFor(full, 400)?.status).toBe('4XX');
    expect(responseFor(full, 500)?.status).toBe('default');
    expect(responseFor(operation(['200']), 201)).toBeNull();
  });
});

describe('another document', () => {
  test('parameters of a path hold for its operations, which may replace them', async () => {
    const path = file(
      'parameters.json',
      openapi({
        paths: {
          '/a/{id}': {
            parameters: [
              { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
              { $ref: '#/components/parameters/page' },
              { name: 'Accept', in: 'header', schema: {} },
              {
                name: 'tags',
                in: 'query',
                style: 'pipeDelimited',
                explode: false,
                schema: { type: 'array' },
              },
            ],
            get: {
              ...ok,
              parameters: [
                {
                  name: 'page',
                  in: 'query',
                  content: { 'application/json': { schema: { type: 'integer' } } },
                },
              ],
            },
          },
        },
        components: {
          parameters: { page: { name: 'page', in: 'query', required: true, schema: { type: 'string' } } },
        },
      }),
    );
    const operation = only(await loadDocument(path));
    expect(operation.id).toBe('GET /a/{id}');
    expect(operation.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' }, style: 'simple', explode: false },
      {
        name: 'page',
        in: 'query',
        required: false,
        schema: { type: 'integer' },
        style: 'form',
        explode: true,
      },
      {
        name: 'tags',
        in: 'query',
        required: false,
        schema: { type: 'array' },
        style: 'pipeDelimited',
        explode: false,
      },
    ]);
  });

  test.each<[string, unknown, unknown, boolean]>([
    ['by the document', [{ key: [] }], undefined, true],
    ['not at all', [{ key: [] }], [], false],
    ['if one likes', [], [{ key: [] }, {}], false],
    ['or by another scheme', [], [{ key: [] }, { cookie: [] }], false],
    ['together with another scheme', [], [{ key: [], cookie: [] }], true],
  ])('a bearer token is needed %s', async (_, shared, own, secured) => {
    const path = file(
      'security.json',
      openapi({
        security: shared,
        paths: { '/a': { get: { ...ok, ...(own === undefined ? {} : { security: own }) } } },
        components: {
          securitySchemes: {
            key: { type: 'http', scheme: 'Bearer' },
            cookie: { type: 'apiKey', in: 'cookie', name: 'c' },
          },
        },
      }),
    );
    expect(only(await loadDocument(path)).secured).toBe(secured);
  });

  test('JSON is chosen where there are several media types', async () => {
    const content = { 'text/html': {}, 'application/problem+json': { schema: { type: 'object' } } };
    const path = file(
      'media.json',
      openapi({
        paths: {
          '/a': { put: { requestBody: { content }, responses: { '4XX': { description: 'x', content } } } },
        },
      }),
    );
    const { requestBody, responses } = only(await loadDocument(path));
    expect(requestBody).toEqual({
      required: false,
      mediaType: 'application/problem+json',
      schema: { type: 'object' },
    });
    expect(responses).toMatchObject([
      { status: '4XX', mediaType: 'application/problem+json', schema: { type: 'object' } },
    ]);
  });

  test('numbers keep their digits', async () => {
    const path = file(
      'digits.yaml',
      `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /a: { get: { responses: { 200: { description: ok, content: { application/json: { schema: { maximum: 9007199254740993 } } } } } } } }
`,
    );
    const document = await loadDocument(path);
    const schema = only(document).responses[0]?.schema ?? false;
    expect(problems(schema, document, 2n ** 53n + 1n)).toEqual([]);
    expect(problems(schema, document, 2n ** 53n + 2n)).toHaveLength(1);
  });

  test('other files are read in, schemas that contain themselves too', async () => {
    file(
      'tree.yaml',
      `Tree:
  type: object
  required: [id]
  properties:
    id: { type: integer, maximum: 9007199254740993 }
    children: { type: array, items: { $ref: '#/Tree' } }
`,
    );
    const path = file(
      'main.yaml',
      `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'tree.yaml#/Tree' } } } } } } }
  /b: { get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'tree.yaml#/Tree' } } } } } } }
`,
    );
    const document = await loadDocument(path);
    for (const { responses } of document.operations) {
      const schema = responses[0]?.schema ?? false;
      expect(problems(schema, document, { id: 1n, children: [{ id: 9007199254740994n }] })).toEqual([
        '/children/0/id: expected at most 9007199254740993, got 9007199254740994',
      ]);
    }
  });

  test('3.0 is read in the terms of 3.1', async () => {
    const path = file(
      'old.json',
      openapi(
        {
          paths: {
            '/a': {
              get: {
                responses: {
                  default: {
                    description: 'x',
                    content: { 'application/json': { schema: { $ref: '#/components/schemas/Old' } } },
                  },
                },
              },
            },
          },
          components: {
            schemas: {
              Old: {
                type: 'object',
                properties: {
                  n: {
                    type: 'integer',
                    nullable: true,
                    minimum: 1,
                    exclusiveMinimum: true,
                    maximum: 5,
                    exclusiveMaximum: false,
                    example: 2,
                  },
                  plain: { type: 'string', nullable: false },
                  list: { type: 'array', items: { type: 'string', nullable: true } },
                  any: { oneOf: [{ type: 'number', nullable: true }] },
                  self: { $ref: '#/components/schemas/Old', nullable: true },
                  nullable: { type: 'boolean' },
                },
              },
            },
          },
        },
        '3.0.3',
      ),
    );
    const document = await loadDocument(path);
    expect(document.schemas.Old).toEqual({
      type: 'object',
      properties: {
        n: { type: ['integer', 'null'], exclusiveMinimum: 1n, maximum: 5n, examples: [2n] },
        plain: { type: 'string' },
        list: { type: 'array', items: { type: ['string', 'null'] } },
        any: { oneOf: [{ type: ['number', 'null'] }] },
        self: { $ref: '#/components/schemas/Old' },
        nullable: { type: 'boolean' },
      },
    });
    const schema = only(document).responses[0]?.schema ?? false;
    expect(problems(schema, document, { n: null, self: { n: 1n } })).toEqual([
      '/self/n: expected more than 1, got 1',
    ]);
  });

  test.each<[string, unknown, string]>([
    ['swagger.json', { swagger: '2.0', info: {}, paths: {} }, 'not an OpenAPI 3.0 or 3.1 document'],
    ['newer.json', openapi({}, '3.2.0'), 'not an OpenAPI 3.0 or 3.1 document'],
    ['text.yaml', 'just text', 'not an OpenAPI 3.0 or 3.1 document'],
    ['broken.json', '{"openapi": "3.1.0",', 'broken.json: '],
    ['untitled.json', { openapi: '3.1.0', paths: {} }, "must have required property 'info'"],
    [
      'typed.json',
      openapi({
        components: { schemas: {} },
        paths: {
          '/a': {
            get: {
              responses: {
                '200': { description: 'x', content: { 'application/json': { schema: { type: 'strnig' } } } },
              },
            },
          },
        },
      }),
      'GET /a, response 200: "strnig" is no type of JSON Schema',
    ],
    ['dangling.json', openapi({ paths: { '/a': { $ref: '#/components/pathItems/none' } } }), 'none'],
    [
      'remote.json',
      openapi({ paths: { '/a': { $ref: 'http://127.0.0.1:1/x.json' } } }),
      'http://127.0.0.1:1/x.json',
    ],
    ['absent.json', openapi({ paths: { '/a': { $ref: 'no-such-file.json' } } }), 'no-such-file.json'],
    [
      'twice.json',
      openapi({
        paths: { '/a': { get: { ...ok, operationId: 'x' } }, '/b': { get: { ...ok, operationId: 'x' } } },
      }),
      'the operationId x is taken',
    ],
    [
      'undescribed.json',
      openapi({ paths: { '/a/{id}': { get: ok } } }),
      'the path parameter id is not described',
    ],
  ])('%s is refused in one line that names file and problem', async (name, content, problem) => {
    const path = file(name, content);
    const message = await loadDocument(path).then(
      () => 'nothing thrown',
      (error: unknown) => (error instanceof Error ? error.message : 'no Error'),
    );
    expect(message).toContain(path);
    expect(message).toContain(problem);
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(path.length + 300);
  });

  test('a file that is not there is named', async () => {
    await expect(loadDocument(join(folder, 'none.yaml'))).rejects.toThrow(
      /none\.yaml: cannot be read \(ENOENT\)$/,
    );
  });
});
