import { describe, expect, test } from 'vitest';
import { compileSchema } from '../json-schema/compile.ts';
import { loadDocument } from './load.ts';
import { documentFolder, ok, openapi } from './testing.ts';

const { file } = documentFolder();

const ofSchema = (schema: unknown, example?: unknown) => ({
  responses: {
    '200': {
      description: 'x',
      content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
    },
  },
});

/** Loads a document with an ordinary operation beside an odd one. */
const load = async (name: string, odd: object, others: object = {}, version?: string) =>
  loadDocument(
    file(`${name}.json`, openapi({ paths: { '/good': { get: ok }, ...odd }, ...others }, version)),
  );

describe('an operation that cannot be requested -> left out with the reason, and the others stay', () => {
  const get = (operation: object, path = '/odd') => ({ [path]: { get: { ...ok, ...operation } } });
  test.each<[name: string, odd: object, problem: string]>([
    ['number sign in the path', get({}, '/a#b'), 'unexpected "#" in the path'],
    ['question mark in the path', get({}, '/a?b=1'), 'unexpected "?" in the path'],
    [
      'header without a name',
      get({ parameters: [{ name: '', in: 'header', schema: {} }] }),
      '"" is not a valid header name',
    ],
    ['undescribed path parameter', get({}, '/odd/{id}'), 'the path parameter id is not described'],
    [
      'server elsewhere',
      get({ servers: [{ url: 'https://files.example/v1' }] }),
      'the document has another server for it: https://files.example/v1',
    ],
    ['reference that leads nowhere', get(ofSchema({ $ref: '#/components/schemas/None' })), 'leads nowhere'],
    ['file that does not exist', get(ofSchema({ $ref: './none.yaml' })), 'leads to no file'],
    ['another host', get(ofSchema({ $ref: 'https://api.example/pet.json' })), 'cannot follow $ref'],
    ['missing path item', { '/odd': { $ref: '#/components/pathItems/None' } }, 'leads nowhere'],
    ['unknown type', get(ofSchema({ type: 'strnig' })), '"strnig" is not a type of JSON Schema'],
    [
      'place of Swagger 2.0',
      get({ parameters: [{ name: 'a', in: 'body', schema: {} }] }),
      'must be equal to one of the allowed values',
    ],
    [
      'dynamic reference with two targets',
      get(
        ofSchema({
          $defs: { a: { $dynamicAnchor: 'node' }, b: { $dynamicAnchor: 'node' } },
          items: { $dynamicRef: '#node' },
        }),
      ),
      'has several targets',
    ],
    [
      'enumeration with a member $ref',
      get(ofSchema({ enum: [{ $ref: '#/nowhere' }] })),
      'enum or const has a member $ref',
    ],
  ])('%s', async (name, odd, problem) => {
    const { operations } = await load(name.replaceAll(' ', '-'), odd);
    expect(operations.map(({ problem: found }) => found)).toEqual([null, expect.stringContaining(problem)]);
  });

  test('one method of a path -> its other methods stay', async () => {
    const { operations } = await load('method', {
      '/odd': { get: ok, put: { ...ok, parameters: [{ name: 'a', in: 'body', schema: {} }] } },
    });
    expect(operations.map(({ method, problem }) => [method, problem === null])).toEqual([
      ['GET', true],
      ['GET', true],
      ['PUT', false],
    ]);
  });
});

describe('a harmless oddity -> everything is read', () => {
  const get = (operation: object) => ({ '/odd': { get: { ...ok, ...operation } } });
  test.each<[name: string, odd: object, others?: object]>([
    ['missing reference in an extension', get({ 'x-a': { $ref: './none.yaml' } })],
    ['missing reference in an extension of the document', {}, { 'x-a': { $ref: '#/none' } }],
    ['reference in an example', get(ofSchema({ type: 'object' }, { $ref: '#/nowhere' }))],
    ['reference in a default', get(ofSchema({ type: 'object', default: { $ref: '#/nowhere' } }))],
    ['status range in lower case', get({ responses: { '2xx': { description: 'x' } } })],
    ['response without a description', get({ responses: { '200': {} } })],
    ['no responses', { '/odd': { get: {} } }],
    ['unknown keyword', get(ofSchema({ type: 'integer', ge: 1 }))],
    ['boolean required in a schema', get(ofSchema({ type: 'integer', required: true }))],
    ['unused component with a problem', {}, { components: { schemas: { Bad: { type: 7 } } } }],
    [
      'path parameter that is not required',
      { '/odd/{id}': { get: { ...ok, parameters: [{ name: 'id', in: 'path', schema: {} }] } } },
    ],
  ])('%s', async (name, odd, others) => {
    const { operations } = await load(name.replaceAll(' ', '-'), odd, others);
    expect(operations).toHaveLength(1 + Object.keys(odd).length);
    expect(operations.map(({ problem }) => problem)).toEqual(operations.map(() => null));
  });

  test('names that look like extensions or ranges -> kept', async () => {
    const document = await load(
      'names',
      {
        '/odd': {
          get: {
            security: [{ 'x-api-key': [] }],
            ...ofSchema({ type: 'object', required: ['2xx'], properties: { '2xx': { type: 'integer' } } }),
          },
        },
      },
      {
        components: { securitySchemes: { 'x-api-key': { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
      },
    );
    const [, odd] = document.operations;
    const validate = compileSchema(odd?.responses[0]?.schema ?? false, document.root);
    expect(odd?.security.map((together) => together.map(({ name }) => name))).toEqual([['x-api-key']]);
    expect([validate({ '2xx': 7n }).length, validate({ '2xx': 'x' }).length]).toEqual([0, 1]);
  });

  test('operationId used twice -> the second operation has its method and path instead', async () => {
    const twice = { ...ok, operationId: 'x' };
    const { operations } = await load('twice', { '/a': { get: twice }, '/b': { get: twice } });
    expect(operations.map(({ id }) => id)).toEqual(['GET /good', 'x', 'GET /b']);
  });
});

describe('references by name -> followed', () => {
  const pet = { type: 'object', required: ['name'] };
  test.each<[name: string, schema: object, schemas: object]>([
    ['$anchor', { $ref: '#pet' }, { Pet: { $anchor: 'pet', ...pet } }],
    ['$id', { $ref: 'https://api.example/pet' }, { Pet: { $id: 'https://api.example/pet', ...pet } }],
    [
      'a reference within a schema that has an $id',
      { $ref: '#/components/schemas/Pet' },
      {
        Pet: { $id: 'https://api.example/pet', $ref: '#/$defs/named', $defs: { named: pet } },
      },
    ],
    [
      'a reference from the beginning of the file in a schema that has an $id',
      { $ref: '#/components/schemas/Pet' },
      { Pet: { $id: 'https://api.example/pet', $ref: '#/components/schemas/Named' }, Named: pet },
    ],
    ['$dynamicRef with one target', { $dynamicRef: '#pet' }, { Pet: { $dynamicAnchor: 'pet', ...pet } }],
    [
      'a property called $ref, and one called example',
      { $ref: '#/components/schemas/Pet' },
      {
        Pet: {
          ...pet,
          properties: { $ref: { type: 'string' }, example: { $ref: '#/components/schemas/Name' } },
        },
        Name: { type: 'string' },
      },
    ],
  ])('%s', async (name, schema, schemas) => {
    const { operations, root } = await load(
      name.replaceAll(/\W+/g, '-'),
      { '/odd': { get: ofSchema(schema) } },
      { components: { schemas } },
    );
    const [, odd] = operations;
    const validate = compileSchema(odd?.responses[0]?.schema ?? false, root);
    expect([odd?.problem, validate({ name: 'Rex', example: 'x' }).length, validate({}).length]).toEqual([
      null,
      0,
      1,
    ]);
  });

  test('components.pathItems', async () => {
    const { operations } = await load(
      'path-items',
      { '/odd': { $ref: '#/components/pathItems/Odd' } },
      { components: { pathItems: { Odd: { get: ok } } } },
    );
    expect(operations.map(({ id, problem }) => [id, problem])).toEqual([
      ['GET /good', null],
      ['GET /odd', null],
    ]);
  });
});

test.each<[name: string, servers: object, basePath: string | null]>([
  ['relative', [{ url: '/v2/' }], '/v2'],
  ['relative, with a variable', [{ url: '/{version}', variables: { version: { default: 'v3' } } }], '/v3'],
  ['the server of the document', [{ url: 'https://api.example/v1' }], null],
  ['one of several', [{ url: 'https://files.example' }, { url: '/files' }], '/files'],
])('server of an operation: %s -> %s', async (name, servers, basePath) => {
  const { operations } = await load(
    `server-${name.replaceAll(/\W+/g, '-')}`,
    { '/odd': { servers, get: ok } },
    { servers: [{ url: 'https://api.example/v1' }] },
  );
  expect(operations.map((operation) => [operation.basePath, operation.problem])).toEqual([
    [null, null],
    [basePath, null],
  ]);
});
