import { describe, expect, test } from 'vitest';
import { fieldsOf, testServer } from './testing.ts';

const everyOperation = ['GET /pets', 'POST /pets', 'GET /pets/1', 'GET /store/orders'] as const;
const send = (line: string, options = {}, server = testServer({ seedPets: 1 })) => {
  const [method = '', path = ''] = line.split(' ');
  return server.send(method, path, options);
};

describe('authentication', () => {
  const refused: readonly (readonly [string, object])[] = [
    ['no header', { key: null }],
    ['an unknown key', { key: 'key-none' }],
    ['an empty token', { key: '' }],
    ['the key cut short', { key: 'key-busines' }],
    ['the key made longer', { key: 'key-businesss' }],
    ['the key in capitals', { key: 'KEY-BUSINESS' }],
    ['another scheme', { key: null, headers: { authorization: 'Basic key-business' } }],
    ['no scheme', { key: null, headers: { authorization: 'key-business' } }],
    ['another header', { key: null, headers: { 'x-api-key': 'key-business' } }],
  ];
  describe.each(everyOperation)('%s', (operation) => {
    test.each(refused)('is refused with %s: 401, an Error and a challenge', async (_what, options) => {
      const answer = await send(operation, options);
      expect(answer.status).toBe(401);
      expect(fieldsOf(answer)).toMatchObject({ status: 401n, code: 'unauthorized' });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    });

    test('is not refused with a valid key, however the scheme is written', async () => {
      const headers = { authorization: 'bEARER  key-free' };
      expect((await send(operation, { key: null, headers })).status).not.toBe(401);
    });
  });

  test.each(['GET /pets?limit=0', 'GET /pets/99', 'GET /nowhere', 'DELETE /pets', 'GET /pets?key=key-free'])(
    'comes before everything else: %s without a key is 401',
    async (line) => {
      expect((await send(line, { key: null })).status).toBe(401);
    },
  );

  test('a refused creation stores nothing', async () => {
    const server = testServer();
    await server.create('{"name":"x","categoryId":1}', { key: 'wrong' });
    expect((await server.get('/pets')).json).toEqual([]);
  });
});
