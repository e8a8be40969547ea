import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from './json.ts';
import { parseJson } from './parse.ts';

const read = (text: string): Json => {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
};

/** What `JSON.parse` makes of a value with exact numbers. */
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
  ])('%s is read as %s', (text, value) => {
    expect(read(text)).toBe(value);
  });

  test('an integer keeps its digits up to the cap, and becomes a double beyond it', () => {
    expect(read(`1${'0'.repeat(399)}`)).toBe(10n ** 399n);
    expect(read('1e399')).toBe(10n ** 399n);
    expect(read(`1${'0'.repeat(400)}`)).toBe(Number.POSITIVE_INFINITY);
    expect(read('1e400')).toBe(Number.POSITIVE_INFINITY);
  });

  test('an integer written with a fraction and an exponent is the same integer', () => {
    const shift = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), shift, (value, places) => {
        const digits = value
          .toString()
          .replace('-', '')
          .padStart(places + 1, '0');
        const cut = digits.length - places;
        const source = `${value < 0n ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}0e${places}`;
        expect(read(source.replace(/^(-?)0+(?=\d)/, '$1'))).toBe(value);
      }),
    );
  });

  test('a long run of inner zeros takes no longer than any other text', () => {
    expect(read(`0.${'0'.repeat(200_000)}1`)).toBe(0);
  });
});

describe('grammar', () => {
  test.each([
    '',
    ' ',
    '{',
    '[',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '{"a"}',
    '[1 2]',
    '01',
    '-',
    '+1',
    '.5',
    '1.',
    '1e',
    '0x1',
    'NaN',
    'Infinity',
    'True',
    'nul',
    'undefined',
    '"a',
    '"\\x"',
    '"\\u12"',
    '"\n"',
    '"\t"',
    '1 1',
    '{} {}',
    '// c\n1',
    '\ufeff1',
    '\u00a01',
    ']',
    '"\\"',
  ])('%j is refused, as JSON.parse refuses it', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(parseJson(text)).toMatchObject({ ok: false });
  });

  test('every text is accepted or refused as JSON.parse does', () => {
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

  test('every JSON text is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.nat(2), (source, indent) => {
        const text = JSON.stringify(JSON.parse(source), null, indent);
        expect(toDoubles(read(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('a refusal says what was expected, what came, and where', () => {
    expect(parseJson('[1,]')).toEqual({ ok: false, message: 'expected a value, got "]"', position: 3 });
    expect(parseJson('{"a":1')).toEqual({
      ok: false,
      message: 'expected "," or "}", got the end',
      position: 6,
    });
    expect(parseJson('1 x')).toEqual({ ok: false, message: 'expected the end, got "x"', position: 2 });
    expect(parseJson('["\\q"]')).toEqual({
      ok: false,
      message: 'a malformed escape in a string',
      position: 1,
    });
  });

  test('a lone surrogate, escaped or not, is kept', () => {
    expect(read('"\\ud800"')).toBe('\ud800');
    expect(read('"\udfff"')).toBe('\udfff');
  });

  describe('what is nested deeper than 500 levels', () => {
    const nested = (depth: number, innermost = '') => '['.repeat(depth) + innermost + ']'.repeat(depth);

    test('is passed over, so that no text exhausts the stack', () => {
      expect(read(nested(1_000_000))).toEqual(read(nested(501)));
      expect(read(nested(500, '{"a":"]}"},[1e999]'))).toEqual(read(nested(500, '[],[]')));
      expect(read(`[${nested(600)},7]`)).toMatchObject([expect.anything(), 7n]);
    });

    test('is JSON all the same', () => {
      expect(parseJson('{"a":'.repeat(1_000_000))).toEqual({
        ok: false,
        message: 'expected a value, got the end',
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
  test('a duplicate is named by its pointer, wherever it stands, and the last value counts', () => {
    const parsed = parseJson('{"a":1,"b/c":[0,{"~":1,"~":2,"~":3}],"\\u0061":2}');
    expect(parsed).toEqual({
      ok: true,
      value: { a: 2n, 'b/c': [0n, { '~': 3n }] },
      duplicates: ['/b~1c/1/~0', '/b~1c/1/~0', '/a'],
    });
  });

  test('the same name in two objects is no duplicate', () => {
    expect(parseJson('[{"a":1},{"a":{"a":1}}]')).toMatchObject({ duplicates: [] });
  });

  test('names of Object.prototype are names like any other', () => {
    const parsed = parseJson('{"__proto__":{"x":1},"constructor":1,"toString":2}');
    expect(parsed).toMatchObject({ ok: true, duplicates: [] });
    const value = read('{"__proto__":{"x":1}}');
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
