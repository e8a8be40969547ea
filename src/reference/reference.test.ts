import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replace } from './patch-kit/core.ts';
import { fieldsOf, itemsOf, testServer } from './testing.ts';

const rateLimitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const send = (line: string, options = {}, server = testServer({ seedPets: 1 })) => {
  const [method = '', path = ''] = line.split(' ');
  return server.send(method, path, options);
};

const newPet = '{"name":"Bella","categoryId":7}';

describe('creating an animal', () => {
  test('answers 201 with what was sent, an id, and the status available where none was sent', async () => {
    const answer = await testServer().create(newPet);
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({ id: 1n, name: 'Bella', categoryId: 7n, status: 'available' });
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  test('keeps name and int64 to the letter and the digit, in the answer, alone and in the list', async () => {
    const names = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'a\0b', ' x  y ', ''));
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const status = fc.constantFrom('available', 'pending', 'sold');
    await fc.assert(
      fc.asyncProperty(names, int64, status, async (name, categoryId, wanted) => {
        const server = testServer({ seedPets: 3 });
        const created = await server.create(
          `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${wanted}"}`,
        );
        expect(created.json).toEqual({ id: 4n, name, categoryId, status: wanted });
        expect((await server.get('/pets/4')).json).toEqual(created.json);
        expect((await server.get(`/pets?status=${wanted}`)).json).toContainEqual(created.json);
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"name":'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['null', 'null'],
    ['no name', '{"categoryId":1}'],
    ['no categoryId', '{"name":"x"}'],
    ['a name that is no string', '{"name":1,"categoryId":1}'],
    ['a name that is null', '{"name":null,"categoryId":1}'],
    ['a fraction', '{"name":"x","categoryId":1.5}'],
    ['a string of digits', '{"name":"x","categoryId":"1"}'],
    ['2^63', '{"name":"x","categoryId":9223372036854775808}'],
    ['below -2^63', '{"name":"x","categoryId":-9223372036854775809}'],
    ['1e300', '{"name":"x","categoryId":1e300}'],
    ['an unknown status', '{"name":"x","categoryId":1,"status":"Sold"}'],
    ['a status that is null', '{"name":"x","categoryId":1,"status":null}'],
    ['a name twice', '{"name":"x","name":"y","categoryId":1}'],
    ['nesting without end', '['.repeat(100_000)],
  ])('refuses %s with 400 and stores nothing', async (_what, body) => {
    const server = testServer();
    const answer = await server.create(body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer).status).toBe(400n);
    expect((await server.get('/pets')).json).toEqual([]);
  });

  test('refuses bytes that are no UTF-8 with 400', async () => {
    const body = Uint8Array.from([...Buffer.from('{"categoryId":1,"name":"'), 0xff, ...Buffer.from('"}')]);
    expect((await testServer().send('POST', '/pets', { body })).status).toBe(400);
  });

  test('names every rule that the body breaks', async () => {
    const answer = await testServer().create('{"status":"gone"}');
    expect(fieldsOf(answer).message).toMatch(/name.*categoryId.*status/);
  });

  test('lets no id in the body replace an animal', async () => {
    const server = testServer({ seedPets: 1 });
    expect(fieldsOf(await server.create('{"id":1,"name":"x","categoryId":1}')).id).toBe(2n);
    expect(fieldsOf(await server.get('/pets/1')).name).toBe('Bella 1');
  });

  test('gives every animal its own id, also when many are created at once', async () => {
    const server = testServer();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => server.create(`{"name":"n${n}","categoryId":1}`)),
    );
    expect(answers.map((answer) => fieldsOf(answer).name)).toEqual(answers.map((_, n) => `n${n}`));
    expect(new Set(answers.map((answer) => fieldsOf(answer).id)).size).toBe(50);
  });

  test.each<Readonly<Record<string, string>>>([{ 'content-length': '1000001' }, {}])(
    'refuses a body beyond a megabyte with 413 and an Error (headers: %o)',
    async (headers) => {
      const answer = await testServer().create(' '.repeat(1_000_001), { headers });
      expect(answer.status).toBe(413);
      expect(fieldsOf(answer).status).toBe(413n);
    },
  );
});

describe('listing animals', () => {
  test('shows the newest 20 by default', async () => {
    const answer = await testServer({ seedPets: 30 }).get('/pets');
    expect(itemsOf(answer).map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, n) => 30n - BigInt(n)),
    );
  });

  test.each([1, 2, 99, 100])('shows %i animals with that limit', async (limit) => {
    expect(itemsOf(await testServer({ seedPets: 120 }).get(`/pets?limit=${limit}`))).toHaveLength(limit);
  });

  test.each(['0', '-1', '101', '1.5', 'abc', '', '1e1', '999999999999999999999', '1&limit=2', '%'])(
    'refuses limit=%s with 400',
    async (limit) => {
      const answer = await testServer({ seedPets: 1 }).get(`/pets?limit=${limit}`);
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer).status).toBe(400n);
    },
  );

  test('filters by status before it cuts to the limit', async () => {
    const answer = await testServer({ seedPets: 90 }).get('/pets?status=sold&limit=25');
    expect(itemsOf(answer).map(({ status }) => status)).toEqual(Array(25).fill('sold'));
  });

  test.each(['SOLD', '', 'sold,pending', 'sold&status=sold'])(
    'refuses status=%s with 400',
    async (status) => {
      expect((await testServer().get(`/pets?status=${status}`)).status).toBe(400);
    },
  );
});

describe('getting an animal', () => {
  test.each([
    '0',
    '99',
    '-1',
    '9223372036854775807',
    '9223372036854775808',
    '1.0',
    '01',
    'abc',
    '%20',
    '1%',
    '1/2',
    '%00',
  ])('answers 404 with an Error to %s', async (petId) => {
    const answer = await testServer({ seedPets: 1 }).get(`/pets/${petId}`);
    expect(answer.status).toBe(404);
    expect(fieldsOf(answer).status).toBe(404n);
  });

  test('announces deprecation and removal in the forms of RFC 9745 and RFC 8594', async () => {
    const { headers } = await testServer({ seedPets: 1 }).get('/pets/1');
    expect(headers.get('deprecation')).toBe('@1764892800');
    expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  });

  test('works until 5 December 2030 and is gone from then on', async () => {
    const before = testServer({ seedPets: 1, now: '2030-12-04T23:59:59.999Z' });
    expect((await before.get('/pets/1')).status).toBe(200);
    const answer = await testServer({ seedPets: 1, now: '2030-12-05T00:00:00Z' }).get('/pets/1');
    expect(answer.status).toBe(410);
    expect(fieldsOf(answer).status).toBe(410n);
  });
});

describe('every response', () => {
  test.each([
    ['GET /store/orders', 200],
    ['GET /pets', 200],
    ['HEAD /pets', 200],
    ['POST /pets', 400],
    ['GET /pets/99', 404],
    ['GET /nowhere', 404],
    ['GET /pets/', 404],
    ['DELETE /pets', 405],
    ['PUT /pets/1', 405],
  ])('%s is %i, dated by the clock, and carries the rate limit headers', async (line, status) => {
    const answer = await send(line);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('date')).toBe('Sun, 01 Mar 2026 12:00:00 GMT');
    for (const name of rateLimitHeaders) expect(answer.headers.get(name)).toMatch(/^\d+$/);
  });

  test('to HEAD has no body', async () => {
    expect((await send('HEAD /pets')).text).toBe('');
  });

  test.each(['GET /pets', 'POST /pets', 'GET /pets/1', 'GET /store/orders'])(
    'to %s lets other requests in between reading and answering',
    async (line) => {
      let settled = 0;
      const count = replace('settle', () => async () => {
        settled += 1;
      });
      await send(line, { body: line.startsWith('POST') ? newPet : null }, testServer({ patches: [count] }));
      expect(settled).toBe(1);
    },
  );

  test('405 names the methods that there are', async () => {
    expect((await send('DELETE /pets')).headers.get('allow')).toBe('GET, HEAD, POST');
  });

  test('is never a server failure, whatever is sent', async () => {
    const server = testServer({
      seedPets: 3,
      keys: [{ key: 'k', plan: 'free', window: { limit: 1e6, seconds: 9 } }],
    });
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
    await fc.assert(
      fc.asyncProperty(
        method,
        path,
        query,
        body,
        fc.constantFrom('k', null),
        async (verb, at, asked, sent, key) => {
          const withBody =
            verb === 'GET' || verb === 'HEAD'
              ? {}
              : { body: typeof sent === 'string' ? sent : new Uint8Array(sent) };
          const answer = await server.send(verb, `${at}?${asked}`, { key, ...withBody });
          expect(answer.status).toBeLessThan(500);
          for (const name of rateLimitHeaders) expect(answer.headers.has(name)).toBe(true);
          if (answer.status >= 400 && verb !== 'HEAD')
            expect(fieldsOf(answer)).toMatchObject({ status: BigInt(answer.status) });
        },
      ),
      { numRuns: 400 },
    );
  });
});
