import { expect, test } from 'vitest';
import { exchangeOf } from '../../test/support/build.ts';
import { createPet } from '../check/requests.ts';
import { missingFromPage } from './missing-from-page.ts';

const creationOf = (id: bigint) => exchangeOf(createPet({ name: `Rex ${id}` }), { status: 201 });

test('shows the creations of the first missing animals, and beside them of those that are listed', () => {
  const wanted = [1n, 2n, 3n, 4n, 5n, 6n].map((id, at) => ({ id, at }));
  const found = missingFromPage(
    { wanted, listed: [2n, 9n, 3n], most: 100, status: null },
    { creationsOf: (id) => [creationOf(id)] },
  );
  const bodies = (exchanges: typeof found.origin = []) => exchanges.map(({ request }) => request.body);
  expect(found.problem).toMatchObject({ in: 'page', wanted, listed: [2n, 9n, 3n], most: 100, status: null });
  expect(found.about).toMatchObject({
    kind: 'creation',
    exchange: { request: { body: '{"name":"Rex 1"}' } },
  });
  expect(bodies(found.origin)).toEqual(['{"name":"Rex 1"}', '{"name":"Rex 4"}', '{"name":"Rex 5"}']);
  expect(bodies(found.beside)).toEqual(['{"name":"Rex 2"}', '{"name":"Rex 3"}']);
});
