import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../json/json.ts';
import { compileSchema } from '../json-schema/compile.ts';
import { UnsupportedKeyword } from '../json-schema/schema.ts';
import type { Parameter } from './document.ts';
import { parameterViolations, validParameter } from './parameters.ts';
import { serializeParameter } from './serialize-parameter.ts';

const query: Parameter = {
  name: 'p',
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  schema: true,
};
const path: Parameter = { ...query, in: 'path', required: true, style: 'simple', explode: false };
const limit: Parameter = { ...query, name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100 } };
const petId: Parameter = { ...path, name: 'petId', schema: { type: 'integer', format: 'int64' } };

const texts = (parameter: Parameter) =>
  parameterViolations(parameter, {}).flatMap(({ examples }) => examples);

describe('serialisation', () => {
  const list: Json = ['blue', 'black', 'brown'];
  const object: Json = { R: 100n, G: 200n };

  it.each<[Partial<Parameter>, string, string, string]>([
    [{ in: 'path', style: 'simple', explode: false }, 'blue', 'blue,black,brown', 'R,100,G,200'],
    [{ in: 'path', style: 'simple', explode: true }, 'blue', 'blue,black,brown', 'R=100,G=200'],
    [{ in: 'path', style: 'label', explode: false }, '.blue', '.blue,black,brown', '.R,100,G,200'],
    [{ in: 'path', style: 'label', explode: true }, '.blue', '.blue.black.brown', '.R=100.G=200'],
    [{ in: 'path', style: 'matrix', explode: false }, ';p=blue', ';p=blue,black,brown', ';p=R,100,G,200'],
    [{ in: 'path', style: 'matrix', explode: true }, ';p=blue', ';p=blue;p=black;p=brown', ';R=100;G=200'],
    [{ style: 'form', explode: false }, 'p=blue', 'p=blue,black,brown', 'p=R,100,G,200'],
    [{ style: 'form', explode: true }, 'p=blue', 'p=blue&p=black&p=brown', 'R=100&G=200'],
    [{ style: 'spaceDelimited', explode: false }, 'p=blue', 'p=blue%20black%20brown', 'p=R%20100%20G%20200'],
    [{ style: 'pipeDelimited', explode: false }, 'p=blue', 'p=blue%7Cblack%7Cbrown', 'p=R%7C100%7CG%7C200'],
    [{ style: 'deepObject', explode: true }, 'p=blue', 'p=blue&p=black&p=brown', 'p%5BR%5D=100&p%5BG%5D=200'],
    [{ in: 'header', style: 'simple', explode: false }, 'blue', 'blue,black,brown', 'R,100,G,200'],
    [{ in: 'cookie', style: 'form', explode: false }, 'p=blue', 'p=blue,black,brown', 'p=R,100,G,200'],
  ])('follows style and explode: %j', (changes, single, many, members) => {
    const parameter = { ...query, ...changes };
    expect([single, many, members]).toEqual(
      ['blue', list, object].map((value) => serializeParameter(parameter, value)),
    );
  });

  it('writes a parameter with JSON content as JSON text', () => {
    const json = { ...query, style: 'json' };
    expect(serializeParameter(json, { a: [1n] })).toBe('p=%7B%22a%22%3A%5B1%5D%7D');
    expect(serializeParameter({ ...json, in: 'header' }, { a: 'b' })).toBe('{"a":"b"}');
    expect(serializeParameter({ ...json, in: 'path' }, 'b')).toBe('%22b%22');
  });

  it('writes every digit, and encodes every reserved character of a URL', () => {
    expect(serializeParameter(petId, 2n ** 63n - 1n)).toBe('9223372036854775807');
    expect(serializeParameter({ ...query, name: 'a[b]' }, "é&=+/?#'()*! ")).toBe(
      'a%5Bb%5D=%C3%A9%26%3D%2B%2F%3F%23%27%28%29%2A%21%20',
    );
  });

  it('throws for a value that no style can write', () => {
    expect(() => serializeParameter(query, [['a']])).toThrow(UnsupportedKeyword);
    expect(() => serializeParameter({ ...query, style: 'round' }, 'a')).toThrow(/style.*round/);
  });

  it('can be parsed back to the same value', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), {
          minKeys: 1,
          noNullPrototype: true,
        }),
        (value) => {
          expect(Object.fromEntries(new URLSearchParams(serializeParameter(query, value)))).toEqual(value);
        },
      ),
    );
  });
});

describe('valid values of a parameter', () => {
  it('include both bounds', () => {
    expect(validParameter(limit, {}).boundaries).toEqual(expect.arrayContaining([1n, 2n, 99n, 100n]));
  });

  it('fit their place: path segment, header, or delimited list', () => {
    const text = { type: 'string' };
    const written = (parameter: Parameter) => {
      const { arbitrary, boundaries } = validParameter(parameter, {});
      return [...boundaries, ...fc.sample(arbitrary, { seed: 1, numRuns: 200 })].map((value) =>
        serializeParameter(parameter, value),
      );
    };
    for (const segment of written({ ...path, schema: text })) expect(['', '.', '..']).not.toContain(segment);
    for (const value of written({ ...path, in: 'header', schema: text }))
      expect(() => new Headers({ p: value })).not.toThrow();
    for (const value of written({
      ...query,
      style: 'pipeDelimited',
      explode: false,
      schema: { type: 'array', items: text, minItems: 2, maxItems: 2 },
    }))
      expect(value.split('%7C')).toHaveLength(2);
  });
});

describe('violations of a parameter', () => {
  it('include values just beyond each bound, and far beyond', () => {
    expect(texts(limit)).toEqual(
      expect.arrayContaining(['limit=0', 'limit=-1', 'limit=101', 'limit=99999999999999999999']),
    );
    expect(texts(petId)).toEqual(expect.arrayContaining(['9223372036854775808', '-9223372036854775809']));
  });

  it('include texts that no JSON value is written as', () => {
    for (const text of [
      'abc',
      '1.5',
      '1e',
      '%20',
      '0x1ff',
      '%EF%BC%95%EF%BC%90%EF%BC%90',
      'NaN',
      'null',
      'true',
      '1%2C2',
      '%00',
      '%F0%9F%90%88',
      '%zz',
    ])
      expect(texts(petId)).toContain(text);
    expect(texts(limit)).toContain('limit=');
    expect(texts(petId)).not.toContain('');
  });

  it('include enum values in another case', () => {
    const status = { ...query, name: 'status', schema: { type: 'string', enum: ['available', 'sold'] } };
    expect(texts(status)).toEqual(expect.arrayContaining(['status=AVAILABLE', 'status=sold%20', 'status=']));
    expect(texts(status)).not.toContain('status=0x1f');
  });

  it('never read as a valid value', () => {
    const schemas = [
      limit.schema,
      petId.schema,
      { type: 'number', maximum: 5 },
      { type: 'boolean' },
      { enum: ['1', 2, true, null] },
      { type: 'string', pattern: '^[0-9]+$' },
    ];
    for (const schema of schemas) {
      const validate = compileSchema(schema);
      for (const { arbitrary, examples, label } of parameterViolations({ ...path, schema }, {})) {
        for (const text of [...examples, ...fc.sample(arbitrary, { seed: 2, numRuns: 5 })]) {
          if (['%zz', '%', '%FF%FE'].includes(text)) continue;
          const decoded = decodeURIComponent(text);
          expect(validate(decoded), label).not.toEqual([]);
          if (/^-?\d+$/.test(decoded)) expect(validate(BigInt(decoded)), `${label} ${text}`).not.toEqual([]);
        }
      }
    }
  });

  it('of a list include lists that are too short, and lists with items of another type', () => {
    const tags = {
      ...query,
      explode: false,
      schema: { type: 'array', items: { type: 'integer' }, minItems: 2 },
    };
    expect(texts(tags)).toEqual(expect.arrayContaining(['p=0', 'p=a,0']));
    expect(texts(tags)).not.toContain('');
  });
});

describe('values that a style cannot write', () => {
  const written = (parameter: Parameter) => {
    const { arbitrary, boundaries } = validParameter(parameter, {});
    return [...boundaries, ...fc.sample(arbitrary, { seed: 1, numRuns: 50 })].map((value) =>
      serializeParameter(parameter, value),
    );
  };
  const pageable: Parameter['schema'] = {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 0n },
      sort: { type: 'array', items: { type: 'string' } },
    },
  };

  it.each<[name: string, parameter: Parameter]>([
    ['query', { ...query, schema: { type: ['integer', 'null'] } }],
    ['list', { ...query, schema: { type: 'array', items: { type: ['integer', 'null'] } } }],
    ['header', { ...query, in: 'header', style: 'simple', schema: { type: ['integer', 'null'] } }],
    ['path', { ...path, schema: { type: ['integer', 'null'] } }],
    [
      'deep object',
      {
        ...query,
        style: 'deepObject',
        schema: { type: 'object', properties: { a: { type: ['null', 'integer'] } } },
      },
    ],
  ])('null in a %s -> never sent', (_, parameter) => {
    const texts = written(parameter);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).not.toContain('null');
    for (const { examples } of parameterViolations(parameter, {}).filter(({ keyword }) => keyword !== 'type'))
      for (const text of examples) expect(text).not.toContain('null');
  });

  it.each(['form', 'deepObject'])('optional list in an object of style %s -> left out', (style) => {
    const texts = written({ ...query, name: 'p', style, schema: pageable });
    const page = style === 'form' ? /(^|&)page=\d/ : /^p%5Bpage%5D=\d/;
    expect(texts.some((text) => page.test(text))).toBe(true);
    for (const text of texts) expect(text).not.toContain('sort');
  });

  it.each([
    ['form', 'sort=a&sort=b'],
    ['deepObject', 'p%5Bsort%5D=a&p%5Bsort%5D=b'],
  ])('required list in an object of style %s -> repeated pairs', (style, text) => {
    const parameter = { ...query, style, schema: { ...pageable, required: ['sort'] } };
    expect(serializeParameter(parameter, { sort: ['a', 'b'] })).toBe(text);
    for (const each of written(parameter)) expect(each).toContain('sort');
  });

  it('required list in an object that is not exploded -> no value can be written', () => {
    const schema = { ...pageable, required: ['sort'] };
    expect(() => written({ ...query, explode: false, schema })).toThrow('writable as form');
  });
});
