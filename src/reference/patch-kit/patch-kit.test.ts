import { describe, expect, test } from 'vitest';
import { applyPatches, type Patch } from '../patch.ts';
import { standardParts } from '../reference.ts';
import { fieldsOf, testServer } from '../testing.ts';
import { compose, handle, replace, withState } from './core.ts';
import { setHeader } from './responses.ts';

const serverWith = (...patches: readonly Patch[]) => testServer({ seedPets: 3, patches });

test('patches: each wraps the ones before it', async () => {
  const mark = (letter: string) => setHeader('x-marks', (before = '') => before + letter);
  const server = serverWith(mark('a'), compose(mark('b'), mark('c')), mark('d'));
  expect((await server.get('/pets')).headers.get('x-marks')).toBe('abcd');
});

test('patches: the original parts do not change', () => {
  const before = { ...standardParts };
  applyPatches(standardParts, [replace('maxBodyBytes', () => 1), setHeader('x', 'y')]);
  expect(standardParts).toEqual(before);
});

test('withState: each server has its own variables', async () => {
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

test('variable shared by concurrent requests -> mixes up their responses', async () => {
  const shared: Patch = (parts) => {
    let id = '';
    return handle('getPet', async (call, before) => {
      id = call.route.operation === 'getPet' ? call.route.petId : '';
      await parts.settle(call);
      return before({ ...call, route: { operation: 'getPet', petId: id } });
    })(parts);
  };
  const server = serverWith(shared);
  const responses = await Promise.all(['1', '2', '3'].map((id) => server.get(`/pets/${id}`)));
  expect(responses.map((response) => fieldsOf(response).id)).toEqual([3n, 3n, 3n]);
});

describe('response filter', () => {
  test.each([
    [{ operation: 'getPet' }, ['/pets/1', '/pets/9']],
    [{ operation: ['getPet', 'listOrders'] }, ['/pets/1', '/pets/9', '/store/orders']],
    [{ status: 404 }, ['/pets/9', '/nowhere']],
    [{ operation: 'getPet', status: [404, 400] }, ['/pets/9']],
    [{ when: (reply: { status: number }) => reply.status < 300 }, ['/pets', '/pets/1', '/store/orders']],
    [{ method: 'POST' }, []],
    [{}, ['/pets', '/pets/1', '/pets/9', '/store/orders', '/nowhere']],
  ] as const)('%o -> the responses to %j', async (filter, paths) => {
    const server = serverWith(setHeader('x-selected', 'yes', filter));
    const all = ['/pets', '/pets/1', '/pets/9', '/store/orders', '/nowhere'];
    const responses = await Promise.all(all.map((path) => server.get(path)));
    expect(all.filter((_, index) => responses[index]?.headers.has('x-selected'))).toEqual(paths);
  });
});
