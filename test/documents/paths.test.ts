// Paths of other forms: `/categories/{category_code}` for the member `code`, and `/categories/` for the collection.
import { expect, test } from 'vitest';
import { isJsonObject } from '../../src/json/json.ts';
import { parseJson } from '../../src/json/parse.ts';
import { runOnApi } from '../support/api-run.ts';
import { content } from '../support/small-apis.ts';

const category = {
  type: 'object',
  required: ['code', 'title'],
  properties: {
    code: { type: 'string', pattern: '^[a-z]{4,12}$' },
    title: { type: 'string', minLength: 1, maxLength: 60 },
  },
};
const [invalid, missing] = [{ description: 'Invalid.' }, { description: 'None.' }];
const shown = { description: 'The category.', ...content(category) };

/** `members`: further members of what the server returns. */
const documentWith = (members: object, end: string) => ({
  openapi: '3.1.0',
  info: { title: 'Categories', version: '1' },
  paths: {
    [`/categories${end}`]: {
      post: {
        requestBody: { required: true, ...content(category) },
        responses: {
          201: {
            ...shown,
            ...content({ ...category, properties: { ...category.properties, ...members } }),
          },
          400: invalid,
          409: { description: 'The code is taken.' },
        },
      },
    },
    '/categories/{category_code}': {
      parameters: [{ name: 'category_code', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { 200: shown, 404: missing } },
      delete: { responses: { 204: { description: 'Deleted.' }, 404: missing } },
    },
  },
});

const json = (status: number, value: unknown): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json' } });

interface Category {
  readonly code: string;
  readonly title: string;
}

const categoryIn = (text: string): Category | null => {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { code, title } = parsed.value;
  if (typeof code !== 'string' || !/^[a-z]{4,12}$/.test(code)) return null;
  return typeof title === 'string' && title.length > 0 && [...title].length <= 60 ? { code, title } : null;
};

const testCategories = ({ keepsDeleted = false, ids = false, end = '' }) => {
  const categories = new Map<string, Category>();
  const create = async (request: Request): Promise<Response> => {
    const sent = categoryIn(await request.text());
    if (sent === null) return new Response(null, { status: 400 });
    if (categories.has(sent.code)) return new Response(null, { status: 409 });
    categories.set(sent.code, sent);
    return json(201, ids ? { ...sent, id: `${categories.size}` } : sent);
  };
  const respond = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const [, kind, code, ...others] = pathname.split('/');
    if (kind !== 'categories' || others.length > 0) return new Response(null, { status: 404 });
    if (pathname === `/categories${end}`)
      return request.method === 'POST' ? create(request) : new Response(null, { status: 405 });
    const known = categories.get(code ?? '');
    if (known === undefined) return new Response(null, { status: 404 });
    if (request.method === 'GET') return json(200, known);
    if (request.method !== 'DELETE') return new Response(null, { status: 405 });
    if (!keepsDeleted) categories.delete(known.code);
    return new Response(null, { status: 204 });
  };
  return runOnApi(documentWith(ids ? { id: { type: 'string' } } : {}, end), respond, { seed: 5 });
};

test.concurrent.each([{}, { ids: true }])(
  'a code of its own as the id, %j -> its resources are tested',
  async (choice) => {
    const { exitCode, alarms, report } = await testCategories(choice);
    const tested = report.requirements.filter(({ id }) => ['RES-1', 'RES-3'].includes(id));

    expect({ exitCode, alarms }).toEqual({ exitCode: 0, alarms: [] });
    expect(tested.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  },
);

test.concurrent.each(['', '/'])('/categories%s, and deletions without effect -> RES-3 fails', async (end) => {
  expect(await testCategories({ keepsDeleted: true, end })).toMatchObject({
    exitCode: 1,
    alarms: ['RES-3'],
  });
});
