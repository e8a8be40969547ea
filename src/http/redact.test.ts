import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  invalidKeys,
  malformedTokens,
  nearMissKeys,
  otherWrongSchemes,
  wrongSchemes,
} from './credentials.ts';
import { keyIn, keyMembers, keyPlaces, placesInOtherSpellings } from './key-locations.ts';
import { createRedactor } from './redact.ts';
import { showRequest, showResponse } from './request-view.ts';

const key = 'sk_Live-9fQ2xYz7LmNp4RtV';
const redact = createRedactor([key]);

test('key -> its first four characters', () => {
  expect(redact(`Authorization: Bearer ${key}`)).toBe('Authorization: Bearer sk_L…');
  expect(redact(`{"token":"${key}","n":1}`)).toBe('{"token":"sk_L…","n":1}');
  expect(redact(`${key} and ${key}`)).toBe('sk_L… and sk_L…');
  expect(redact('nothing to hide')).toBe('nothing to hide');
});

test.each([
  ['secret', '…'],
  ['elevenchars', '…'],
  ['twelve-chars', 'tw…'],
  ['nineteen-characters', 'nin…'],
  [`long-${'x'.repeat(60)}`, 'long…'],
])('key %s -> at most a fifth is shown', (secret, shown) => {
  expect(createRedactor([secret])(`Bearer ${secret}`)).toBe(`Bearer ${shown}`);
  expect(createRedactor([secret])(`got ${secret}-and-thirty-other-characters`)).toBe(`got ${shown}`);
});

test('key percent-encoded, escaped, or in another case -> found', () => {
  const unusual = 'a+b/c=d"e\\f&g:h~ijklmn';
  const clean = createRedactor([unusual]);
  for (const text of [encodeURIComponent(unusual), JSON.stringify(unusual), unusual.toUpperCase(), unusual])
    expect(clean(text)).not.toMatch(/ijkl|c=d|c%3Dd|g:h/i);
  const encoded = [...key].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');
  expect(redact(`?api_key=${encoded}&limit=1`)).toBe('?api_key=sk_L…&limit=1');
  expect(redact(`İ ${key}`)).toBe('İ sk_L…');
  const entities = [...key].map((each) => `&#${each.charCodeAt(0)};`).join('');
  expect(redact(`<b>${entities}</b>`)).toBe('<b>sk_L…</b>');
});

test('key that looks escaped -> found in any form', () => {
  const pieces = fc.constantFrom(
    '%2B',
    '%2f',
    '%20',
    '\\"',
    '\\/',
    '\\u0041',
    '&#65;',
    '&#x2B;',
    'a',
    'Z',
    '7',
    '-',
  );
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 6, maxLength: 16 }), (parts) => {
      const secret = parts.join('');
      const clean = createRedactor([secret]);
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
        expect(clean(`Authorization: Bearer ${form} end`)).not.toContain(form);
        if (secret.length >= 32) expect(clean(`{"echo":["${form}"]}`)).not.toContain(form);
      }
    }),
  );
});

const printable = fc.string({
  unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~+/='),
  minLength: 6,
  maxLength: 64,
});

/** Returns the length of the longest run that two texts share, in any case. */
const shared = (text: string, secret: string): number => {
  const [hay, needle] = [text.toLowerCase(), secret.toLowerCase()];
  let longest = 0;
  for (let from = 0; from < needle.length; from += 1)
    while (from + longest < needle.length && hay.includes(needle.slice(from, from + longest + 1)))
      longest += 1;
  return longest;
};

test('any credential -> no 8 characters in a row of the key remain (half of a short key)', () => {
  fc.assert(
    fc.property(printable, fc.string(), fc.string(), (secret, before, after) => {
      const clean = createRedactor([secret]);
      const bound = Math.max(5, secret.length >= 16 ? 8 : Math.ceil(secret.length / 2));
      for (const credential of [
        ...invalidKeys,
        ...malformedTokens,
        ...wrongSchemes,
        ...otherWrongSchemes,
        keyIn(keyPlaces),
      ]) {
        const { headers, query = '' } = credential.apply(secret);
        const shown = showRequest(
          {
            method: 'GET',
            url: `http://a.invalid/v1/pets?${query}`,
            headers,
            body: `${before} ${secret} ${after}`,
          },
          clean,
        );
        expect(shared(shown.url, secret)).toBeLessThan(bound);
        expect(shared(Object.values(shown.headers).join(' '), secret)).toBeLessThan(bound);
        expect(shared(shown.body ?? '', secret)).toBeLessThan(bound);
      }
    }),
  );
});

test('short key with one character changed, added, or removed -> found', () => {
  const token = fc.string({
    unit: fc.constantFrom(...'ABCDEFGHabcdefgh0123456789'),
    minLength: 6,
    maxLength: 24,
  });
  fc.assert(
    fc.property(token, fc.nat(), fc.constantFrom('', '!', '.'), fc.nat(1), (secret, place, put, cut) => {
      const at = place % secret.length;
      const miss = `${secret.slice(0, at)}${put}${secret.slice(at + cut)}`;
      const shown = createRedactor([secret])(`Bearer ${miss} end`);
      expect(shown).not.toContain(miss);
      expect(shown).toMatch(/^Bearer /);
    }),
  );
});

test('key in base64 at any alignment, also percent-encoded or escaped -> the word is replaced', () => {
  fc.assert(
    fc.property(
      printable.filter((each) => each.length >= 8),
      fc.string(),
      fc.string(),
      (secret, before, after) => {
        for (const written of [secret, encodeURIComponent(secret), JSON.stringify(secret)]) {
          const word = Buffer.from(`${before}${written}${after}`).toString('base64');
          const shown = createRedactor([secret])(`Basic ${word} end`);
          expect(shown).not.toContain(word);
          expect(shown.endsWith(' end')).toBe(true);
        }
      },
    ),
  );
});

test('text without a part of the key -> unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(shared(text, key) < 5);
      expect(redact(text)).toBe(text);
    }),
  );
});

describe("a key made of the suite's own words", () => {
  const ownWordKeys = [
    'animal-store-1',
    'conformance-1',
    'available1',
    'animal-store-conformance-',
    'store-conformance-key',
  ];

  test('words of every report -> kept', () => {
    const line =
      'User-Agent: animal-store-conformance/0.1.0 -H \'Authorization: Bearer $ANIMAL_STORE_API_KEY\' {"name":"conformance-7-a","status":"available"}';
    for (const each of [...ownWordKeys, 'bearer-token-1', 'animal-store-conformance-key-1'])
      expect(createRedactor([each], 'conformance-7-')(line)).toBe(line);
  });

  test('words of messages -> kept, the key is replaced', () => {
    const line = 'GET /store/orders?limit=1&status=sold, second request: expected a response over the limit';
    for (const each of ['limit-key', 'status-key', 'store-key', 'second-key', 'request-1', 'orders-key1']) {
      const clean = createRedactor([each]);
      expect(clean(line)).toBe(line);
      expect(clean(`limit ${each}`)).not.toContain(each);
    }
  });

  test('key or near miss as a credential or in a body -> replaced', () => {
    for (const secret of ownWordKeys)
      for (const { apply } of [...invalidKeys, ...nearMissKeys]) {
        const shown = createRedactor([secret], 'conformance-7-');
        const headers = apply(secret).headers;
        const token = headers[0]?.[1].replace(/^Bearer ?/, '') ?? '';
        if (shared(token, secret) < 8) continue;
        const request = {
          method: 'GET',
          url: 'http://a.invalid/v1/pets',
          headers,
          body: `no user has ${secret}`,
        };
        const written = JSON.stringify(showRequest(request, shown));
        expect(written).not.toContain(token);
        expect(written).not.toContain(secret);
      }
  });

  test('key that is a whole own word -> replaced', () => {
    expect(createRedactor(['conformance'])('the key conformance')).toBe('the key …');
  });
});

describe('very short key', () => {
  const clean = createRedactor(['test', 'k']);
  test('ordinary words -> kept', () => {
    expect(clean('the latest test took k seconds')).toBe('the latest test took k seconds');
  });
  test('in a credential field with any name -> replaced', () => {
    const named = '{"apiKey":"test","api_key": "k","x-api-key=test","access_token":"test"}';
    expect(clean(named)).toBe('{"apiKey":"…","api_key": "…","x-api-key=…","access_token":"…"}');
  });
  test('in any place where servers look for a key -> replaced', () => {
    for (const places of [keyPlaces, placesInOtherSpellings, keyMembers])
      for (const secret of ['test', 'sh0r7']) {
        const { headers, query = '', members } = keyIn(places).apply(secret);
        const url = `http://a.invalid/v1/pets?${query}`;
        const body = JSON.stringify(members);
        const shown = showRequest({ method: 'POST', url, headers, body }, createRedactor([secret]));
        expect(JSON.stringify(shown)).not.toMatch(/test|sh0r7/);
      }
  });
  test('letters and digits as a separate word -> replaced', () => {
    const shown = createRedactor(['sh0r7'])('no user has sh0r7, "SH0R7" or sh0r7x, ash0r7');
    expect(shown).toBe('no user has …, "…" or sh0r7x, ash0r7');
  });
  test('in headers and query -> replaced', () => {
    const shown = showRequest(
      {
        method: 'GET',
        url: 'http://a.invalid/v1/pets?api_key=test&limit=1',
        headers: [
          ['Authorization', 'Bearer test'],
          ['X-API-Key', 'testx'],
          ['authorization', `Basic ${Buffer.from('test:').toString('base64')}`],
        ],
        body: null,
      },
      clean,
    );
    expect(shown.url).toBe('http://a.invalid/v1/pets?api_key=…&limit=1');
    expect(shown.headers).toEqual({ Authorization: 'Bearer …, Basic …', 'X-API-Key': '…' });
  });
});

test('header name that contains the key -> replaced', () => {
  const response = { status: 200, headers: [[`X-${key}`, `of ${key}`]], body: Buffer.from('') } as const;
  expect(showResponse(response, redact).headers).toEqual({ 'X-sk…': 'of sk_L…' });
});

test('showResponse: repeated header and long body -> lines joined, body cut', () => {
  const shown = showResponse(
    {
      status: 401,
      headers: [
        ['X-A', '1'],
        ['x-a', key],
      ],
      body: Buffer.from(`${key}${'y '.repeat(40_000)}`),
    },
    redact,
  );
  expect(shown).toMatchObject({ status: 401, headers: { 'X-A': '1, sk_L…' } });
  expect(shown.body).toMatch(/^sk_L… ?y/);
  expect(shown.body).toContain('bytes in all)');
});

test('showResponse: beginning of a long body -> key replaced, with the place of the cut', () => {
  const body = Buffer.from(`${'y '.repeat(4_090)}${key}${'y '.repeat(4_000)}`);
  const shown = showResponse({ status: 200, headers: [], body, bodyBytes: 100_000, cutAt: 100_000 }, redact);
  expect(shown.body).not.toContain(key.slice(0, 8));
  expect(shown.body).toMatch(
    /… \(100000 bytes in all\)… \(response body cut at 100000 bytes \(--max-body\)\)$/,
  );
});
