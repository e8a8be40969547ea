import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from './json.ts';
import { parseJson } from './parse.ts';
import { readJson } from './testing.ts';

/** Converts exact numbers to what `JSON.parse` returns. */
const toDoubles = (value: Json): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part)));

describe('numbers', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['7', 7n],
    ['1.0', 1n],
    ['1e2', 100n],
    ['1E+2', 100n],
    ['-1.50e1', -15n],
    ['100e-2', 1n],
    ['0.0', 0n],
    ['0e999999999', 0n],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775807.0', 9223372036854775807n],
    ['92233720368547758.08e2', 9223372036854775808n],
    ['0.00000000009223372036854775807e29', 9223372036854775807n],
    ['1.5', 1.5],
    ['1e-2', 0.01],
    ['9223372036854775807.5', 2 ** 63],
    ['1e-400', 0],
    ['1e999999999', Number.POSITIVE_INFINITY],
    ['-1e999999999999999999999', Number.NEGATIVE_INFINITY],
    ['1e-999999999999999999999', 0],
  ])('%s -> %s', (text, value) => {
    expect(readJson(text)).toBe(value);
  });

  test('integer of 400 digits -> exact, of 401 digits -> a double', () => {
    expect(readJson(`1${'0'.repeat(399)}`)).toBe(10n ** 399n);
    expect(readJson('1e399')).toBe(10n ** 399n);
    expect(readJson(`1${'0'.repeat(400)}`)).toBe(Number.POSITIVE_INFINITY);
    expect(readJson('1e400')).toBe(Number.POSITIVE_INFINITY);
  });

  test('integer written with a fraction and an exponent -> the same integer', () => {
    const shift = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), shift, (value, places) => {
        const digits = value
          .toString()
          .replace('-', '')
          .padStart(places + 1, '0');
        const cut = digits.length - places;
        const source = `${value < 0n ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}0e${places}`;
        expect(readJson(source.replace(/^(-?)0+(?=\d)/, '$1'))).toBe(value);
      }),
    );
  });

  test('200,000 inner zeros -> no quadratic time', () => {
    expect(readJson(`0.${'0'.repeat(200_000)}1`)).toBe(0);
  });
});

describe('grammar', () => {
  test.each([
    ...['', ' ', '{', '[', ']', '[1,]', '{"a":1,}', '{a:1}', "{'a':1}", '{"a"}', '[1 2]', '1 1', '{} {}'],
    ...['01', '-', '+1', '.5', '1.', '1e', '0x1', 'NaN', 'Infinity', 'True', 'nul', 'undefined'],
    ...['"a', '"\\"', '"\\x"', '"\\u12"', '"\n"', '"\t"', '// c\n1', '\ufeff1', '\u00a01'],
  ])('%j -> rejected, as by JSON.parse', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(parseJson(text)).toMatchObject({ ok: false });
  });

  test('accepts and rejects the same texts as JSON.parse', () => {
    const snippet = fc.constantFrom(
      ...'{}[],:"\\-+.eE0123truefalsn/u \n\t'.split(''),
      'true',
      'null',
      '"a":',
      '1',
    );
    const text = fc.array(snippet, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (source) => {
        const parsed = parseJson(source);
        let expected: unknown;
        try {
          expected = JSON.parse(source);
        } catch {
          return !parsed.ok;
        }
        if (parsed.ok) expect(toDoubles(parsed.value)).toEqual(JSON.parse(JSON.stringify(expected)));
        return parsed.ok;
      }),
      { numRuns: 2000 },
    );
  });

  test('returns the same values as JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.nat(2), (source, indent) => {
        const text = JSON.stringify(JSON.parse(source), null, indent);
        expect(toDoubles(readJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('invalid text -> what is expected and what came, and the position', () => {
    expect(parseJson('[1,]')).toEqual({
      ok: false,
      problem: { code: 'unexpected', expected: 'value', found: ']' },
      position: 3,
    });
    expect(parseJson('{"a":1')).toEqual({
      ok: false,
      problem: { code: 'unexpected', expected: ',}', found: null },
      position: 6,
    });
    expect(parseJson('1 x')).toEqual({
      ok: false,
      problem: { code: 'unexpected', expected: 'end', found: 'x' },
      position: 2,
    });
    expect(parseJson('["\\q"]')).toEqual({
      ok: false,
      problem: { code: 'malformed-escape' },
      position: 1,
    });
  });

  test('lone surrogate, escaped or not -> kept', () => {
    expect(readJson('"\\ud800"')).toBe('\ud800');
    expect(readJson('"\udfff"')).toBe('\udfff');
  });

  describe('nesting deeper than 500 levels', () => {
    const nested = (depth: number, innermost = '') => '['.repeat(depth) + innermost + ']'.repeat(depth);

    test('-> skipped, so that no text exhausts the stack', () => {
      expect(readJson(nested(1_000_000))).toEqual(readJson(nested(501)));
      expect(readJson(nested(500, '{"a":"]}"},[1e999]'))).toEqual(readJson(nested(500, '[],[]')));
      expect(readJson(`[${nested(600)},7]`)).toMatchObject([expect.anything(), 7n]);
    });

    test('-> the grammar is still checked', () => {
      expect(parseJson('{"a":'.repeat(1_000_000))).toEqual({
        ok: false,
        problem: { code: 'unexpected', expected: 'value', found: null },
        position: 5_000_000,
      });
      expect(parseJson(nested(501, '01'))).toMatchObject({ ok: false, position: 502 });
      expect(parseJson(nested(501, '{]'))).toMatchObject({ ok: false, position: 502 });
      expect(parseJson(nested(501, '{"a" 1}'))).toMatchObject({ ok: false, position: 506 });
      expect(parseJson(nested(501, '{"a":[1,{}],"b":{"c":[]}}')).ok).toBe(true);
      expect(parseJson(nested(600).slice(0, -1)).ok).toBe(false);
    });
  });
});

describe('member names', () => {
  test('duplicate member -> reported by its pointer, the last value counts', () => {
    const parsed = parseJson('{"a":1,"b/c":[0,{"~":1,"~":2,"~":3}],"\\u0061":2}');
    expect(parsed).toEqual({
      ok: true,
      value: { a: 2n, 'b/c': [0n, { '~': 3n }] },
      duplicates: ['/b~1c/1/~0', '/b~1c/1/~0', '/a'],
    });
  });

  test('same name in two objects -> not a duplicate', () => {
    expect(parseJson('[{"a":1},{"a":{"a":1}}]')).toMatchObject({ duplicates: [] });
  });

  test('names of Object.prototype -> ordinary members', () => {
    const parsed = parseJson('{"__proto__":{"x":1},"constructor":1,"toString":2}');
    expect(parsed).toMatchObject({ ok: true, duplicates: [] });
    const value = readJson('{"__proto__":{"x":1}}');
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
