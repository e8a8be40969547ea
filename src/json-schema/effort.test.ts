import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringifyJson } from '../json/stringify.ts';
import { boundaries, noEffort, valid } from './generate/valid.ts';
import type { JsonSchema, SchemaObject } from './schema.ts';
import { UnsatisfiableSchema } from './schema.ts';
import { violations } from './violate/violations.ts';

const ref = (index: number) => ({ $ref: `#/components/schemas/S${index}` });

/** Schemas like those of a payment API: each refers to all later ones, directly, in a list, or in anyOf. */
const nested = (count: number, requireAll = false): SchemaObject => {
  const schemaAt = (index: number): SchemaObject => {
    const later = Array.from({ length: count - index - 1 }, (_, offset) => index + offset + 1);
    const usages = (target: number): readonly JsonSchema[] => [
      ref(target),
      { type: 'array', items: ref(target) },
      { oneOf: [ref(target), { type: 'string' }] },
    ];
    const properties = later.map((target) => [
      `s${target}`,
      usages(target)[requireAll ? 0 : target % 3] ?? true,
    ]);
    const any = later.length > 2 && !requireAll ? { any: { anyOf: later.slice(0, 3).map(ref) } } : {};
    return {
      type: 'object',
      required: requireAll ? later.map((target) => `s${target}`) : ['id'],
      properties: { id: { type: 'string' }, ...Object.fromEntries(properties), ...any },
    };
  };
  const names = Array.from({ length: count }, (_, index) => [`S${index}`, schemaAt(index)]);
  return { components: { schemas: Object.fromEntries(names) } };
};

describe('nested schemas', () => {
  test('12 -> values within bounds, and counts of omitted parts', () => {
    const root = nested(12);
    const effort = noEffort();
    const longest = (values: readonly unknown[]) =>
      Math.max(...values.map((value) => stringifyJson(value as never).length));
    expect(longest(fc.sample(valid(ref(0), root, effort), { seed: 1, numRuns: 20 }))).toBeLessThan(20_000);
    expect(longest(boundaries(ref(0), root, effort))).toBeLessThan(20_000);
    expect(effort.steps).toBeLessThan(10_000);
    expect([...effort.reduced]).not.toEqual([]);
  });

  test('12 -> a bounded number of violations, outer positions first', () => {
    const effort = noEffort();
    const found = violations(ref(0), nested(12), { effort });
    expect(effort.steps).toBeLessThan(20_000);
    expect(effort.unbroken).toBeGreaterThan(0);
    expect(found.map(({ keyword, pointer }) => `${keyword} ${pointer}`)).toEqual(
      expect.arrayContaining(['required ', 'type ', 'type /id', 'type /s1']),
    );
  });

  test('steps -> do not double with each level', () => {
    const [dropParts = 0, more = 0] = [10, 12].map((count) => {
      const effort = noEffort();
      boundaries(ref(0), nested(count), effort);
      return effort.steps;
    });
    expect(more).toBeLessThan(3 * dropParts);
  });

  test('30 of them -> smaller values once too many steps are taken, and what is left out is counted', () => {
    const effort = noEffort();
    valid(ref(0), nested(30), effort);
    expect(effort.steps).toBeLessThan(5_000);
    expect(effort.reduced).toContain('s29');
  });

  test('30 that require each other -> no value, instead of one with a billion parts', () => {
    expect(() => valid(ref(0), nested(30, true))).toThrow(UnsatisfiableSchema);
  });

  test('few properties -> nothing is left out', () => {
    const effort = noEffort();
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } };
    violations(schema, schema, { effort });
    expect(effort).toMatchObject({ reduced: new Set(), unbroken: 0 });
  });
});
