import { describe, expect, test } from 'vitest';
import { handle } from '../patches.ts';
import { itemsOf, type SendOptions, type TestServer, testServer } from '../testing.ts';
import { authEffectFaults, challengeFaults } from './auth-effects.ts';
import { invalidKeyFaults } from './auth-invalid.ts';
import { misplacedKeyFaults } from './auth-misplaced.ts';
import { authOrderFaults } from './auth-order.ts';
import {
  created,
  type Difference,
  everywhere,
  inTurn,
  keyless,
  newPet,
  status,
  testDifferences,
} from './gen-testing.ts';

const withKey = (key: string): SendOptions => ({ key });
const withHeader = (name: string, value: string): SendOptions => ({ key: null, headers: { [name]: value } });
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('with an invalid key', () => {
  const beside = 'invalid-key-served-beside-a-valid-one';
  const alone = invalidKeyFaults.filter(({ name }) => name !== beside);
  const concurrent = invalidKeyFaults.filter(({ name }) => name === beside);
  const accepts = (key: string): Difference => [
    inTurn(
      status('GET', '/pets'),
      status('GET', '/pets', withKey(key)),
      status('GET', '/pets', withKey('?')),
    ),
    [200, 200, 401],
  ];
  testDifferences(alone, {
    'key-compared-by-prefix': accepts('key-busi'),
    'key-compared-by-suffix': accepts('ey-business'),
    'longer-keys-accepted': accepts('key-businessx'),
    'key-searched-in-the-token': accepts('xkey-business'),
    'key-compared-without-case': accepts('KEY-BUSINESS'),
    'key-compared-by-length': accepts('????????????'),
    'last-character-of-the-key-ignored': accepts('key-businesZ'),
    'first-character-of-the-key-ignored': accepts('Zey-business'),
    'middle-of-the-key-ignored': accepts('key-???ess'),
    'key-compared-by-its-form': accepts('abc-defghijk'),
    'characters-of-the-key-in-any-order': accepts('business-key'),
    'padding-of-the-key-ignored': accepts('key-business=='),
    'token-taken-for-a-pattern': accepts('.*'),
    'key-behind-the-last-bearer': accepts('Bearer key-business'),
    'any-key-accepted': [everywhere(withKey('other')), [200, 201, 200, 200]],
    'any-key-accepted-for-orders': [everywhere(withKey('other')), [401, 401, 401, 200]],
    'any-key-accepted-for-creations': [everywhere(withKey('other')), [401, 201, 401, 401]],
    'any-key-accepted-for-one-animal': [everywhere(withKey('other')), [401, 401, 200, 401]],
    'empty-token-accepted': [everywhere(withHeader('authorization', 'Bearer ')), [200, 201, 200, 200]],
    'keys-looked-up-in-an-object': accepts('constructor'),
    'empty-header-accepted': [everywhere(withHeader('authorization', '')), [200, 201, 200, 200]],
    'key-up-to-a-space': accepts('key-business x'),
    'key-up-to-what-no-key-holds': accepts('key-business!'),
    'key-searched-with-like': accepts('%'),
    'token-beyond-ascii-fails': [everywhere(withKey('key-businessé')), [500, 500, 500, 500]],
    'invalid-key-forbidden': [everywhere(withKey('other')), [403, 403, 403, 403]],
    'invalid-key-hides-the-animal': [everywhere(withKey('other')), [401, 401, 404, 401]],
    'invalid-key-as-an-invalid-body': [everywhere(withKey('other')), [401, 400, 401, 401]],
  });

  test(`${beside}: it is served only for that long`, async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const slow = handle('listOrders', async (call, before) => {
      started.resolve();
      await finish.promise;
      return before(call);
    });
    const server = testServer({ patches: [slow, ...concurrent.map(({ patch }) => patch)] });
    const invalid = status('GET', '/pets', withKey('other'));
    expect(await invalid(server)).toBe(401);
    const valid = server.get('/store/orders');
    await started.promise;
    expect(await invalid(server)).toBe(200);
    expect(await status('GET', '/pets', keyless)(server)).toBe(401);
    finish.resolve();
    expect((await valid).status).toBe(200);
    expect(await invalid(server)).toBe(401);
  });
});

describe('with a key in another place', () => {
  const scheme = (value: string): Difference => [
    everywhere(withHeader('authorization', value)),
    [200, 201, 200, 200],
  ];
  const query = (name: string): Difference => [
    inTurn(
      status('GET', `/pets?${name}=key-business`, keyless),
      status('GET', `/pets?${name}=other`, keyless),
    ),
    [200, 401],
  ];
  testDifferences(misplacedKeyFaults, {
    'key-under-basic': scheme('Basic key-business'),
    'key-as-user-of-basic': scheme(`Basic ${base64('key-business:')}`),
    'key-as-password-of-basic': scheme(`Basic ${base64(':key-business')}`),
    'key-under-token': scheme('Token key-business'),
    'key-under-apikey': scheme('ApiKey key-business'),
    'key-without-a-scheme': scheme('key-business'),
    'key-under-any-scheme': scheme('Digest key-business'),
    'key-searched-in-authorization': scheme('My key is key-business'),
    'key-in-x-api-key': [everywhere(withHeader('x-api-key', 'key-business')), [200, 201, 200, 200]],
    'key-in-x-api-key-for-orders': [
      everywhere(withHeader('x-api-key', 'key-business')),
      [401, 401, 401, 200],
    ],
    'key-in-query-as-api-key': query('api_key'),
    'key-in-query-as-access-token': query('access_token'),
    'key-in-query-as-token': query('token'),
    'key-in-query-as-key': query('key'),
    'key-behind-bearer-without-a-space': [
      everywhere(withHeader('authorization', 'Bearerkey-business')),
      [200, 201, 200, 200],
    ],
    'key-under-a-scheme-that-begins-like-bearer': [
      everywhere(withHeader('authorization', 'Bearers key-business')),
      [200, 201, 200, 200],
    ],
    'key-under-a-scheme-that-ends-like-bearer': [
      everywhere(withHeader('authorization', 'XBearer key-business')),
      [200, 201, 200, 200],
    ],
    'key-in-a-cookie': [everywhere(withHeader('cookie', 'a=b; token=key-business')), [200, 201, 200, 200]],
    'key-in-a-cookie-that-a-header-repeats': [
      inTurn(
        status('GET', '/pets', {
          key: null,
          headers: { cookie: 'token=key-business', 'x-token': 'key-business' },
        }),
        status('GET', '/pets', { key: null, headers: { cookie: 'token=key-business' } }),
      ),
      [200, 401],
    ],
    'key-under-jwt': scheme('JWT key-business'),
    'bearer-token-in-x-authorization': [
      everywhere(withHeader('x-authorization', 'Bearer key-business')),
      [200, 201, 200, 200],
    ],
    'key-in-query-in-any-case': [
      inTurn(
        status('GET', '/pets?APIKEY=key-business', keyless),
        status('GET', '/pets?apiKey=key-business&apikey=key-business', keyless),
      ),
      [200, 401],
    ],
    'key-in-query-as-api-token': query('api_token'),
    'key-in-x-auth-token': [everywhere(withHeader('x-auth-token', 'key-business')), [200, 201, 200, 200]],
    'key-in-query-for-one-animal': [
      inTurn(
        status('GET', '/pets/1?key=key-business', keyless),
        status('GET', '/pets?key=key-business', keyless),
      ),
      [200, 401],
    ],
  });
});

describe('with something else wrong', () => {
  const bodies = inTurn(
    created('', keyless),
    created('{"name":', keyless),
    created('{}', keyless),
    created(newPet(), keyless),
  );
  const ids = inTurn(
    status('GET', '/pets/1', keyless),
    status('GET', '/pets/999', keyless),
    status('GET', '/pets/x', keyless),
  );
  testDifferences(authOrderFaults, {
    'body-validated-before-the-key': [bodies, [400, 400, 400, 401]],
    'body-parsed-before-the-key': [bodies, [400, 400, 401, 401]],
    'empty-body-refused-before-the-key': [bodies, [400, 401, 401, 401]],
    'animal-looked-up-before-the-key': [ids, [401, 404, 404]],
    'pet-id-validated-before-the-key': [ids, [401, 401, 400]],
    'limit-validated-before-the-key': [
      inTurn(status('GET', '/pets?limit=101', keyless), status('GET', '/pets?limit=1', keyless)),
      [400, 401],
    ],
    'status-validated-before-the-key': [
      inTurn(status('GET', '/pets?status=lost', keyless), status('GET', '/pets?status=sold', keyless)),
      [400, 401],
    ],
  });
});

describe('after a refusal', () => {
  const names =
    (path: string): Difference[0] =>
    async (server: TestServer) =>
      itemsOf(await server.get(path))
        .map(({ name }) => name)
        .filter((name) => name === 'refused');
  const body = (fields = {}) => newPet({ name: 'refused', ...fields });
  const stored = (...acts: readonly Difference[0][]) => inTurn(...acts, names('/pets'));
  testDifferences(authEffectFaults, {
    'refused-creation-stored': [stored(created(body(), keyless)), [401, ['refused']]],
    'keyless-creation-stored': [
      stored(created(body(), keyless), created(body(), withKey('other'))),
      [401, 401, ['refused']],
    ],
    'creation-with-invalid-key-stored': [
      stored(created(body(), keyless), created(body(), withKey('other'))),
      [401, 401, ['refused']],
    ],
    'refused-creation-with-a-status-stored': [
      stored(created(body(), keyless), created(body({ status: 'sold' }), keyless)),
      [401, 401, ['refused']],
    ],
    'refused-creation-without-a-status-stored': [
      stored(created(body(), keyless), created(body({ status: 'sold' }), keyless)),
      [401, 401, ['refused']],
    ],
    'refused-creation-stored-later': [
      stored(created(body(), keyless), names('/pets'), created(newPet())),
      [401, [], 201, ['refused']],
    ],
    'refused-creation-in-filtered-lists': [
      stored(created(body(), keyless), names('/pets?status=available')),
      [401, ['refused'], []],
    ],
  });
});

describe('of the standards', () => {
  const challenge =
    (options: SendOptions): Difference[0] =>
    async (server) =>
      (await server.get('/pets', options)).headers.get('www-authenticate');
  const challenges = inTurn(challenge(keyless), challenge(withKey('other')));
  const usual = 'Bearer realm="animal-store"';
  testDifferences(challengeFaults, {
    'no-challenge': [challenges, [null, null]],
    'no-challenge-for-an-invalid-key': [challenges, [usual, null]],
    'challenge-without-a-scheme': [challenges, ['"animal-store"', '"animal-store"']],
    'challenge-of-another-scheme': [challenges, ['Basic realm="Realm"', 'Basic realm="Realm"']],
    'scheme-in-lower-case-is-malformed': [
      status('GET', '/pets', withHeader('authorization', 'bearer key-business')),
      400,
    ],
    'scheme-compared-with-case': [
      inTurn(
        status('GET', '/pets', withHeader('authorization', 'bearer key-business')),
        status('GET', '/pets'),
      ),
      [401, 200],
    ],
    'scheme-compared-with-case-and-refusals-limited-alike': [
      async (server) => {
        const answer = await server.get('/pets', withHeader('authorization', 'bearer key-business'));
        return [answer.status, answer.headers.get('x-ratelimit-limit')];
      },
      [401, '1000'],
    ],
  });
});
