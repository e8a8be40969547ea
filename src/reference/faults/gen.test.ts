import { describe, expect, test } from 'vitest';
import { createReference } from '../reference.ts';
import { fieldsOf, itemsOf, type TestAnswer, type TestServer, testKeys } from '../testing.ts';
import { mediaFaults } from './gen-media.ts';
import { shapeFaults } from './gen-shape.ts';
import { statusFaults } from './gen-status.ts';
import { created, type Difference, inTurn, newPet, status, testDifferences } from './gen-testing.ts';

type Act = Difference[0];

describe('status', () => {
  const creations = inTurn(
    created(newPet({ status: 'sold' })),
    created(newPet({ status: 'pending' })),
    created(newPet()),
  );
  const animals = inTurn(
    status('GET', '/pets/1'),
    status('GET', '/pets/1'),
    status('GET', '/pets/2'),
    status('GET', '/pets/99'),
  );
  const lists = inTurn(
    status('GET', '/pets?limit=11'),
    status('GET', '/pets?limit=12'),
    status('GET', '/pets?status=sold&limit=100'),
  );
  testDifferences(statusFaults, {
    'created-with-202-while-pending': [creations, [201, 202, 201]],
    'created-with-200-without-status': [creations, [201, 201, 200]],
    'full-page-as-partial-content': [
      inTurn(status('GET', '/pets?limit=11'), status('GET', '/pets?limit=12')),
      [206, 200],
    ],
    'animal-not-modified-when-seen-before': [animals, [200, 304, 200, 404]],
    'deprecated-operation-redirected': [animals, [301, 301, 301, 301]],
    'unknown-animal-gone': [animals, [200, 200, 200, 410]],
    'sold-animals-unavailable': [lists, [200, 200, 403]],
  });
});

describe('media type and writing', () => {
  const answersTo: readonly ((server: TestServer) => Promise<TestAnswer>)[] = [
    (server) => server.get('/pets'),
    (server) => server.create(newPet()),
    (server) => server.get('/pets/1'),
    (server) => server.create('{}'),
    (server) => server.get('/pets', { key: null }),
    (server) => server.get('/pets/99'),
    (server) => server.get('/store/orders', { key: null }),
  ];
  const of =
    (look: (answer: TestAnswer) => unknown): Act =>
    async (server) => {
      const seen: unknown[] = [];
      for (const ask of answersTo) seen.push(look(await ask(server)));
      return seen;
    };
  const types = of(({ headers }) => headers.get('content-type'));
  const json = 'application/json';
  const labelled = (...others: readonly (string | null)[]): Difference => [types, others];
  const plain = 'text/plain; charset=utf-8';
  const problem = 'application/problem+json';
  /** Which of the list, the creation and the single animal are no JSON. */
  const unreadable =
    (name: string, path = '/pets?limit=100'): Act =>
    async (server) => {
      const answers = [
        await server.create(newPet({ name })),
        await server.get(path),
        await server.get('/pets/13'),
      ];
      return answers.map((answer) => answer.json === null || answer.text.includes('\uFFFD'));
    };

  // `Response.text()` drops a byte order mark: the bytes themselves are looked at.
  const marking = mediaFaults.filter(({ name }) => name === 'list-with-byte-order-mark');
  test.each(marking)('$name: $description', async ({ patch }) => {
    const clock = { now: () => 0, sleep: async () => undefined };
    const server = createReference({ clock, keys: testKeys, random: () => 0.5, patches: [patch] });
    const headers = { authorization: 'Bearer key-business' };
    const answer = await server.fetch(new Request('http://localhost/v1/pets', { headers }));
    expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([0xef, 0xbb, 0xbf, 0x5b, 0x5d]);
  });

  const others = mediaFaults.filter((fault) => !marking.includes(fault));
  testDifferences(others, {
    'errors-labelled-as-plain-text': labelled(json, json, json, plain, plain, plain, plain),
    'errors-labelled-as-problems': labelled(json, json, json, problem, problem, problem, problem),
    'list-labelled-as-html': labelled('text/html; charset=utf-8', json, json, json, json, json, json),
    'created-animal-labelled-as-json-api': labelled(
      json,
      'application/vnd.api+json',
      json,
      json,
      json,
      json,
      json,
    ),
    'animal-without-content-type': labelled(json, json, null, json, json, json, json),
    'orders-401-as-plain-text': labelled(json, json, json, json, json, json, 'text/plain'),
    'list-with-hijacking-prefix': [unreadable('Rex'), [false, true, false]],
    'filtered-list-as-json-lines': [
      inTurn(unreadable('Rex'), unreadable('Rex', '/pets?status=sold')),
      [
        [false, false, false],
        [false, true, false],
      ],
    ],
    'animal-in-single-quotes': [unreadable('Rex'), [false, false, true]],
    'list-with-trailing-comma': [
      inTurn(unreadable('Rex'), unreadable('Rex', '/pets?limit=1')),
      [
        [false, true, false],
        [false, false, false],
      ],
    ],
    'long-list-cut-short': [
      inTurn(unreadable('Rex'), unreadable('n'.repeat(2000))),
      [
        [false, false, false],
        [false, true, false],
      ],
    ],
    'animals-in-latin-1': [
      inTurn(unreadable('Zoe', '/pets/13'), unreadable('Zo\u00eb', '/pets/14')),
      [
        [false, false, false],
        [true, true, false],
      ],
    ],
    'quotes-in-names-not-escaped': [
      inTurn(unreadable('Rex'), unreadable('a "b"')),
      [
        [false, false, false],
        [true, true, false],
      ],
    ],
  });
});

describe('shape', () => {
  const first =
    (field: string, path?: string): Act =>
    async (server) => {
      const [pet] = itemsOf(await server.get(path ?? '/pets'));
      return pet === undefined ? 'no animals' : (pet[field] ?? null);
    };
  const single =
    (field: string): Act =>
    async (server) =>
      fieldsOf(await server.get('/pets/3'))[field] ?? null;
  const creation =
    (body: string, field: string): Act =>
    async (server) =>
      fieldsOf(await server.create(body))[field] ?? null;
  const whole =
    (path: string): Act =>
    async (server) =>
      (await server.get(path)).json;
  const keys =
    (path: string): Act =>
    async (server) =>
      Object.keys(fieldsOf(await server.get(path)));
  const large = '{"name":"Rex","categoryId":9007199254740993}';

  testDifferences(shapeFaults, {
    'ids-as-strings': [inTurn(first('id'), single('id')), ['12', '3']],
    'fetched-id-as-string': [inTurn(first('id'), single('id')), [12n, '3']],
    'large-categories-as-strings': [
      inTurn(creation(large, 'categoryId'), creation(newPet(), 'categoryId')),
      ['9007199254740993', 1n],
    ],
    'listed-category-as-string': [inTurn(first('categoryId'), single('categoryId')), ['2', 3n]],
    'ids-beyond-int64': [
      inTurn(first('id'), status('GET', '/pets/9223372036854775820')),
      [2n ** 63n + 12n, 200],
    ],
    'ids-with-a-fraction': [single('id'), 3.000001],
    'listed-names-null-while-pending': [
      inTurn(first('name', '/pets?status=pending'), first('name', '/pets?status=sold')),
      [null, 'Max 12'],
    ],
    'listed-names-missing': [inTurn(first('name'), single('name')), [null, 'Luna 3']],
    'status-capitalised': [inTurn(first('status'), single('status')), ['Sold', 'Sold']],
    'fetched-status-in-capitals': [inTurn(first('status'), single('status')), ['sold', 'SOLD']],
    'listed-status-as-number': [inTurn(first('status'), single('status')), [2n, 'sold']],
    'fetched-category-in-snake-case': [keys('/pets/3'), ['id', 'name', 'status', 'category_id']],
    'created-animal-nested': [
      async (server) => Object.keys(fieldsOf(await server.create(newPet()))),
      ['pet'],
    ],
    'fetched-animal-nested': [keys('/pets/3'), ['data']],
    'fetched-animal-in-an-array': [
      async (server) => itemsOf(await server.get('/pets/3')).map(({ id }) => id),
      [3n],
    ],
    'list-wrapped-in-data': [keys('/pets'), ['data', 'total']],
    'filtered-list-wrapped': [inTurn(keys('/pets?status=sold'), keys('/pets')), [['pets'], []]],
    'single-animal-for-a-list-of-one': [
      inTurn(keys('/pets?limit=1'), keys('/pets?limit=2')),
      [['id', 'name', 'categoryId', 'status'], []],
    ],
    'list-padded-with-null': [async (server) => (await server.get('/pets')).text.match(/null/g)?.length, 8],
    'fetched-animal-encoded-twice': [
      whole('/pets/3'),
      '{"id":3,"name":"Luna 3","categoryId":3,"status":"sold"}',
    ],
    'empty-names-left-out': [
      inTurn(creation(newPet({ name: '' }), 'name'), creation(newPet(), 'name')),
      [null, 'Rex'],
    ],
    'category-zero-left-out': [
      inTurn(creation(newPet({ categoryId: 0 }), 'categoryId'), creation(newPet(), 'categoryId')),
      [null, 1n],
    ],
  });
});
