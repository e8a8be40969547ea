import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UnsatisfiableSchema } from '../schema.ts';
import { violations } from '../violate/violations.ts';
import { boundaries, valid } from './valid.ts';

const sample = (pattern: string, more = {}) =>
  fc.sample(valid({ type: 'string', pattern, ...more }), { seed: 1, numRuns: 20 }).map(String);

describe('strings from a pattern', () => {
  test.each([
    '^([a-zA-Z0-9]+\\s?)+$',
    '^\\w+([\\.-]?\\w+)*@\\w+([\\.-]?\\w+)*(\\.\\w{2,3})+$',
    '^(?=.*[A-Z])(?=.*\\d)(?=.*[!@#$%^&*]).{8,64}$',
    '^(?=^(?:(?![A-Z]).)*$)(?=[\\x00-\\x7F]*).*$',
    '^(?<![\\/\\. ])[a-z]+$',
    '^[\\p{L} ]{2,20}$',
    '^[^ -~]$',
    '^[\\u4e00-\\u9fff]{2}$',
    '^(((((a+)+)+)+)+)+$',
    '[0-9]{3}',
    '^a|[]$',
  ])('%s -> only strings that match', (pattern) => {
    const expression = new RegExp(pattern, 'u');
    const values = [...sample(pattern), ...boundaries({ type: 'string', pattern }).map(String)];
    expect(values.filter((text) => text.length < 25 && !expression.test(text))).toEqual([]);
    expect(values).not.toEqual([]);
  });

  test('lengths of the schema -> kept beside the pattern', () => {
    const lengths = sample('^((?:(?:DB|BR)[-a-zA-Z0-9_]{1,100}),?){1,}$', { maxLength: 12 }).map(
      (text) => text.length,
    );
    expect(Math.max(...lengths)).toBeLessThanOrEqual(12);
  });

  test('different strings of a pattern -> both short and long ones', () => {
    const lengths = new Set(sample('^[a-z]{1,5}$').map((text) => text.length));
    expect([...lengths].toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  test('no anchor -> the whole value matches, as in Java, if its length permits that', () => {
    expect(sample('[A-Z]\\d{3}').every((text) => /^[A-Z]\d{3}$/.test(text))).toBe(true);
    expect(sample('[A-Z]\\d{3}', { minLength: 6 }).every((text) => text.length >= 6)).toBe(true);
    expect(sample('[A-Z]', { minLength: 2 })).not.toEqual([]);
  });

  test.each(['^[]$', '^a(?!b)b$', '^((a{1000}){1000}){1000}$'])(
    '%s -> no string, after a bounded number of tries',
    (pattern) => {
      expect(() => valid({ type: 'string', pattern })).toThrow(UnsatisfiableSchema);
    },
  );

  test('violations of a pattern with nested quantifiers -> none matches', () => {
    const pattern = '^([a-zA-Z0-9]+\\s?)+$';
    const [broken] = violations({ type: 'string', pattern }).filter(({ keyword }) => keyword === 'pattern');
    const texts = [
      ...(broken?.examples ?? []),
      ...fc.sample(broken?.arbitrary ?? fc.constant(''), { seed: 1, numRuns: 20 }),
    ];
    expect(texts.length).toBeGreaterThan(20);
    expect(
      texts.map(String).filter((text) => /^[a-zA-Z0-9][a-zA-Z0-9\s]*$/.test(text) && !/\s\s/.test(text)),
    ).toEqual([]);
  });

  test('a property name by a pattern -> generated and violated in its place', () => {
    const schema = {
      type: 'object',
      patternProperties: { '^([a-z]+-?)+$': { type: 'integer' } },
      additionalProperties: false,
    };
    expect(
      violations(schema)
        .map(({ pointer }) => pointer)
        .some((pointer) => /^\/[a-z-]+$/.test(pointer)),
    ).toBe(true);
  });
});
