import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../test/support/build.ts';
import { listPets } from '../check/requests.ts';
import { createResponseSecrets } from './response-secrets.ts';
import { maskPlaces } from './secret-places.ts';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';

describe('maskPlaces', () => {
  test.each([
    ['a member', '{"access_token":"abcdefghij","n":1}', '{"access_token":"… (10 characters)","n":1}'],
    ['white space around', '{ "userPassword" : "p4ss" }', '{ "userPassword" : "… (4 characters)" }'],
    [
      'a list and an object',
      '{"tokens":["abcd1","b"],"x":"y"}',
      '{"tokens":["… (5 characters)","… (1 character)"],"x":"y"}',
    ],
    ['an object', '{"credentials":{"user":"u1","n":2}}', '{"credentials":{"user":"… (2 characters)","n":2}}'],
    [
      'JSON in JSON',
      '{"raw":"{\\"secret\\":\\"abcdef\\"}"}',
      '{"raw":"{\\"secret\\":\\"… (6 characters)\\"}"}',
    ],
    ['a quote in it', '{"secret":"ab\\"cd","n":1}', '{"secret":"… (6 characters)","n":1}'],
    ['a body that was cut', '{"client_secret":"abcdef', '{"client_secret":"… (6 characters)'],
    ['a number', '{"password":12345678}', '{"password":"… (8 characters)"}'],
    ['a form', 'grant=x&refresh_token=abcdef&n=1', 'grant=x&refresh_token=… (6 characters)&n=1'],
    ['XML', '<r><ApiKey a="b">abcdefgh</ApiKey></r>', '<r><ApiKey a="b">… (8 characters)</ApiKey></r>'],
    ['a JWT anywhere', `see ${jwt}.`, `see eyJh… (${jwt.length + 1} characters)`],
    [
      'a JWT with a chain of certificates, after another word',
      `sid-eyJ${'x5c'.repeat(2_000)}.eyJzdWIi.c2ln`,
      `sid-eyJx… (${6_003 + '.eyJzdWIi.c2ln'.length} characters)`,
    ],
    [
      'a cookie',
      'Set-Cookie: sid=abcdef; Path=/; HttpOnly',
      'Set-Cookie: sid=… (6 characters); Path=/; HttpOnly',
    ],
    ['a header', 'X-Auth-Token: Bearer abcdefgh', 'X-Auth-Token: Bearer … (8 characters)'],
    [
      'a fragment',
      'Location: /cb#access_token=abcdef&s=1',
      'Location: /cb#access_token=… (6 characters)&s=1',
    ],
    ['a connection string', '{"connectionString":"abcdef"}', '{"connectionString":"… (6 characters)"}'],
    ['a short name', '{"pass":"abcdef"}', '{"pass":"… (6 characters)"}'],
    ['a URL', 'at postgres://app:abcdef@db:5432/x', 'at postgres://app:… (6 characters)@db:5432/x'],
    ['Python', "{'password': 'abcdef', 'id': 7}", "{'password': '… (6 characters)', 'id': 7}"],
    ['PHP', "'password' => 'abcdef',", "'password' => '… (6 characters)',"],
    [
      'JSON in HTML',
      '&quot;password&quot;: &quot;abcdef&quot;',
      '&quot;password&quot;: &quot;… (6 characters)&quot;',
    ],
    [
      'an input of a page',
      '<input type="hidden" name="csrf_token" value="abcdef">',
      '<input type="hidden" name="csrf_token" value="… (6 characters)">',
    ],
    [
      'a header line in a body',
      'Cookie: sid=abcdef\nHost: a.example',
      'Cookie: … (10 characters)\nHost: a.example',
    ],
  ])('%s -> masked, with its length', (_, text, masked) => {
    expect(maskPlaces(text)).toBe(masked);
  });

  test.each([
    '{"token_type":"bearer","expires_in":3600,"total_tokens":1234,"next_page_token":"abcdefgh"}',
    '{"has_password":true,"password":null,"secret":""}',
    '{"errors":{"password":["This value is too short."],"token":"must not be empty"}}',
    '{"name":"conformance-7-token","message":"The key is missing.","code":"invalid_token"}',
    '{"errors":{"password":"required","token":["Invalid."]}}',
    '{"name":"password","message":"write to a@b.example at 10:30"}',
    '{"tokens":{"createdAt":"2026-01-01T10:00:00Z","expires":"2026-02-01"}}',
    'Set-Cookie: sid=; Max-Age=0',
    'WWW-Authenticate: Bearer error="invalid_token"',
    'Vary: Authorization, Cookie',
  ])('%s -> kept', (text) => {
    expect(maskPlaces(text)).toBe(text);
  });

  test('number in an object of secrets -> masked once', () => {
    expect(maskPlaces('{"secrets":{"password":12345678,"n":"ab"}}')).toBe(
      '{"secrets":{"password":"… (8 characters)","n":"… (2 characters)"}}',
    );
  });

  test.each([
    ['lists of secrets in each other', '"apiKey":['.repeat(100_000)],
    ['backslashes', `"token"${'\\'.repeat(100_000)}`],
    ['beginnings of tokens', 'eyJaaaaaa-'.repeat(20_000)],
  ])('many %s -> read once', (_, text) => {
    expect(maskPlaces(text)).toBe(text);
  });

  test('JSON -> still JSON, and its other members are equal', () => {
    const name = fc.constantFrom('password', 'apiKey', 'name', 'id', 'tokens', 'x');
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('any'), { maxLength: 3 }),
      map: fc.dictionary(name, tie('any'), { maxKeys: 3 }),
    }));
    const others = (json: string): string =>
      JSON.stringify(JSON.parse(json), (member, each) => (/password|apiKey|tokens/.test(member) ? 0 : each));
    fc.assert(
      fc.property(value.map, (body) => {
        const json = JSON.stringify(body);
        fc.pre(!/eyJ|=|</.test(json));
        expect(others(maskPlaces(json))).toBe(others(json));
      }),
    );
  });
});

describe('createResponseSecrets', () => {
  const returned = (body: string, names = 'conformance-7-') => {
    const secrets = createResponseSecrets(names);
    secrets.learn(exchangeOf(listPets({ limit: 12_345_678 }), { body }));
    return secrets;
  };

  test('secret of a response -> masked in other texts, also in its middle, escaped, and cut', () => {
    const { redact } = returned(`{"password":"pa/ss+w0rd=","t":"${jwt}"}`);
    expect(redact('got "pa/ss+w0rd=" here')).toBe('got "… (11 characters)" here');
    expect(redact('?p=pa%2Fss%2Bw0rd%3D&n=1')).toBe('?p=pa… (17 characters)&n=1');
    expect(redact(`got ${jwt.slice(0, 30)}…`)).toBe(`got eyJh… (${jwt.length} characters)…`);
  });

  test('value of the request, name of an animal, or ordinary word -> kept in other texts', () => {
    const text = 'limit 12345678, conformance-7-abc, available, secretary';
    const { redact } = returned(
      '{"password":"12345678","token":"conformance-7-abc","secret":"available","secrets":["secretary"]}',
    );
    expect(redact(text)).toBe(text);
  });

  test('number or time beside a secret -> kept in other texts', () => {
    const text = 'id 9876543210, 2026-01-01T10:00:00Z';
    const { redact } = returned('{"password":87654321,"secret":"2026-01-01T10:00:00Z"}');
    expect(redact(text)).toBe(text);
  });

  test('text without a secret -> unchanged', () => {
    const { redact } = returned('{"password":"pa/ss+w0rd="}');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('pa'));
        expect(redact(text)).toBe(text);
      }),
    );
  });
});
