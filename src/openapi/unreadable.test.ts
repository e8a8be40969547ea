import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadDocument } from './load.ts';
import { documentFolder, ok, openapi } from './testing.ts';

const { file, folder } = documentFolder();

describe('unreadable document', () => {
  test.each<[string, unknown, string]>([
    ['swagger.json', { swagger: '2.0', info: {}, paths: {} }, 'not an OpenAPI 3.0 or 3.1 document'],
    ['swagger2.json', { swagger: '2.0', paths: {} }, 'swagger is "2.0". Convert it to OpenAPI first'],
    [
      'newer.json',
      openapi({}, '3.2.0'),
      'not an OpenAPI 3.0 or 3.1 document: openapi is "3.2.0" (supported: 3.0.x and 3.1.x)',
    ],
    ['number.yaml', 'openapi: 3.0\npaths: {}', 'openapi must be text (try: "3.1.0")'],
    ['versionless.json', { info: {}, paths: {} }, 'openapi is missing (try: openapi: 3.1.0)'],
    ['two.yaml', 'openapi: 3.1.0\n---\nopenapi: 3.1.0', 'multiple documents, expected one'],
    ['pathless.json', openapi({ paths: undefined, components: {} }), 'it has no paths'],
    ['deep.json', `{"openapi": "3.1.0", "x-a": ${'['.repeat(20_000)}`, 'nested too deeply'],
    ['query.json', openapi({ paths: { '/a?b=1': { get: ok } } }), 'GET /a?b=1: unexpected "?" in the path'],
    ['space.json', openapi({ paths: { '/a b': { get: ok } } }), 'GET /a b: unexpected " " in the path'],
    [
      'header.json',
      openapi({
        paths: {
          '/a': { get: { ...ok, parameters: [{ name: 'X Y', in: 'header', schema: { type: 'string' } }] } },
        },
      }),
      'GET /a: "X Y" is not a valid header name',
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
      'GET /a: $ref "#/components/schemas/B" leads back to itself',
    ],
    ['repeated.json', '{"openapi": "3.1.0", "paths": {}, "paths": {}}', 'Map keys must be unique'],
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
      'GET /a: response 200: "strnig" is not a type of JSON Schema',
    ],
    ['dangling.json', openapi({ paths: { '/a': { $ref: '#/components/pathItems/none' } } }), 'none'],
    [
      'remote.json',
      openapi({ paths: { '/a': { $ref: 'http://127.0.0.1:1/x.json' } } }),
      'http://127.0.0.1:1/x.json',
    ],
    ['absent.json', openapi({ paths: { '/a': { $ref: 'no-such-file.json' } } }), 'no-such-file.json'],
    [
      'undescribed.json',
      openapi({ paths: { '/a/{id}': { get: ok } } }),
      'the path parameter id is not described',
    ],
  ])('%s -> an error of one line, with the file and the problem', async (name, content, problem) => {
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

  test('missing file -> an error with its name', async () => {
    await expect(loadDocument(join(folder, 'none.yaml'))).rejects.toThrow(
      /none\.yaml: cannot be read \(ENOENT\)$/,
    );
  });
});
