import { describe, expect, test } from 'vitest';
import { applyPatches, type Patch } from '../patch.ts';
import { standardParts } from '../reference.ts';
import { jsonReply, textReply } from '../reply.ts';
import { fieldsOf, itemsOf, testServer } from '../testing.ts';
import { compose, handle, replace, replaceOperation, startAt, withState, wrap } from './core.ts';
import { accept, editSent } from './creations.ts';
import { editFields, editPets, editReply, removeHeaders, setHeader, setStatus } from './responses.ts';

const serverWith = (...patches: readonly Patch[]) => testServer({ seedPets: 3, patches });

test('patches stack: each wraps what the ones before it made, the last one outermost', async () => {
  const mark = (letter: string) => setHeader('x-marks', (before = '') => before + letter);
  const server = serverWith(mark('a'), compose(mark('b'), mark('c')), mark('d'));
  expect((await server.get('/pets')).headers.get('x-marks')).toBe('abcd');
});

test('a patch leaves the parts that it was made from as they were', () => {
  const before = { ...standardParts };
  applyPatches(standardParts, [replace('maxBodyBytes', () => 1), setHeader('x', 'y')]);
  expect(standardParts).toEqual(before);
});

test("a variable of a patch made for each server is that server's own", async () => {
  const counting = withState(() => {
    let count = 0;
    return setHeader('x-count', () => {
      count += 1;
      return String(count);
    });
  });
  for (const server of [serverWith(counting), serverWith(counting)]) {
    expect((await server.get('/pets')).headers.get('x-count')).toBe('1');
    expect((await server.get('/pets')).headers.get('x-count')).toBe('2');
  }
});

test('a replaced part is used by every other part', async () => {
  const server = serverWith(replace('keyMatches', () => (presented, key) => key.startsWith(presented)));
  expect((await server.get('/pets', { key: 'key-b' })).status).toBe(200);
});

test('a variable shared between concurrent requests mixes up their answers', async () => {
  const shared: Patch = (parts) => {
    let id = '';
    return handle('getPet', async (call, before) => {
      id = call.route.operation === 'getPet' ? call.route.petId : '';
      await parts.settle(call);
      return before({ ...call, route: { operation: 'getPet', petId: id } });
    })(parts);
  };
  const server = serverWith(shared);
  const answers = await Promise.all(['1', '2', '3'].map((id) => server.get(`/pets/${id}`)));
  expect(answers.map((answer) => fieldsOf(answer).id)).toEqual([3n, 3n, 3n]);
});

test('a slow answer takes time by the clock alone', async () => {
  const server = serverWith(
    wrap(async (call, next) => {
      await call.world.clock.sleep(5_000);
      return next();
    }),
  );
  const before = server.now;
  await server.get('/pets');
  expect(server.now - before).toBe(5_000);
});

describe('what is selected', () => {
  test.each([
    [{ operation: 'getPet' }, ['/pets/1', '/pets/9']],
    [{ operation: ['getPet', 'listOrders'] }, ['/pets/1', '/pets/9', '/store/orders']],
    [{ status: 404 }, ['/pets/9', '/nowhere']],
    [{ operation: 'getPet', status: [404, 400] }, ['/pets/9']],
    [{ when: (reply: { status: number }) => reply.status < 300 }, ['/pets', '/pets/1', '/store/orders']],
    [{ method: 'POST' }, []],
    [{}, ['/pets', '/pets/1', '/pets/9', '/store/orders', '/nowhere']],
  ] as const)('by %o are the answers to %j', async (where, paths) => {
    const server = serverWith(setHeader('x-selected', 'yes', where));
    const all = ['/pets', '/pets/1', '/pets/9', '/store/orders', '/nowhere'];
    const answers = await Promise.all(all.map((path) => server.get(path)));
    expect(all.filter((_, index) => answers[index]?.headers.has('x-selected'))).toEqual(paths);
  });
});

describe('what is changed', () => {
  test('a header of every answer can be removed, refusals too', async () => {
    const server = serverWith(removeHeaders(['date', 'x-ratelimit-reset']));
    for (const options of [{}, { key: null }, { key: 'key-free' }]) {
      const { headers } = await server.get('/pets', options);
      expect([
        headers.has('date'),
        headers.has('x-ratelimit-reset'),
        headers.has('x-ratelimit-limit'),
      ]).toEqual([false, false, true]);
    }
  });

  test('a status changes alone', async () => {
    const answer = await serverWith(setStatus(422, { status: 404 })).get('/pets/9');
    expect([answer.status, fieldsOf(answer).status]).toEqual([422, 404n]);
  });

  test('fields of an Error can be set and removed', async () => {
    const server = serverWith(editFields({ status: 404 }, () => ({ code: 7n, message: undefined })));
    expect((await server.get('/pets/9')).json).toEqual({ code: 7n, status: 404n });
  });

  test('each Pet is changed, in the list as alone, with integers exact, and nothing else is', async () => {
    const server = serverWith(editPets({}, ({ id }) => ({ id: BigInt(String(id)) + 2n ** 60n })));
    expect(fieldsOf(await server.get('/pets/1')).id).toBe(2n ** 60n + 1n);
    expect(itemsOf(await server.get('/pets')).map(({ id }) => id)).toEqual(
      [3n, 2n, 1n].map((id) => id + 2n ** 60n),
    );
    expect(fieldsOf(await server.get('/pets/9')).id).toBeUndefined();
  });

  test('a body can become any text, with its media type', async () => {
    const page = editReply({ status: 404 }, () => textReply(404, 'text/html', '<h1>Not found</h1>'));
    const answer = await serverWith(page).get('/pets/9');
    expect([answer.text, answer.headers.get('content-type')]).toEqual(['<h1>Not found</h1>', 'text/html']);
  });

  test('a media type that is removed is not put back', async () => {
    const answer = await serverWith(removeHeaders(['content-type'])).get('/pets');
    expect(answer.headers.has('content-type')).toBe(false);
  });
});

test('an operation answered in place of the server needs no key, a handled one does', async () => {
  const orders = () => jsonReply(200, 'mine');
  const replaced = serverWith(replaceOperation('listOrders', orders));
  expect((await replaced.get('/store/orders', { key: null })).json).toBe('mine');
  const handled = serverWith(handle('listOrders', orders));
  expect((await handled.get('/store/orders', { key: null })).status).toBe(401);
  expect((await handled.get('/store/orders')).json).toBe('mine');
});

describe('a creation', () => {
  test('can be changed before it is validated', async () => {
    const server = serverWith(
      editSent(({ categoryId }) => ({ categoryId: BigInt(Number.parseInt(String(categoryId), 10)) })),
    );
    expect(fieldsOf(await server.create('{"name":"x","categoryId":"12 cats"}')).categoryId).toBe(12n);
    expect((await server.create('[]')).status).toBe(400);
  });

  test('with an invalid value that is accepted shows it as sent; other rules still hold', async () => {
    const server = serverWith(accept('categoryId', (value) => typeof value === 'number'));
    expect(fieldsOf(await server.create('{"name":"x","categoryId":1.5}'))).toMatchObject({
      name: 'x',
      categoryId: 1.5,
    });
    expect((await server.create('{"name":"x","categoryId":"1.5"}')).status).toBe(400);
    expect((await server.create('{"categoryId":1.5}')).status).toBe(400);
  });

  test('without a required field that may be missing is stored', async () => {
    const server = serverWith(accept('name', (value) => value === undefined));
    expect((await server.create('{"categoryId":1}')).status).toBe(201);
    expect((await server.create('{"name":null,"categoryId":1}')).status).toBe(400);
  });
});

test('a server can live at another date: its time starts there and goes on', async () => {
  const server = serverWith(startAt('2030-12-04T23:59:59Z'));
  const first = await server.get('/pets/1');
  expect([first.status, first.headers.get('date')]).toEqual([200, 'Wed, 04 Dec 2030 23:59:59 GMT']);
  server.now += 1_000;
  expect((await server.get('/pets/1')).status).toBe(410);
});
