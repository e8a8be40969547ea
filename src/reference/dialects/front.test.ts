import { describe, expect, test } from 'vitest';
import { frontDialects } from './front.ts';
import { each, eachTakesEffect, headerOf, serverIn, statusOf } from './testing.ts';

const at = (path: string) => statusOf(`GET ${path}`);
const large = (bytes: number) => statusOf('POST /pets', { body: 'x'.repeat(bytes) });

eachTakesEffect(frontDialects, [
  [
    'front-refuses-like-nginx',
    each(
      headerOf('content-type', 'GET /pets/%zz'),
      headerOf('connection', 'GET /pets/%zz'),
      at('/pets/1%00'),
      at('/pets/%FF%FE'),
      at(`/pets?x=${'y'.repeat(8_200)}`),
      large(140_000),
    ),
    ['text/html', 'close', 400, 404, 414, 400],
  ],
  [
    'front-refuses-like-apache',
    each(at('/pets/%zz'), at('/pets/1%2F2'), headerOf('content-type', 'GET /pets/1%00')),
    [400, 404, 'text/html; charset=iso-8859-1'],
  ],
  [
    'front-refuses-like-rack',
    each(
      at('/pets/%FF'),
      headerOf('content-type', 'GET /pets?limit=%zz'),
      at('/pets?limit=1&limit%5Bgte%5D=2'),
      at('/pets?limit%5Bgte%5D=2'),
    ),
    [400, 'text/plain', 400, 200],
  ],
  [
    'front-refuses-like-fastify',
    each(at('/pets/%FF%FE'), at('/pets?status=%zz'), large(1_100_000)),
    [400, 400, 413],
  ],
  ['front-refuses-like-express', each(at('/pets/%zz'), large(102_401), large(102_400)), [400, 413, 400]],
  [
    'front-refuses-like-a-firewall',
    each(
      at('/pets/%0A'),
      at('/pets/%FF'),
      at('/pets/1%2F2'),
      at('/pets?x%5By%5D=1'),
      large(100_001),
      large(100_000),
    ),
    [403, 400, 404, 403, 413, 400],
  ],
]);

describe('a refusal in front of the application', () => {
  test.each(frontDialects)('$name: has a Date and no rate limit headers', async (dialect) => {
    const { headers } = await serverIn(dialect).get('/pets/%zz?limit=%zz', { key: null });
    expect(headers.get('date')).not.toBeNull();
    expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });
});
