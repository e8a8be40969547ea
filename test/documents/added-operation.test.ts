import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/json/json.ts';
import type { Patch } from '../../src/reference/patch.ts';
import type { ResponseFilter } from '../../src/reference/patch-kit/core.ts';
import { rateHeaders } from '../../src/reference/patch-kit/rate-limits.ts';
import { editReply, removeHeaders, setStatus } from '../../src/reference/patch-kit/responses.ts';
import { documentWith, judge } from '../support/own-document.ts';
import { resultOf } from '../support/run-in-words.ts';

const ofCategories: NonNullable<ResponseFilter['when']> = (_, { url }) => url.pathname === '/v1/categories';

describe('an operation added to the document', () => {
  const responses = (description: string, schema: string) => `
        '200':
          description: ${description}
          content:
            application/json:
              schema: ${schema}
        '400': { $ref: '#/components/responses/BadRequest' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '429': { $ref: '#/components/responses/TooManyRequests' }`;
  const withCategories = () =>
    documentWith([
      '  /store/orders:\n',
      `  /categories:
    get:
      operationId: listCategories
      parameters:
        - { name: depth, in: query, schema: { type: integer, minimum: 1, maximum: 3 } }
      responses:${responses('Categories.', '{ type: array, items: { type: object, required: [id], properties: { id: { type: integer, format: int64 } } } }')}
  /store/orders:
`,
    ]);
  const serving = (categories: Json): Patch =>
    editReply({ status: 404, when: ofCategories }, (reply, call) => {
      const depth = call.url.searchParams.get('depth') ?? '1';
      return /^[123]$/.test(depth)
        ? { ...reply, status: 200, body: { json: categories } }
        : { ...reply, status: 400, body: { json: { code: 'bad', message: 'Bad.', status: 400n } } };
    });

  test('is tested without a change of code', async () => {
    const { failures, exit, outcome, sent } = await judge(await withCategories(), serving([{ id: 7n }]));
    expect(failures).toEqual([]);
    expect(exit).toBe(0);
    const depths = sent.filter(({ path }) => path === '/categories').map(({ query }) => query.get('depth'));
    expect(depths).toEqual(expect.arrayContaining(['1', '3', '0', '4', null]));
    const statuses = outcome.coverage.filter(
      ({ operation, seen }) => operation === 'listCategories' && seen > 0,
    );
    expect(statuses.map(({ status }) => status)).toEqual(['200', '400', '401']);
  });

  test('each mistake in it fails its requirement', async () => {
    const { outcome } = await judge(
      await withCategories(),
      serving([{ id: 'seven' }]),
      editReply({ status: 401, when: ofCategories }, (reply) => ({
        ...reply,
        status: 200,
        body: { json: [] },
      })),
      setStatus(500, { status: 400, when: ofCategories }),
      removeHeaders(rateHeaders, { when: ofCategories }),
    );
    const failed = ['GEN-3', 'AUTH-1', 'GEN-4', 'RATE-1'];
    expect(failed.map((id) => resultOf(outcome, id)?.verdict)).toEqual(failed.map(() => 'failed'));
  });
});
