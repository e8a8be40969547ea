import { expect, test } from 'vitest';
import { runOnApi } from '../support/api-run.ts';
import { content } from '../support/small-apis.ts';

const receipt = {
  type: 'object',
  required: ['number', 'amount'],
  properties: { number: { type: 'string' }, amount: { type: 'integer', minimum: 1, maximum: 500 } },
};
const wrong = { description: 'Invalid.' };

/** A purchase leads to a receipt, whose path has nothing to do with it: only the link says so. */
const documentWith = (link: object) => ({
  openapi: '3.0.3',
  info: { title: 'Receipts', version: '1' },
  paths: {
    '/purchase': {
      post: {
        requestBody: {
          required: true,
          ...content({
            type: 'object',
            required: ['amount'],
            properties: { amount: receipt.properties.amount },
          }),
        },
        responses: {
          201: {
            description: 'Bought.',
            ...content(receipt),
            links: { receipt: { ...link, parameters: { code: '$response.body#/number' } } },
          },
          400: wrong,
        },
      },
    },
    '/receipts/{code}': {
      get: {
        operationId: 'getReceipt',
        parameters: [{ name: 'code', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'The receipt.', ...content(receipt) }, 404: wrong },
      },
    },
  },
});

const json = (status: number, value: unknown): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json' } });

const isAmount = (value: unknown): value is { readonly amount: number } =>
  typeof value === 'object' &&
  value !== null &&
  'amount' in value &&
  Number.isInteger(value.amount) &&
  Number(value.amount) >= 1 &&
  Number(value.amount) <= 500;

/** Tests a server of receipts; `kept`: the amount that it keeps of one that was paid. */
const testReceipts = async (link: object, kept: (amount: number) => number = (amount) => amount) => {
  const receipts = new Map<string, unknown>();
  const respond = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET') {
      const found = receipts.get(pathname.split('/').at(-1) ?? '');
      return found === undefined ? new Response(null, { status: 404 }) : json(200, found);
    }
    const sent: unknown = await request.json().catch(() => null);
    if (!isAmount(sent)) return new Response(null, { status: 400 });
    const number = `R-${receipts.size + 1}`;
    receipts.set(number, { number, amount: kept(sent.amount) });
    return json(201, { number, amount: sent.amount });
  };
  const { exitCode, alarms, report } = await runOnApi(documentWith(link), respond, { seed: 5 });
  const seen = report.coverage.filter(({ operation, seen }) => operation === 'getReceipt' && seen > 0);
  return { exitCode, alarms, statuses: seen.map(({ status }) => status) };
};

test.each([{ operationId: 'getReceipt' }, { operationRef: '#/paths/~1receipts~1%7Bcode%7D/get' }])(
  'the link %j -> the ids of one operation are used in the other',
  async (link) => {
    expect(await testReceipts(link)).toEqual({ exitCode: 0, alarms: [], statuses: ['200', '404'] });
    expect(await testReceipts(link, (amount) => Math.max(1, amount - 1))).toMatchObject({
      exitCode: 1,
      alarms: ['RES-1'],
    });
  },
);
