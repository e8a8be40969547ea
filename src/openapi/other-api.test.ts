import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { ApiDocument, Operation } from './document.ts';
import { bodyExamples } from './examples.ts';
import { loadDocument } from './load.ts';
import { documentFolder, ok, openapi, problems } from './testing.ts';

const { file } = documentFolder();

const only = (document: ApiDocument): Operation => {
  const [operation] = document.operations;
  if (operation === undefined || document.operations.length > 1) throw new Error('expected one operation');
  return operation;
};

describe("a user's document", () => {
  test('parameters of a path -> apply to its operations, which may override them', async () => {
    const path = file(
      'parameters.json',
      openapi({
        paths: {
          '/a/{id}': {
            parameters: [
              { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
              { $ref: '#/components/parameters/page' },
              { name: 'Accept', in: 'header', schema: {} },
              { name: 'Content-Length', in: 'header', schema: { type: 'integer' } },
              { name: 'Connection', in: 'header', required: true, schema: {} },
              { name: 'Content-Encoding', in: 'header', schema: { enum: ['gzip'] } },
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
                  content: { 'application/json; charset=utf-8': { schema: { type: 'integer' } } },
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
        style: 'json',
        explode: false,
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

  const key = { name: 'key', type: 'http', scheme: 'bearer', parameter: null };
  const inCookie = { in: 'cookie', name: 'c' } as const;
  const cookie = { name: 'cookie', type: 'apiKey', scheme: null, parameter: inCookie };
  test.each<[string, unknown, unknown, Operation['security']]>([
    ['of the document', [{ key: [] }], undefined, [[key]]],
    ['none', [{ key: [] }], [], []],
    ['optional', [], [{ key: [] }, {}], [[key], []]],
    ['alternatives', [], [{ key: [] }, { cookie: [] }], [[key], [cookie]]],
    ['together', [], [{ key: [], cookie: [] }], [[key, cookie]]],
  ])('security of an operation: %s', async (_, shared, own, security) => {
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
    expect(only(await loadDocument(path)).security).toEqual(security);
  });

  test('40 schemas that each refer to all later ones -> read, each of them once', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const later = Array.from({ length: 39 - index }, (_, offset) => `S${index + offset + 1}`);
        const properties = later.map((name) => [name, { $ref: `#/components/schemas/${name}` }]);
        return [`S${index}`, { type: 'object', properties: Object.fromEntries(properties) }];
      }),
    );
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } };
    const responses = { '200': { description: 'x', content } };
    const path = file(
      'nested.json',
      openapi({ paths: { '/a': { get: { responses } } }, components: { schemas } }),
    );
    const document = await loadDocument(path);
    const schema = only(document).responses[0]?.schema ?? false;
    expect(problems(schema, document, { S1: { S2: { S39: 1 } } })).toEqual([
      '/S1/S2/S39: expected an object, got 1',
    ]);
  });

  test('several media types -> JSON is preferred', async () => {
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
      encoding: {},
    });
    expect(responses).toMatchObject([
      { status: '4XX', mediaType: 'application/problem+json', schema: { type: 'object' } },
    ]);
  });

  test.each(['application/*', 'application/json; charset=utf-8'])(
    'a body of the type %s is sent as JSON, with the examples of the document',
    async (type) => {
      const requestBody = { content: { [type]: { example: { a: 1 } } } };
      const document = await loadDocument(
        file('range.json', openapi({ paths: { '/a': { put: { ...ok, requestBody } } } })),
      );
      const operation = only(document);
      expect(operation.requestBody?.mediaType).toBe('application/json');
      expect(bodyExamples(document, operation)).toEqual([{ a: 1n }]);
    },
  );

  test('media types that only differ in parameters -> any of their schemas', async () => {
    const version = (number: number) => ({ schema: { const: number } });
    const content = { 'application/json; v=1': version(1), 'application/json; v=2': version(2) };
    const responses = { '200': { description: 'ok', content } };
    const document = await loadDocument(
      file('versions.json', openapi({ paths: { '/a': { get: { responses } } } })),
    );
    const schema = only(document).responses[0]?.schemas['application/json'] ?? true;
    for (const value of [1n, 2n]) expect(problems(schema, document, value)).toEqual([]);
    expect(problems(schema, document, 3n)).not.toEqual([]);
  });

  test('large numbers -> exact', async () => {
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

  test('references to other files -> bundled, also recursive schemas', async () => {
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

  test('reference to another host -> an error, and nothing is fetched', async () => {
    let fetched = 0;
    const host = createServer((_, response) => {
      fetched += 1;
      response.end('type: object');
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/tree.yaml`;
    const path = file(
      'remote.yaml',
      `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '${url}' } } } } } } }
`,
    );
    await expect(loadDocument(path)).rejects.toThrow(url);
    expect(fetched).toBe(0);
    host.close();
  });

  test('3.0 -> upgraded to 3.1', async () => {
    const content = { 'application/json': { schema: { type: 'integer', nullable: true } } };
    const paths = { '/a': { get: { responses: { default: { description: 'x', content } } } } };
    const document = await loadDocument(file('old.json', openapi({ paths }, '3.0.3')));
    expect(only(document).responses[0]?.schema).toEqual({ type: ['integer', 'null'] });
  });

  test('merge keys of YAML -> merged', async () => {
    const text = `
openapi: 3.0.3
info: { title: Test, version: '1' }
x-usual: &usual { '200': { description: ok } }
paths: { /a: { get: { responses: { <<: *usual, '404': { description: none } } } } }`;
    const document = await loadDocument(file('merge.yaml', text));
    expect(only(document).responses.map(({ status }) => status)).toEqual(['200', '404']);
  });
});
