import { describe, expect, test } from 'vitest';
import { type SendOptions, testServer } from '../testing.ts';
import { bodyCrashFaults } from './gen-bodies.ts';
import { methodCrashFaults } from './gen-methods.ts';
import { parameterCrashFaults } from './gen-parameters.ts';
import { created, type Difference, inTurn, newPet, status, testDifferences } from './gen-testing.ts';

/** The answer to an odd request, and to one beside it that is served or refused as ever. */
const beside = (odd: Difference[0], twin: Difference[0], results: readonly unknown[]): Difference => [
  inTurn(odd, twin),
  results,
];

describe('paths and queries', () => {
  const list = (query: string) => status('GET', `/pets?${query}`);
  const animal = (petId: string) => status('GET', `/pets/${petId}`);
  testDifferences(parameterCrashFaults, {
    'limit-zero-crashes': beside(list('limit=0'), list('limit=101'), [500, 400]),
    'negative-limit-crashes': beside(list('limit=-1'), list('limit=0'), [500, 400]),
    'worded-limit-crashes': beside(list('limit=ten'), list('limit=0'), [500, 400]),
    'empty-limit-crashes': beside(list('limit='), list('limit=0'), [500, 400]),
    'huge-limit-crashes': beside(list(`limit=${'9'.repeat(20)}`), list('limit=4294967296'), [500, 400]),
    'repeated-limit-crashes': beside(list('limit=1&limit=2'), list('limit=1'), [500, 200]),
    'parameter-without-a-value-crashes': beside(list('status'), list('status='), [500, 400]),
    'limit-as-an-object-crashes': beside(list('limit[gte]=5'), list('limit[]=5'), [500, 200]),
    'empty-status-crashes': beside(list('status='), list('status=lost'), [500, 400]),
    'long-query-crashes': beside(list(`x=${'y'.repeat(2_000)}`), list(`x=${'y'.repeat(200)}`), [500, 200]),
    'offset-that-is-no-offset-crashes': beside(list('offset=-1'), list('offset=1'), [500, 200]),
    'worded-id-crashes': beside(animal('rex'), animal('99'), [500, 404]),
    'huge-id-crashes': beside(animal('9223372036854775808'), animal('9223372036854775807'), [500, 404]),
    'id-beyond-int32-crashes': beside(animal('2147483648'), animal('2147483647'), [500, 404]),
    'quote-in-id-crashes': beside(animal("1'"), animal('1"'), [500, 404]),
    'nul-in-id-drops-the-connection': beside(animal('1%00'), animal('1%01'), ['dropped', 404]),
    'id-zero-hangs': beside(animal('0'), animal('1'), ['late', 200]),
    'hundred-digits-hang': beside(animal('1'.repeat(300)), animal('1'.repeat(299)), ['late', 404]),
    'malformed-percent-crashes': beside(animal('%zz'), animal('%20'), [500, 404]),
  });
});

describe('methods', () => {
  const put = status('PUT', '/pets');
  const remove = status('DELETE', '/pets/99');
  testDifferences(methodCrashFaults, {
    'other-methods-crash': beside(put, remove, [500, 500]),
    'put-without-a-body-drops-the-connection': beside(put, remove, ['dropped', 405]),
    'delete-unavailable': beside(remove, put, [503, 405]),
    'head-crashes': beside(status('HEAD', '/pets'), status('GET', '/pets'), [500, 200]),
    'head-of-orders-crashes': beside(status('HEAD', '/store/orders'), status('HEAD', '/pets'), [500, 200]),
    'head-of-an-unknown-animal-crashes': beside(
      status('HEAD', '/pets/99'),
      status('HEAD', '/pets'),
      [500, 200],
    ),
    'options-crashes': beside(status('OPTIONS', '/pets'), put, [500, 405]),
    'post-on-an-animal-crashes': beside(status('POST', '/pets/99'), put, [500, 405]),
    'post-on-orders-crashes': beside(status('POST', '/store/orders'), put, [500, 405]),
    'patch-on-an-animal-crashes': beside(status('PATCH', '/pets/99'), remove, [500, 405]),
    'path-in-capitals-crashes': beside(status('GET', '/PETS'), put, [500, 405]),
    'unknown-paths-not-implemented': beside(status('GET', '/pets/1/photos'), put, [501, 405]),
    'unknown-path-crashes': beside(status('GET', '/pets/1/photos'), put, [500, 405]),
  });
});

describe('bodies', () => {
  const ordinary = created(newPet());
  const named = (name: string) => created(newPet({ name }));
  const text = (body: string, options?: SendOptions) => created(body, options);
  const category = (source: string) => text(`{"name":"Rex","categoryId":${source}}`);
  const nested = (depth: number) => text(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const mixed = Array.from({ length: 2_000 }, (_, index) => index ** 3 % 1_000_003).join('');
  const atOnce = 'creations-at-once-crash';
  const alone = bodyCrashFaults.filter(({ name }) => name !== atOnce);
  const concurrent = bodyCrashFaults.filter(({ name }) => name === atOnce);

  testDifferences(alone, {
    'blank-body-hangs': beside(text(' \n'), text(''), ['late', 400]),
    'unclosed-json-crashes': beside(text('{"name":"Rex"'), text('{,}'), [500, 400]),
    'number-as-body-crashes': beside(text('7'), text('null'), [500, 400]),
    'array-body-drops-the-connection': beside(text('[]'), text('null'), ['dropped', 400]),
    'deep-json-crashes': beside(nested(1000), nested(999), [500, 400]),
    'thousands-of-digits-crash': beside(category('9'.repeat(4_301)), category('9'.repeat(4_300)), [500, 400]),
    'body-beyond-64-kib-crashes': beside(text('x'.repeat(65_537)), text('x'.repeat(65_536)), [500, 400]),
    'invalid-utf-8-crashes': beside(created(new Uint8Array([0x22, 0xff, 0x22])), ordinary, [500, 201]),
    'repeated-member-crashes': beside(text('{"name":"a","name":"b","categoryId":1}'), text('{}'), [500, 400]),
    'other-media-type-crashes': beside(
      text(newPet(), { headers: { 'content-type': 'text/plain' } }),
      ordinary,
      [500, 201],
    ),
    'operator-as-a-member-crashes': beside(text(newPet({ $set: {} })), text(newPet({ set: {} })), [500, 201]),
    'object-as-name-crashes': beside(text('{"name":{},"categoryId":1}'), text('{"name":7}'), [500, 400]),
    'text-as-category-crashes': beside(category('"1"'), category('true'), [500, 400]),
    'category-beyond-int64-crashes': beside(
      category('9223372036854775808'),
      category('9223372036854775807'),
      [500, 201],
    ),
    'category-beyond-int32-crashes': beside(category('2147483648'), category('2147483647'), [500, 201]),
    'missing-name-crashes': beside(text('{"categoryId":1}'), text('{"name":"Rex"}'), [500, 400]),
    'long-name-crashes': beside(named('n'.repeat(256)), named('n'.repeat(255)), [500, 201]),
    'name-beyond-65535-crashes': beside(named('n'.repeat(65_536)), named('n'.repeat(65_535)), [500, 201]),
    'name-beyond-its-index-crashes': beside(named(mixed), named('n'.repeat(mixed.length)), [500, 201]),
    'emoji-in-name-crashes': beside(named('\u{1f408}'), named('\u732b'), [500, 201]),
    'name-cut-within-a-character-crashes': beside(
      named(`${'n'.repeat(63)}\u00eb`),
      named(`${'n'.repeat(62)}\u00eb`),
      [500, 201],
    ),
    'nul-in-name-crashes': beside(named('a\0b'), named('a\u0001b'), [500, 201]),
    'apostrophe-in-name-crashes': beside(named("Rex'"), named('Rex"'), [500, 201]),
    'name-of-a-property-crashes': beside(named('constructor'), named('constructors'), [500, 201]),
    'long-name-hangs': beside(named('n'.repeat(1000)), named('n'.repeat(999)), ['late', 201]),
    'nul-in-name-breaks-the-list': [
      inTurn(
        status('GET', '/pets'),
        text('{"name":"a\\u0000b","categoryId":1}'),
        status('GET', '/pets'),
        status('GET', '/pets/13'),
      ),
      [200, 201, 500, 200],
    ],
    'lone-surrogate-breaks-the-list': [
      inTurn(
        status('GET', '/pets'),
        text('{"name":"\\ud83d","categoryId":1}'),
        status('GET', '/pets'),
        status('GET', '/pets/13'),
        status('GET', '/pets/1'),
      ),
      [200, 201, 500, 500, 200],
    ],
    'disk-full-after-fifty-creations': [
      inTurn(...Array.from({ length: 52 }, () => ordinary)),
      [...Array<number>(50).fill(201), 503, 503],
    ],
  });

  test(`${atOnce}: the second one fails, a later one does not`, async () => {
    const server = testServer({ patches: concurrent.map(({ patch }) => patch) });
    expect((await Promise.all([ordinary(server), ordinary(server)])).toSorted()).toEqual([201, 500]);
    expect(await ordinary(server)).toBe(201);
  });
});
