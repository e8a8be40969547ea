import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../json-schema/compile.ts';
import { type Operation, responseFor } from './document.ts';
import { loadDocument } from './load.ts';
import { packageRoot } from './package-root.ts';
import { withProblems } from './validate.ts';

describe("the animal store's own document", () => {
  test('is valid for swagger-parser, which reads the same operations', async () => {
    expect(await loadDocument(join(packageRoot(), 'spec', 'openapi.yaml'))).toEqual(await loadDocument());
  });

  test('every schema compiles', async () => {
    const document = await loadDocument();
    expect(withProblems(document, [])).toEqual(document);
    for (const schema of Object.values(document.schemas)) compileSchema(schema, document.root);
  });

  test('has the operations, parameters and statuses of the interface', async () => {
    const { title, version, operations } = await loadDocument();
    expect([title, version]).toEqual(['Animal Store API', '1.0.0']);
    const lines = operations.map(
      ({ id, method, path, security, deprecated, sunset, parameters, requestBody, responses }) =>
        [
          `${id} = ${method} ${path}`,
          parameters
            .map((parameter) => `${parameter.in} ${parameter.name}${parameter.required ? '!' : ''}`)
            .join(', '),
          requestBody === null ? '-' : `${requestBody.mediaType}${requestBody.required ? '!' : ''}`,
          responses.map(({ status, mediaType }) => `${status} ${mediaType ?? 'open'}`).join(', '),
          `${security.map((schemes) => schemes.map(({ scheme }) => scheme).join(' and ')).join(' or ')}${deprecated ? `, deprecated, gone on ${sunset}` : ''}`,
        ].join(' | '),
    );
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "listPets = GET /pets | query limit, query status | - | 200 application/json, 401 application/json, 429 open | bearer
      createPet = POST /pets |  | application/json! | 201 application/json, 400 application/json, 401 application/json, 429 open | bearer
      getPet = GET /pets/{petId} | path petId! | - | 200 application/json, 401 application/json, 404 application/json, 429 open | bearer, deprecated, gone on 2030-12-05
      listOrders = GET /store/orders |  | - | 401 application/json, 429 open, default open | bearer"
    `);
  });

  test('requires the rate limit headers on every response, and Retry-After on a 429', async () => {
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
});

describe('responses', () => {
  test('description of a status: its own, else that of its class, else default', async () => {
    const operation = (statuses: string[]): Operation => ({
      id: 'x',
      method: 'GET',
      path: '/',
      basePath: null,
      deprecated: false,
      sunset: null,
      security: [],
      parameters: [],
      requestBody: null,
      responses: statuses.map((status) => ({
        status,
        mediaType: null,
        schema: null,
        schemas: {},
        headers: {},
      })),
      tags: [],
      links: [],
      problem: null,
    });
    const full = operation(['default', '4XX', '404']);
    expect(responseFor(full, 404)?.status).toBe('404');
    expect(responseFor(full, 400)?.status).toBe('4XX');
    expect(responseFor(full, 500)?.status).toBe('default');
    expect(responseFor(operation(['200']), 201)).toBeNull();
  });
});
