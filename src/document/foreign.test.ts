import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ApiDocument, Operation } from './api-document.ts';
import { loadDocument } from './load.ts';
import { compileSchema } from './schema.ts';

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
    const content = { 'application/json': { schema: { type: 'integer', nullable: true } } };
    const paths = { '/a': { get: { responses: { default: { description: 'x', content } } } } };
    const document = await loadDocument(file('old.json', openapi({ paths }, '3.0.3')));
    expect(only(document).responses[0]?.schema).toEqual({ type: ['integer', 'null'] });
  });

  test.each<[string, unknown, string]>([
    ['swagger.json', { swagger: '2.0', info: {}, paths: {} }, 'not an OpenAPI 3.0 or 3.1 document'],
    ['swagger2.json', { swagger: '2.0', paths: {} }, 'it is one of Swagger 2.0, to be converted first'],
    ['newer.json', openapi({}, '3.2.0'), 'openapi is "3.2.0", where "3.0.3" or "3.1.0", say, is understood'],
    ['number.yaml', 'openapi: 3.0\npaths: {}', 'openapi has to be a text, such as "3.1.0"'],
    ['versionless.json', { info: {}, paths: {} }, 'it has no openapi, which gives the version'],
    ['two.yaml', 'openapi: 3.1.0\n---\nopenapi: 3.1.0', 'multiple documents, where one alone is read'],
    ['pathless.json', openapi({ paths: undefined, components: {} }), 'it has no paths'],
    [
      'range.json',
      openapi({ paths: { '/a': { get: { responses: { '2xx': { description: 'x' } } } } } }),
      'properties: 2xx',
    ],
    ['deep.json', `{"openapi": "3.1.0", "x-a": ${'['.repeat(20_000)}`, 'nested too deeply'],
    ['query.json', openapi({ paths: { '/a?b=1': { get: ok } } }), 'GET /a?b=1: a path has no "?"'],
    ['space.json', openapi({ paths: { '/a b': { get: ok } } }), 'GET /a b: a path has no " "'],
    [
      'header.json',
      openapi({
        paths: {
          '/a': { get: { ...ok, parameters: [{ name: 'X Y', in: 'header', schema: { type: 'string' } }] } },
        },
      }),
      'GET /a: "X Y" cannot be the name of a header',
    ],
    [
      'loop.json',
      openapi({
        components: {
          schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
        },
        paths: {
          '/a': {
            get: {
              responses: {
                '200': {
                  description: 'x',
                  content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
                },
              },
            },
          },
        },
      }),
      'a $ref that leads back to itself',
    ],
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

  test('merge keys of YAML are understood', async () => {
    const text = `
openapi: 3.0.3
info: { title: Test, version: '1' }
x-usual: &usual { '200': { description: ok } }
paths: { /a: { get: { responses: { <<: *usual, '404': { description: none } } } } }`;
    const document = await loadDocument(file('merge.yaml', text));
    expect(only(document).responses.map(({ status }) => status)).toEqual(['200', '404']);
  });

  test('a file that is not there is named', async () => {
    await expect(loadDocument(join(folder, 'none.yaml'))).rejects.toThrow(
      /none\.yaml: cannot be read \(ENOENT\)$/,
    );
  });
});
