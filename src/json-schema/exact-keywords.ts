import type { FuncKeywordDefinition } from 'ajv/dist/2020.js';
import { canonicalText, sameJson } from '../json/equal.ts';
import { isNumeric, type Json, toJson } from '../json/json.ts';
import { scaled, toDecimal } from '../json/number.ts';
import { stringifyJson } from '../json/stringify.ts';
import { schemaProblems } from './refusals.ts';
import { isInteger, isTypeName, kindOf, kindsOf, typesOf } from './types.ts';

/** Integer formats of the OpenAPI format registry, with their bounds. */
export const intRanges: Readonly<Record<string, readonly [least: bigint, greatest: bigint]>> = {
  int8: signed(8),
  int16: signed(16),
  int32: signed(32),
  int64: signed(64),
  uint8: unsigned(8),
  uint16: unsigned(16),
  uint32: unsigned(32),
  uint64: unsigned(64),
};

function signed(bits: number): [bigint, bigint] {
  const half = 2n ** BigInt(bits - 1);
  return [-half, half - 1n];
}

function unsigned(bits: number): [bigint, bigint] {
  return [0n, 2n ** BigInt(bits) - 1n];
}

type Numeric = bigint | number;

type Test = (value: Json) => boolean;

/**
 * The numeric keywords of ajv for exact JSON: ajv itself uses doubles, and does not accept a bigint as a number. JavaScript compares a
 * bigint with a double by their mathematical values, so bounds need no conversion.
 */
export const exactKeywords = (): readonly FuncKeywordDefinition[] => [
  keyword(
    'exactType',
    oncePerText((types) => {
      const unknown = typesOf(types).find((type) => !isTypeName(type));
      if (unknown !== undefined) throw new Error(schemaProblems.notType(unknown));
      const allowed = kindsOf(types);
      return (value) => allowed.has(kindOf(value));
    }),
  ),
  keyword('exactFormat', (format, { exactType }) => {
    const [least, greatest] = intRanges[String(format)] ?? [0n, 0n];
    const saidByType = typesOf(exactType).includes('integer');
    return (value) =>
      !isNumeric(value) || (isInteger(value) ? value >= least && value <= greatest : saidByType);
  }),
  ofNumbers('minimum', (value, limit) => value >= limit),
  ofNumbers('maximum', (value, limit) => value <= limit),
  ofNumbers('exclusiveMinimum', (value, limit) => value > limit),
  ofNumbers('exclusiveMaximum', (value, limit) => value < limit),
  ofNumbers('multipleOf', isMultiple),
  keyword('enum', (values) => {
    const allowed = Array.isArray(values) ? values.map(toJson) : [];
    return (value) => allowed.some((candidate) => sameJson(candidate, value));
  }),
  keyword('const', (expected) => {
    const only = toJson(expected);
    return (value) => sameJson(only, value);
  }),
  keyword('uniqueItems', (wanted) => (value) => wanted !== true || !Array.isArray(value) || allDiffer(value)),
];

function keyword(
  name: string,
  compile: (schema: unknown, parent: Readonly<Record<string, unknown>>) => Test,
): FuncKeywordDefinition {
  return { keyword: name, compile, errors: false };
}

/** Compiles equal schemas once: ajv needs quadratic time for the different tests that one schema has. */
function oncePerText(compile: (schema: unknown) => Test): (schema: unknown) => Test {
  const tests = new Map<string, Test>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const test = tests.get(text) ?? compile(schema);
    tests.set(text, test);
    return test;
  };
}

function ofNumbers(name: string, holds: (value: Numeric, limit: Numeric) => boolean): FuncKeywordDefinition {
  return keyword(name, (limit) => {
    if (!isNumeric(limit)) throw new Error(schemaProblems.notNumber(name));
    return (value) => !isNumeric(value) || holds(value, limit);
  });
}

/** Compares decimal digits: as doubles, 0.3 is not a multiple of 0.1. */
function isMultiple(value: Numeric, step: Numeric): boolean {
  if (!Number.isFinite(Number(value))) return isInteger(value) && Number.isInteger(step);
  const [a, b] = [toDecimal(value), toDecimal(step)];
  const exponent = Math.min(a.exponent, b.exponent);
  const divisor = scaled(b, exponent);
  return divisor !== 0n && scaled(a, exponent) % divisor === 0n;
}

/** Compares only values with the same text: all pairs of 5,000 objects would take half a minute. */
function allDiffer(items: readonly Json[]): boolean {
  const byText = Map.groupBy(items, canonicalText);
  return [...byText.values()].every((alike) => alike.length === 1 || alike.every(isFirstOfItsKind));
}

const isFirstOfItsKind = (item: Json, index: number, alike: readonly Json[]): boolean =>
  alike.findIndex((other) => sameJson(item, other)) === index;

/** A value, of a schema or an instance, as JSON text. */
export const literal = (value: unknown): string => stringifyJson(toJson(value));
