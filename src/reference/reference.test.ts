import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replace } from './patch-kit/core.ts';
import { fieldsOf, testServer } from './testing.ts';

/* Tests only choices that the document does not specify: the self-test and every run on the server show that it conforms. */

const rateLimitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const newPet = '{"name":"Bella","categoryId":7}';

const send = (line: string, options = {}, server = testServer({ seedPets: 1 })) => {
  const [method = '', path = ''] = line.split(' ');
  return server.send(method, path, options);
};

test.each([
  ['GET /pets?limit=1&limit=2', 400],
  ['GET /pets?limit=%2B1', 400],
  ['GET /pets?status=', 400],
  ['GET /pets?status=sold&status=sold', 400],
  ['GET /pets/01', 404],
  ['GET /pets/1.0', 404],
  ['GET /pets/%00', 404],
  ['GET /pets/1%', 404],
  ['GET /pets/1/2', 404],
  ['GET /pets/', 404],
  ['GET /nowhere', 404],
  ['DELETE /pets', 405],
  ['PUT /pets/1', 405],
])('%s -> %i with an Error', async (line, status) => {
  const response = await send(line);
  expect([response.status, fieldsOf(response).status]).toEqual([status, BigInt(status)]);
  expect(response.headers.get('date')).toBe('Sun, 01 Mar 2026 12:00:00 GMT');
  for (const name of rateLimitHeaders) expect(response.headers.get(name)).toMatch(/^\d+$/);
  expect((await send(line, { key: null })).status).toBe(401);
});

test.each([
  ['a name twice', '{"name":"x","name":"y","categoryId":1}'],
  ['endless nesting', '['.repeat(100_000)],
  [
    'invalid UTF-8',
    Uint8Array.from([...Buffer.from('{"categoryId":1,"name":"'), 0xff, ...Buffer.from('"}')]),
  ],
])('creation with %s -> 400', async (_, body) => {
  expect((await send('POST /pets', { body })).status).toBe(400);
});

test('creation -> the error names every broken rule, and an id in the body is ignored', async () => {
  const server = testServer({ seedPets: 1 });
  expect(fieldsOf(await server.create('{"status":"gone"}')).message).toMatch(/name.*categoryId.*status/);
  expect(fieldsOf(await server.create(`{"id":1,${newPet.slice(1)}`))).toMatchObject({
    id: 2n,
    status: 'available',
  });
});

test.each<Readonly<Record<string, string>>>([{ 'content-length': '1000001' }, {}])(
  'body above a megabyte -> 413 (headers: %o)',
  async (headers) => {
    expect((await testServer().create(' '.repeat(1_000_001), { headers })).status).toBe(413);
  },
);

test('HEAD -> no body; 405 -> the allowed methods', async () => {
  expect(await send('HEAD /pets')).toMatchObject({ status: 200, text: '' });
  expect((await send('DELETE /pets')).headers.get('allow')).toBe('GET, HEAD, POST');
});

test.each(['GET /pets', 'POST /pets', 'GET /pets/1', 'GET /store/orders'])(
  '%s -> lets other requests in between reading and responding',
  async (line) => {
    let settled = 0;
    const count = replace('settle', () => async () => {
      settled += 1;
    });
    await send(line, { body: line.startsWith('POST') ? newPet : null }, testServer({ patches: [count] }));
    expect(settled).toBe(1);
  },
);

test('any request -> no server error, and every error is an Error', async () => {
  const keys = [{ key: 'k', plan: 'free', window: { limit: 1e6, seconds: 9 } }] as const;
  const server = testServer({ seedPets: 3, keys });
  const path = fc.oneof(
    fc.webPath(),
    fc.constantFrom('/pets', '/pets/', '/store/orders'),
    fc.string({ unit: 'binary' }).map((text) => `/pets/${text}`),
  );
  const query = fc.oneof(
    fc.webQueryParameters(),
    fc.string().map((text) => `limit=${text}&status=${text}`),
  );
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'BREW');
  const body = fc.oneof(fc.json(), fc.uint8Array(), fc.string({ unit: 'binary' }));
  const key = fc.constantFrom('k', null);
  await fc.assert(
    fc.asyncProperty(method, path, query, body, key, async (verb, at, queryText, sent, presented) => {
      const isBodiless = verb === 'GET' || verb === 'HEAD';
      const withBody = isBodiless ? {} : { body: typeof sent === 'string' ? sent : new Uint8Array(sent) };
      const response = await server.send(verb, `${at}?${queryText}`, { key: presented, ...withBody });
      expect(response.status).toBeLessThan(500);
      for (const name of rateLimitHeaders) expect(response.headers.has(name)).toBe(true);
      if (response.status >= 400 && verb !== 'HEAD')
        expect(fieldsOf(response)).toMatchObject({ status: BigInt(response.status) });
    }),
    { numRuns: 400 },
  );
});
