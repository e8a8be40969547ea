import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createReference } from '../reference.ts';
import { testKeys } from '../testing.ts';
import { resourceDialects } from './resources.ts';
import { each, eachTakesEffect, headerOf, statusOf } from './testing.ts';

const orders = { body: '{}' };
const zippedBody = { body: '{}', headers: { 'content-encoding': 'gzip' } };
const takingGzip = { headers: { 'accept-encoding': 'gzip' } };

eachTakesEffect(resourceDialects, [
  ['head-404', each(statusOf('HEAD /pets'), statusOf('GET /pets')), [404, 200]],
  ['head-refused-in-front', each(statusOf('HEAD /pets'), headerOf('date', 'HEAD /pets')), [403, null]],
  [
    'preflights-answered-in-front',
    each(statusOf('OPTIONS /pets', { key: null }), headerOf('date', 'OPTIONS /pets')),
    [200, null],
  ],
  [
    'options-described',
    each(statusOf('OPTIONS /pets'), statusOf('OPTIONS /pets', { key: null })),
    [200, 401],
  ],
  [
    'more-methods',
    each(
      statusOf('PUT /pets'),
      statusOf('POST /store/orders', orders),
      statusOf('DELETE /pets/9'),
      statusOf('PATCH /pets/9'),
    ),
    [200, 201, 404, 422],
  ],
  ['other-methods-forbidden', each(statusOf('PUT /pets'), statusOf('DELETE /pets/9')), [403, 403]],
  [
    'slash-at-the-end-redirected',
    each(statusOf('GET /pets/'), headerOf('location', 'GET /pets/')),
    [301, '/v1/pets'],
  ],
  ['capitals-redirected', headerOf('location', 'GET /PETS'), '/v1/pets'],
  ['unknown-paths-served-a-page', statusOf('GET /pets/1/photos'), 200],
  [
    'unknown-parameters-refused',
    each(statusOf('GET /pets?page=1'), statusOf('GET /pets?limit=1'), statusOf('GET /store/orders?x')),
    [400, 200, 400],
  ],
  [
    'bodies-zipped',
    each(headerOf('content-encoding', 'GET /pets', takingGzip), headerOf('content-encoding', 'GET /pets')),
    ['gzip', null],
  ],
  ['content-encoding-refused', statusOf('POST /pets', zippedBody), 415],
  ['headers-of-gateways', headerOf('via', 'GET /pets'), '1.1 edge, 1.0 fred (Apache)'],
  [
    'challenge-of-two-schemes',
    headerOf('www-authenticate', 'GET /pets', { key: null }),
    'Digest realm="pets", nonce="x", Bearer realm="pets"',
  ],
]);

test('bodies-zipped: a body that is unpacked is the body', async () => {
  const patches = resourceDialects.filter(({ name }) => name === 'bodies-zipped').map(({ patch }) => patch);
  const server = createReference({
    clock: { now: () => 0, sleep: async () => {} },
    keys: testKeys,
    random: () => 0.5,
    patches,
  });
  const headers = { authorization: 'Bearer key-business', 'accept-encoding': 'gzip' };
  const response = await server.fetch(new Request('http://localhost/v1/pets', { headers }));
  expect(gunzipSync(await response.arrayBuffer()).toString()).toBe('[]');
});
