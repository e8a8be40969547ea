import { describe, expect, test } from 'vitest';
import { applyPatches, type Patch } from '../patch.ts';
import { standardParts } from '../reference.ts';
import { fieldsOf, testServer } from '../testing.ts';
import { compose, handle, replace, withState, wrap } from './core.ts';
import { setHeader } from './responses.ts';

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
