import { expect, test } from 'vitest';
import { parseJson } from '../../json/parse.ts';
import { authenticationDialects } from './authentication.ts';
import { errorDialects } from './errors.ts';
import { headerDialects } from './headers.ts';
import { petByIdDialects } from './pet-by-id.ts';
import { storeOrderDialects } from './store-orders.ts';
import {
  after,
  bodyOf,
  each,
  eachTakesEffect,
  headerOf,
  type Look,
  type Row,
  serverIn,
  statusOf,
  textOf,
} from './testing.ts';
import { writingDialects } from './writing.ts';

const odd = '{"name":"Zoë/<🐈>","categoryId":12}';
const create: Look = (server) => server.create(odd);
const found = after([create], textOf('GET /pets/4'));
const type = headerOf('content-type', 'GET /pets');

eachTakesEffect(writingDialects, [
  ['media-type-with-charset', type, 'application/json; charset=utf-8'],
  ['media-type-in-capitals', type, 'Application/JSON;Charset=UTF-8'],
  ['media-type-with-spaces', type, 'application/json ; charset="utf-8" ; profile=pets'],
  [
    'json-indented',
    each(found, textOf('GET /store/orders')),
    ['{\n  "id": 4,\n  "name": "Zoë/<🐈>",\n  "categoryId": 12,\n  "status": "available"\n}\n', '[]\n'],
  ],
  [
    'json-indented-by-tabs',
    found,
    '{\r\n\t"id":4,\r\n\t"name":"Zoë/<🐈>",\r\n\t"categoryId":12,\r\n\t"status":"available"\r\n}\r\n',
  ],
  ['json-spaced', found, '{"id": 4, "name": "Zoë/<🐈>", "categoryId": 12, "status": "available"}'],
  ['json-amid-white-space', textOf('GET /store/orders'), '\r\n\t []\n\n'],
  ['members-by-name', found, '{"categoryId":12,"id":4,"name":"Zoë/<🐈>","status":"available"}'],
  ['members-reversed', found, '{"status":"available","categoryId":12,"name":"Zoë/<🐈>","id":4}'],
  ['integers-as-decimals', found, '{"id":4.0,"name":"Zoë/<🐈>","categoryId":12.0,"status":"available"}'],
  ['integers-with-exponents', found, '{"id":4e0,"name":"Zoë/<🐈>","categoryId":12e0,"status":"available"}'],
  ['non-ascii-escaped', found, expect.stringContaining('"Zo\\u00eb/<\\ud83d\\udc08>"')],
  ['slashes-escaped', found, expect.stringContaining('"Zoë\\/<🐈>"')],
  ['markup-escaped', found, expect.stringContaining('"Zoë/\\u003c🐈\\u003e"')],
]);

test('however JSON is written, it reads the same', async () => {
  const names = ['"', '\\', '\\"/', '[1,{"a":2}]', '', '\ud800', '\u2028', 'x'.repeat(300_000)];
  for (const dialect of writingDialects) {
    const server = serverIn(dialect);
    for (const name of names) {
      const answer = await server.create(JSON.stringify({ name, categoryId: 1 }));
      const read = parseJson(answer.text);
      expect(read.ok && read.value, dialect.name).toMatchObject({ name, categoryId: 1n });
    }
  }
});

const on = (name: string, line = 'GET /pets') => headerOf(name, line);
const number = on('x-request-id');

eachTakesEffect(headerDialects, [
  ['no-date', on('date'), null],
  ['connection-closed', on('connection'), 'close'],
  ['answers-chunked', on('transfer-encoding'), 'chunked'],
  ['requests-numbered', each(number, number), ['req-00000001', 'req-00000002']],
  ['etags', on('etag'), expect.stringMatching(/^W\/"[0-9a-f]{40}"$/)],
  ['location-of-the-created', headerOf('location', 'POST /pets', { body: odd }), '/v1/pets/4'],
  ['browser-headers', on('access-control-allow-origin', 'GET /nothing'), '*'],
  ['cookies-set', on('set-cookie'), 'node=eu-1; Path=/; HttpOnly'],
  [
    'rate-limit-headers-twofold',
    each(on('ratelimit'), on('ratelimit-policy')),
    ['"plan";r=999;t=60', '"plan";q=1000;w=60'],
  ],
]);

const error = (line: string, key: string | null = 'key-business') => bodyOf(line, { key });
const like = (fields: Readonly<Record<string, unknown>>) => expect.objectContaining(fields);

eachTakesEffect(errorDialects, [
  ['codes-in-capitals', error('GET /pets/9'), like({ code: 'NOT_FOUND' })],
  ['codes-of-digits', error('GET /pets/9'), like({ code: '40401' })],
  ['codes-as-addresses', error('GET /pets/9'), like({ code: 'https://errors.example/pets/not_found' })],
  [
    'codes-tell-missing-keys',
    each(error('GET /pets', null), error('GET /pets', 'x')),
    [like({ code: 'missing_key' }), like({ code: 'invalid_key' })],
  ],
  ['messages-in-japanese', error('GET /pets/9'), like({ message: '見つかりません' })],
  ['messages-empty', error('GET /pets/9'), like({ message: '' })],
  [
    'messages-of-several-lines',
    error('GET /pets/9'),
    like({ message: expect.stringContaining('\n\n\tat "x"') }),
  ],
  ['errors-with-details', error('GET /pets/9'), like({ cause: null, timestamp: '2026-03-01T12:00:00.000Z' })],
  ['errors-with-problem-members', error('GET /pets/9'), like({ title: 'not_found', instance: '/v1/pets/9' })],
  [
    'wrong-method-in-html',
    each(statusOf('PUT /pets'), headerOf('content-type', 'PUT /pets')),
    [405, 'text/html'],
  ],
  ['wrong-method-without-a-body', each(statusOf('PUT /pets'), textOf('PUT /pets')), [405, '']],
  ['wrong-method-404', statusOf('PUT /pets'), 404],
  ['wrong-method-501', statusOf('PUT /pets'), 501],
  [
    'unknown-paths-refused-in-html',
    each(statusOf('GET /pets/1/photos'), headerOf('x-ratelimit-limit', 'GET /pets/1/photos')),
    [404, null],
  ],
  [
    'large-bodies-refused-in-html',
    each(
      statusOf('POST /pets', { body: ' '.repeat(1_001) }),
      headerOf('content-type', 'POST /pets', { body: ' '.repeat(1_001) }),
    ),
    [413, 'text/html'],
  ],
  ['apostrophes-refused-in-html', statusOf('GET /store/orders?status=%27'), 403],
  ['long-addresses-refused-in-html', statusOf(`GET /pets?x=${'y'.repeat(2_000)}`), 414],
  [
    'malformed-targets-refused-unread',
    each(statusOf('GET /pets/%zz'), headerOf('date', 'GET /pets/%zz'), textOf('GET /pets/%20')),
    [400, null, expect.stringContaining('"status":404')],
  ],
  [
    'long-targets-refused-unread',
    each(
      statusOf(`GET /pets?x=${'y'.repeat(4_070)}`),
      statusOf(`GET /pets?x=${'y'.repeat(4_071)}`),
      headerOf('date', `GET /pets?x=${'y'.repeat(5_000)}`),
    ),
    [200, 400, null],
  ],
]);

const challenge = headerOf('www-authenticate', 'GET /pets', { key: null });

eachTakesEffect(authenticationDialects, [
  ['challenge-bare', challenge, 'Bearer'],
  ['challenge-in-lower-case', challenge, 'bearer realm="pets"'],
  ['challenge-with-an-error', challenge, expect.stringContaining('error="invalid_token"')],
  ['challenge-with-a-scope', challenge, expect.stringContaining('scope="pets:read pets:write"')],
  [
    'unknown-resources-without-a-key',
    each(statusOf('GET /nothing', { key: null }), statusOf('GET /pets/9', { key: null })),
    [404, 401],
  ],
  ['options-without-a-key', statusOf('OPTIONS /pets', { key: null }), 204],
  ['head-refused', each(statusOf('HEAD /pets'), statusOf('GET /pets')), [405, 200]],
  ['paths-with-a-slash-at-the-end', each(statusOf('GET /pets/'), statusOf('GET /pets/1//')), [200, 200]],
  ['paths-without-case', statusOf('GET /Pets'), 200],
]);

const orders = each(statusOf('GET /store/orders'), textOf('GET /store/orders'));

eachTakesEffect(storeOrderDialects, [
  ['orders-an-object', orders, [200, '{}']],
  ['orders-null', orders, [200, 'null']],
  ['orders-some', orders, [200, expect.stringContaining('[{"id":9007199254740993,')]],
  ['orders-paged', orders, [200, expect.stringContaining('"total":41')]],
  ['orders-without-a-body', orders, [204, '']],
  ['orders-empty-200', orders, [200, '']],
  ['orders-elsewhere', orders, [303, '']],
  [
    'orders-need-a-parameter',
    each(orders, statusOf('GET /store/orders?storeId=1')),
    [[400, expect.anything()], 200],
  ],
  ['orders-need-payment', orders, [402, expect.anything()]],
  ['orders-forbidden', orders, [403, expect.anything()]],
  ['orders-unprocessable', orders, [422, expect.anything()]],
]);

const told = each(on('deprecation', 'GET /pets/1'), on('sunset', 'GET /pets/1'));
const pet = statusOf('GET /pets/1');
const removedForAll = each(pet, statusOf('GET /pets/1', { key: null }));
const later: Look = async (server) => {
  server.now += 5_000;
};

eachTakesEffect(petByIdDialects, [
  ['no-int64-400', each(statusOf('GET /pets/x'), statusOf('GET /pets/9')), [400, 404]],
  ['no-int64-422', each(statusOf('GET /pets/9223372036854775808'), statusOf('GET /pets/9')), [422, 404]],
  ['no-int64-no-route', each(statusOf('GET /pets/x', { key: null }), statusOf('GET /pets/9')), [404, 404]],
  ['pet-id-with-leading-zeros', statusOf('GET /pets/0001'), 200],
  ['pet-id-with-a-plus', statusOf('GET /pets/+1'), 200],
  ['deprecation-untold', told, [null, null]],
  ['deprecation-without-sunset', told, ['@1764892800', null]],
  ['sunset-alone', told, [null, 'Thu, 05 Dec 2030 00:00:00 GMT']],
  ['sunset-at-the-end-of-the-day', told, ['@1764892800', 'Thu, 05 Dec 2030 23:59:59 GMT']],
  ['deprecation-with-parameters', told, ['@1764892800;stage="final";rev=2', 'Thu, 05 Dec 2030 00:00:00 GMT']],
  ['deprecation-to-come', told, ['@1890000000', 'Thu, 05 Dec 2030 00:00:00 GMT']],
  ['deprecation-with-links', told, ['@0', 'Thu, 05 Dec 2030 12:00:00 GMT']],
  ['served-the-day-before', pet, 200],
  ['removed-on-the-day', pet, 410],
  ['served-on-the-day', pet, 200],
  ['served-until-the-first-midnight', pet, 200],
  ['removed-since-midnight-in-sydney', pet, 410],
  ...[
    'removed-at-the-first-midnight',
    'removed-at-midnight-in-sydney',
    'removed-at-midnight-utc',
    'removed-at-noon-utc',
    'served-to-the-end-of-the-day',
    'served-until-midnight-in-los-angeles',
    'served-until-the-last-midnight',
  ].map((name): Row => [name, each(pet, later, pet), [200, undefined, 410]]),
  ['removed-410', removedForAll, [410, 401]],
  ['removed-404', removedForAll, [404, 401]],
  ['removed-405', removedForAll, [405, 401]],
  ['removed-403', removedForAll, [403, 401]],
  ['removed-without-a-key', removedForAll, [404, 404]],
]);
