import { expect } from 'vitest';
import { itemsOf } from '../testing.ts';
import { cursorDialects } from './cursors.ts';
import { after, each, eachTakesEffect, headerOf, type Look, listed, times, wait } from './testing.ts';
import { transitionDialects } from './transitions.ts';

const create =
  (status?: string): Look =>
  (server) =>
    server.create(`{"name":"Ada","categoryId":2${status === undefined ? '' : `,"status":"${status}"`}}`);

/** The status of the newest animal in the list and by its id. */
const statuses: Look = async (server) => {
  const [newest] = itemsOf(await server.get('/pets'));
  const alone = await server.get(`/pets/${newest?.id}`);
  return [newest?.status, alone.text.match(/"status":"(\w+)"/)?.[1]];
};

/** Those of an animal right after its creation and so many milliseconds later. */
const statusesAfter = (ms: number, status?: string): Look =>
  each(after([create(status)], statuses), after([wait(ms)], statuses));
const both = (status: string | undefined): readonly (string | undefined)[] => [status, status];

eachTakesEffect(transitionDialects, [
  ['sold-after-400-ms', statusesAfter(400, 'pending'), [both('pending'), both('sold')]],
  ['sold-after-two-seconds', statusesAfter(2_000, 'pending'), [both('pending'), both('sold')]],
  ['sold-at-any-time', statusesAfter(8_000, 'pending'), [both('pending'), both('sold')]],
  [
    'every-third-animal-sold',
    each(create('pending'), create('pending'), create('pending'), wait(500), listed('status', '?limit=4')),
    [
      expect.anything(),
      expect.anything(),
      expect.anything(),
      undefined,
      ['sold', 'pending', 'pending', 'sold'],
    ],
  ],
  ['reserved-then-sold', statusesAfter(300, 'available'), [both('available'), both('pending')]],
  ['sold-animals-come-back', statusesAfter(700, 'sold'), [both('sold'), both('available')]],
  ['status-set-later', statusesAfter(600), [both(undefined), both('available')]],
  ['status-goes-round-slowly', statusesAfter(900, 'sold'), [both('sold'), both('available')]],
  ['status-goes-round-fast', statusesAfter(600, 'sold'), [both('sold'), both('pending')]],
  [
    'status-of-the-oldest-changes',
    after(times(2, listed('id')), listed('status')),
    ['sold', 'pending', 'pending'],
  ],
  [
    'first-listed-is-reserved',
    after([create('available'), listed('id', '?status=available')], statuses),
    both('pending'),
  ],
]);

const page =
  (query = ''): Look =>
  async (server) =>
    itemsOf(await server.get(`/pets${query}`)).length;
const withNext = (name: string, query = ''): Look => each(page(query), headerOf(name, `GET /pets${query}`));
const filled = (look: Look): Look => after(times(60, create()), look);
const next = (at: number): string => `/v1/pets?cursor=${at}&sort=name,id`;

eachTakesEffect(cursorDialects, [
  ['cursor-in-a-link', filled(withNext('link', '?limit=50')), [10, `<${next(10)}>; rel="next"`]],
  [
    'cursor-in-a-link-unquoted',
    filled(withNext('link', '?limit=50')),
    [25, `<${next(25)}>;title="a, b; rel=prev";REL=Next`],
  ],
  [
    'cursor-in-a-link-of-two-relations',
    filled(withNext('link')),
    [10, `<${next(10)}>; type="application/json"; rel="next last"`],
  ],
  ['cursor-in-a-header', filled(withNext('x-next-cursor')), [19, '19']],
  ['cursor-null-at-the-end', filled(withNext('next-cursor', '?limit=100&cursor=50')), [13, 'null']],
  ['cursor-empty-at-the-end', filled(withNext('x-next-page', '?limit=100&cursor=60')), [3, '']],
  ['continuation-token', filled(withNext('x-continuation-token', '?limit=100')), [40, '40']],
  [
    'cursor-without-a-limit',
    filled(each(page('?limit=50'), withNext('link'))),
    [50, [5, `<${next(5)}>; rel=next`]],
  ],
  ['cursor-with-a-limit', filled(each(page(), withNext('x-has-more', '?limit=50'))), [20, [15, 'true']]],
  ['content-range', filled(withNext('content-range', '?cursor=60')), [3, 'items 60-62/63']],
  ['total-above-the-page', filled(withNext('x-total-count')), [8, '63']],
  [
    'pages-counted',
    filled(each(page(), headerOf('x-page', 'GET /pets'), headerOf('x-total-pages', 'GET /pets'))),
    [10, '1', '7'],
  ],
]);
