import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/check/json.ts';
import { decodeBody } from '../../src/json/decode.ts';
import { malformedJson } from './malformed-json.ts';
import { unusualJson } from './unusual-json.ts';

const pet = { name: 'conformance-1', categoryId: 7n, status: 'sold' };
const text = '{"name":"conformance-1","categoryId":7,"status":"sold"}';

const isJson = (body: string | Uint8Array): boolean => {
  const { text: decoded, problems } = decodeBody(
    typeof body === 'string' ? new TextEncoder().encode(body) : body,
  );
  return !problems.includes('invalid-utf8') && parseJson(decoded).ok;
};

describe('malformed JSON', () => {
  const malformed = malformedJson(text);

  it('two parsers reject it', () => {
    for (const { body, label } of malformed) {
      expect(isJson(body), label).toBe(false);
      if (typeof body === 'string') expect(() => JSON.parse(body), label).toThrow();
    }
  });

  it('each kind has its own label', () => {
    const labels = malformed.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('contains no valid JSON', () => {
    expect(malformedJson('7').every(({ body }) => !isJson(body))).toBe(true);
  });
});

describe('unusual JSON', () => {
  const unusual = unusualJson(pet, { text: 'name', integer: 'categoryId' });
  const bodyOf = (label: string) => unusual.find((item) => item.label === label)?.body;

  it('malformed -> not JSON; otherwise valid JSON', () => {
    for (const { body, label, malformed } of unusual) {
      if (malformed) expect(isJson(body), label).toBe(false);
      else if (typeof body === 'string')
        expect(() => JSON.parse(body.replace(/^\uFEFF/, '')), label).not.toThrow();
    }
  });

  it('invalid -> no parser reads a valid object from it', () => {
    const invalid = unusual.filter((item) => item.invalid).map(({ label }) => label);
    expect(invalid).toEqual(
      expect.arrayContaining(unusual.filter((item) => item.malformed).map((i) => i.label)),
    );
    expect(invalid).toContain('a number of 400 digits');
    expect(invalid).not.toContain('minus zero');
  });

  it('beyondInt64 -> its number is not an int64 for any parser', () => {
    const beyond = unusual.filter((item) => item.beyondInt64).map(({ label }) => label);
    expect(beyond).toEqual([
      'a number of 400 digits',
      'a number of 5,000 digits',
      'a number beyond every double',
    ]);
    expect(unusual.filter((item) => item.beyondInt64).every(({ invalid }) => invalid)).toBe(true);
  });

  it('includes the same value in other spellings', () => {
    for (const label of ['a fraction of zero', 'a duplicate name, the same value']) {
      const parsed = parseJson(String(bodyOf(label)));
      expect(parsed.ok && parsed.value, label).toEqual(pet);
    }
  });

  it('means -> the object that the text certainly means', () => {
    const certain = unusual.filter(({ means }) => means !== undefined);
    expect(certain).toHaveLength(3);
    for (const { body, means, label } of certain)
      expect(parseJson(String(body)), label).toMatchObject({ ok: true, value: means });
    expect(certain.map(({ means }) => means?.name)).toEqual([
      'conformance-b',
      'conformance-c',
      `"${pet.name} \u00e9\u20ac\u{1f408} a/b\tc"`,
    ]);
    expect(certain.at(-1)?.body).toMatch(/\\u00e9\\u20AC\\uD83D\\udc08.*\\\/.*\\t.*"/);
  });
});
