import { expect } from 'vitest';
import { listDialects } from './lists.ts';
import { replicaDialects } from './replicas.ts';
import {
  after,
  bodyOf,
  each,
  eachTakesEffect,
  headerOf,
  type Look,
  listed,
  statusOf,
  wait,
} from './testing.ts';

const badLimits = each(
  statusOf('GET /pets?limit=0'),
  statusOf('GET /pets?limit=x'),
  statusOf('GET /pets?status=x'),
);
const get = (query: string) => listed('id', `?${query}`);

eachTakesEffect(listDialects, [
  ['bad-limit-422', badLimits, [422, 422, 400]],
  ['bad-limit-404', badLimits, [404, 404, 400]],
  ['limit-clamped', each(get('limit=0'), get('limit=-9'), get('limit=101')), [[3n], [3n], [3n, 2n, 1n]]],
  [
    'limit-out-of-range-ignored',
    each(get('limit=0'), get('limit=999')),
    [
      [3n, 2n, 1n],
      [3n, 2n, 1n],
    ],
  ],
  [
    'limit-zero-lists-none',
    each(bodyOf('GET /pets?limit=0'), statusOf('GET /pets?limit=0'), statusOf('GET /pets?limit=101')),
    [[], 200, 400],
  ],
  [
    'limit-no-integer-ignored',
    each(get('limit=x'), get('limit=1.5')),
    [
      [3n, 2n, 1n],
      [3n, 2n, 1n],
    ],
  ],
  [
    'limit-cut-to-an-integer',
    each(get('limit=2.9'), get('limit=1e2'), badLimits),
    [[3n, 2n], [3n], [400, 400, 400]],
  ],
  [
    'limit-read-leniently',
    each(get('limit=%2B2'), get('limit=001'), get('limit=%202')),
    [[3n, 2n], [3n], [3n, 2n]],
  ],
  ['limit-empty-ignored', each(get('limit='), statusOf('GET /pets?limit=x')), [[3n, 2n, 1n], 400]],
  ['unknown-status-422', badLimits, [400, 400, 422]],
  [
    'unknown-status-lists-none',
    each(statusOf('GET /pets?status=x'), bodyOf('GET /pets?status=x')),
    [200, []],
  ],
  ['unknown-status-ignored', get('status=x'), [3n, 2n, 1n]],
  ['status-filter-without-case', each(get('status=SOLD'), statusOf('GET /pets?status=x')), [[3n], 400]],
  ['empty-status-ignored', each(get('status='), statusOf('GET /pets?status=x')), [[3n, 2n, 1n], 400]],
  [
    'first-of-repeated-parameters',
    each(get('limit=1&limit=2'), get('status=sold&status=pending')),
    [[3n], [3n]],
  ],
  [
    'last-of-repeated-parameters',
    each(get('limit=1&limit=2'), get('status=sold&status=pending')),
    [[3n, 2n], [2n]],
  ],
  [
    'pages-by-number',
    each(get('limit=1&page=2'), headerOf('link', 'GET /pets?limit=2')),
    [[2n], '</v1/pets?limit=2&page=1>; rel="first", </v1/pets?limit=2&page=2>; rel="next"'],
  ],
  [
    'total-count',
    each(headerOf('x-total-count', 'GET /pets?limit=1'), headerOf('x-total-count', 'GET /pets?status=sold')),
    ['3', '1'],
  ],
]);

const create: Look = (server) => server.create('{"name":"x","categoryId":1}');
const reads = each(listed('id', '?limit=1'), statusOf('GET /pets/4'));
const timeline = after([get('limit=1'), create], each(reads, reads, wait(1_500), reads));
const took =
  (look: Look): Look =>
  async (server) => {
    const before = server.now;
    await look(server);
    return server.now - before;
  };
const times = each(took(create), took(get('limit=1')), took(statusOf('GET /nothing')));

eachTakesEffect(replicaDialects, [
  ['list-lags', timeline, [[[3n], 200], [[3n], 200], undefined, [[4n], 200]]],
  ['reads-lag', timeline, [[[3n], 404], [[3n], 404], undefined, [[4n], 200]]],
  [
    'every-other-read-lags',
    after([create], each(...[1, 2, 3].map(() => listed('id', '?limit=1')), wait(1_500), reads)),
    [[3n], [4n], [3n], undefined, [[4n], 200]],
  ],
  ['lists-cached', timeline, [[[3n], 200], [[3n], 200], undefined, [[4n], 200]]],
  ['slow', times, [2_000, 2_000, 0]],
  ['slow-creations', times, [2_000, 0, 0]],
  ['slow-network', times, [2_000, 2_000, expect.any(Number)]],
]);
