import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/check/json.ts';
import { decodeBody } from '../../src/json/decode.ts';
import { malformedJson } from './malformed-json.ts';
import { oddJson } from './unusual-json.ts';

const pet = { name: 'conformance-1', categoryId: 7n, status: 'sold' };
const text = '{"name":"conformance-1","categoryId":7,"status":"sold"}';

const isJson = (body: string | Uint8Array): boolean => {
  const { text: decoded, problems } = decodeBody(
    typeof body === 'string' ? new TextEncoder().encode(body) : body,
  );
  return !problems.includes('invalid UTF-8') && parseJson(decoded).ok;
};

describe('malformed JSON', () => {
  const malformed = malformedJson(text);

  it('is no JSON to two parsers', () => {
    for (const { body, label } of malformed) {
      expect(isJson(body), label).toBe(false);
      if (typeof body === 'string') expect(() => JSON.parse(body), label).toThrow();
    }
  });

  it('comes in every kind, each of them once', () => {
    const labels = malformed.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels).toEqual(
      expect.arrayContaining([
        'an empty body',
        'only white space',
        'a trailing comma',
        'single quotes',
        'a name without quotes',
        'two commas in a row',
        'NaN',
        'a leading zero',
        'trailing garbage',
        'two documents',
        'a control character in a string',
      ]),
    );
    expect(malformed.find(({ label }) => label === 'a leading zero')?.body).toBe(
      '{"name":"conformance-1","categoryId":07,"status":"sold"}',
    );
    expect(malformed.find(({ label }) => label === 'NaN')?.body).toBe(
      '{"name":"conformance-1","categoryId":NaN,"status":"sold"}',
    );
    expect(malformed.find(({ label }) => label === 'nothing')?.body).toBe(
      '{"name":,"categoryId":7,"status":"sold"}',
    );
  });

  it('leaves out what is JSON after all', () => {
    expect(malformedJson('7').every(({ body }) => !isJson(body))).toBe(true);
  });
});

describe('odd JSON', () => {
  const odd = oddJson(pet, { text: 'name', integer: 'categoryId' });
  const bodyOf = (label: string) => odd.find((item) => item.label === label)?.body;

  it('is malformed where it says so, and else JSON by the grammar', () => {
    for (const { body, label, malformed } of odd) {
      if (malformed) expect(isJson(body), label).toBe(false);
      else if (typeof body === 'string')
        expect(() => JSON.parse(body.replace(/^\uFEFF/, '')), label).not.toThrow();
    }
  });

  it('is invalid where no reader gets a valid object of it', () => {
    const invalid = odd.filter((item) => item.invalid).map(({ label }) => label);
    expect(invalid).toEqual(expect.arrayContaining(odd.filter((item) => item.malformed).map((i) => i.label)));
    expect(invalid).toContain('a number of 400 digits');
    expect(invalid).not.toContain('minus zero');
  });

  it('holds no int64, however its number is read, where it says so', () => {
    const beyond = odd.filter((item) => item.beyondInt64).map(({ label }) => label);
    expect(beyond).toEqual([
      'a number of 400 digits',
      'a number of 5,000 digits',
      'a number beyond every double',
    ]);
    expect(odd.filter((item) => item.beyondInt64).every(({ invalid }) => invalid)).toBe(true);
  });

  it('writes the same value in other ways', () => {
    for (const label of ['a fraction of zero', 'a duplicate name, the same value']) {
      const parsed = parseJson(String(bodyOf(label)));
      expect(parsed.ok && parsed.value, label).toEqual(pet);
    }
  });

  it('says what an object means beyond doubt, however it is written', () => {
    const told = odd.filter(({ means }) => means !== undefined);
    expect(told).toHaveLength(3);
    for (const { body, means, label } of told)
      expect(parseJson(String(body)), label).toMatchObject({ ok: true, value: means });
    expect(told.map(({ means }) => means?.name)).toEqual([
      'conformance-b',
      'conformance-c',
      `"${pet.name} \u00e9\u20ac\u{1f408} a/b\tc"`,
    ]);
    expect(told.at(-1)?.body).toMatch(/\\u00e9\\u20AC\\uD83D\\udc08.*\\\/.*\\t.*"/);
  });

  it('holds what parsers quarrel about', () => {
    expect(String(bodyOf('a byte order mark first')).codePointAt(0)).toBe(0xfeff);
    expect(bodyOf('minus zero')).toContain('"categoryId":-0');
    expect(bodyOf('a duplicate name, another value')).toMatch(/"categoryId":7,.*"categoryId":71}/);
    const nested = String(bodyOf('an extra number of 5,000 digits, deep nesting, and no categoryId'));
    expect(nested.match(/\[/g)).toHaveLength(10_001);
    expect(nested).not.toContain('"categoryId"');
    expect(bodyOf('a lone high surrogate')).toContain('\\ud83d"');
    expect(bodyOf('a Latin-1 letter')).toContain(0xe9);
  });
});
