import fc, { type Arbitrary } from 'fast-check';
import { distinct } from '../../json/equal.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { fromPointer, toPointer } from '../../json/pointer.ts';
import { compileSchema } from '../compile.ts';
import type { FlatSchema } from '../flatten.ts';
import { boundedFilter } from '../generate/bounded-filter.ts';
import { below, type Document, generate, type Override } from '../generate/generate.ts';
import { type Effort, noEffort, openDocument } from '../generate/valid.ts';
import type { ValueSource } from '../generate/value-source.ts';
import { ownKeywords } from '../keywords.ts';
import { wantedValues } from '../refusals.ts';
import {
  ifSatisfiable,
  isSchemaObject,
  type JsonSchema,
  resolveRef,
  type SchemaObject,
  schemaList,
} from '../schema.ts';
import { breaksOnly } from './breaks-only.ts';
import { combinedNegations } from './combined-negations.ts';
import { type Negation, negations } from './negations.ts';
import { positionsOf, type SchemaPosition } from './positions.ts';

/** One rule of a schema, and whole values that break it and no other. */
export interface Violation {
  readonly keyword: string;
  /** JSON pointer to the place in the value that breaks the rule. */
  readonly pointer: string;
  /** For people: `categoryId: a fraction instead of an integer`. */
  readonly label: string;
  /** Systematic values; the rest of each value is as simple as possible. */
  readonly examples: readonly Json[];
  readonly arbitrary: Arbitrary<Json>;
}

export interface ViolationOptions {
  /** Values to use instead of generated ones, by JSON pointer: `/name`. They must be valid. */
  readonly overrides?: Readonly<Record<string, Arbitrary<Json>>>;
  /** Counts the work, and the parts of large schemas that are left out. */
  readonly effort?: Effort;
  /** The maximal number of visited schemas and validated values, outer positions first. Default: 10,000. */
  readonly maxSteps?: number;
  /** The maximal number of systematic values for each rule. Default: all. */
  readonly mostExamples?: number;
}

/**
 * Every way to break one rule of a schema. Each value, written as JSON and read back, breaks only that rule. A rule that cannot be broken
 * alone is left out.
 * @param root the document that `$ref`s refer to
 * @throws as `valid` does
 */
export function violations(
  schema: JsonSchema,
  root: unknown = schema,
  options: ViolationOptions = {},
): readonly Violation[] {
  const { overrides: given = {}, effort = noEffort(), maxSteps = usualSteps } = options;
  const { mostExamples = Number.POSITIVE_INFINITY } = options;
  const thorough = maxSteps < usualSteps / 10 ? 0 : Math.min(thoroughSteps, maxSteps / 2);
  const document = openDocument(root, effort);
  const overrides = Object.entries(given).map(
    ([pointer, arbitrary]): Override => ({
      steps: fromPointer(pointer),
      // An override has no systematic values, so one drawn value is used, always the same.
      valueSource: { arbitrary, boundaries: () => fc.sample(arbitrary, { seed: 1, numRuns: 1 }) },
      forced: false,
    }),
  );
  const whole: Whole = { schema, document, overrides, mostExamples, problems: compileSchema(schema, root) };
  generate(schema, document, overrides);
  const breaches = positionsOf(schema, root).flatMap((place) => breachesOf(place, document, overrides));
  const before = effort.steps;
  return united(
    breaches.flatMap((breach) => {
      const spent = effort.steps - before;
      if (spent < maxSteps) return violation(breach, whole, spent >= thorough);
      effort.unbroken += 1;
      return [];
    }),
  );
}

/** A schema with a hundred properties takes fewer. A limit in time would make a run depend on the machine. */
const usualSteps = 10_000;
/** After this many steps, a rule gets a few systematic values only. With few steps for a whole schema, each rule does. */
const thoroughSteps = 1_500;
const fewExamples = 3;

interface Whole {
  readonly schema: JsonSchema;
  readonly document: Document;
  readonly overrides: readonly Override[];
  readonly mostExamples: number;
  readonly problems: ReturnType<typeof compileSchema>;
}

/** A broken rule at a position, with the values there. */
interface BrokenRule {
  readonly keyword: string;
  readonly steps: readonly string[];
  readonly label: string;
  readonly valueSource: () => ValueSource;
}

function breachesOf(place: SchemaPosition, document: Document, overrides: readonly Override[]) {
  const inside = place.steps
    .reduce((left, step) => below(left, step), overrides)
    .filter((override) => override.steps.length > 0);
  const make = (schema: JsonSchema) => generate(schema, document, inside);
  const own = place.flats.flatMap((flat) =>
    flat.sources.flatMap((source) =>
      [...ownKeywords, 'unevaluatedProperties']
        .filter((keyword) => Object.hasOwn(source, keyword))
        .flatMap((keyword) =>
          (negations[keyword]?.(source[keyword], source, flat) ?? []).map(
            (negation): BrokenRule => ({
              keyword,
              steps: place.steps,
              label: negation.label,
              valueSource: () => negated(negation, without(flat, source, keyword, negation.keep), make),
            }),
          ),
        ),
    ),
  );
  const parts = conjuncts(place.schema, document.root);
  const combined = parts.flatMap((part) =>
    combinedNegations(part).map(
      (negation): BrokenRule => ({
        ...negation,
        steps: place.steps,
        valueSource: () =>
          make({
            allOf: [
              ...parts.filter((other) => other !== part),
              omit(part, [negation.keyword, '$ref', 'allOf']),
              negation.schema,
            ],
          }),
      }),
    ),
  );
  return [...own, ...combined];
}

/** The rules of a position without one keyword, with its combinations resolved. */
const without = (flat: FlatSchema, source: SchemaObject, keyword: string, keep: unknown): JsonSchema => ({
  allOf: flat.sources.map((part) => {
    const own = pick(part, ownKeywords);
    return part === source
      ? { ...omit(own, [keyword]), ...(keep === undefined ? {} : { [keyword]: keep }) }
      : own;
  }),
});

const pick = (schema: SchemaObject, keywords: readonly string[]): SchemaObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)));
const omit = (schema: SchemaObject, keywords: readonly string[]): SchemaObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

function negated(negation: Negation, rest: JsonSchema, make: (schema: JsonSchema) => ValueSource) {
  if (negation.kind === 'values') return { arbitrary: negation.arbitrary, boundaries: () => negation.values };
  const valueSource = make({ allOf: [rest, negation.schema] });
  if (negation.kind === 'schema') return valueSource;
  return {
    arbitrary: valueSource.arbitrary.map(negation.change),
    boundaries: () => valueSource.boundaries().map(negation.change),
  };
}

/** The schema objects that all apply at a position. */
function conjuncts(schema: JsonSchema, root: unknown): readonly SchemaObject[] {
  if (!isSchemaObject(schema)) return [];
  const referred = schema.$ref === undefined ? [] : [resolveRef(schema, root)];
  return [
    omit(schema, ['$ref', 'allOf']),
    ...[...referred, ...schemaList(schema.allOf)].flatMap((part) => conjuncts(part, root)),
  ];
}

/** Empty if the rule cannot be broken alone. */
const violation = (breach: BrokenRule, whole: Whole, isBrief: boolean): readonly Violation[] =>
  ifSatisfiable(() => violationOf(breach, whole, isBrief)) ?? [];

function violationOf(breach: BrokenRule, whole: Whole, isBrief: boolean): readonly Violation[] {
  const { steps, keyword } = breach;
  const pointer = toPointer(steps);
  const breaksAlone = breaksOnly(whole.problems, keyword, pointer);
  const breaks = (value: Json) => {
    whole.document.effort.steps += 1;
    return breaksAlone(value);
  };
  const valueSource = breach.valueSource();
  const place = (given: ValueSource) =>
    generate(whole.schema, whole.document, [{ steps, valueSource: given, forced: true }, ...whole.overrides]);
  const base = place({ arbitrary: fc.constant(null), boundaries: () => [null] }).boundaries()[0] ?? null;
  const examples = valueSource
    .boundaries()
    .slice(0, isBrief ? fewExamples : Number.POSITIVE_INFINITY)
    .values()
    .map((value) => replaced(base, steps, value))
    .filter(breaks)
    .take(whole.mostExamples)
    .toArray();
  const arbitrary =
    isBrief && examples.length > 0
      ? fc.constantFrom(...examples)
      : drawable(place(valueSource).arbitrary, { breaks, breaksAlone }, examples);
  const label = steps.length === 0 ? breach.label : `${steps.join('.')}: ${breach.label}`;
  return arbitrary ? [{ keyword, pointer, label, examples, arbitrary }] : [];
}

/** The values that break the rule, if they are common enough to be drawn; otherwise the examples. */
function drawable(
  source: Arbitrary<Json>,
  { breaks, breaksAlone }: Readonly<Record<'breaks' | 'breaksAlone', (value: Json) => boolean>>,
  examples: readonly Json[],
): Arbitrary<Json> | null {
  const isCommon = (numRuns: number) => fc.sample(source, { seed: 1, numRuns }).filter(breaks).length > 1;
  if (isCommon(3) || isCommon(60)) return boundedFilter(source, breaksAlone, wantedValues.invalid);
  return examples.length > 0 ? fc.constantFrom(...examples) : null;
}

/** The value with another one at a place. */
function replaced(value: Json, [step, ...steps]: readonly string[], by: Json): Json {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? replaced(item, steps, by) : item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === step ? replaced(member, steps, by) : member,
    ]),
  );
}

/** Merges violations of one rule in several alternatives, with the examples of all. */
function united(all: readonly Violation[]): readonly Violation[] {
  const byRule = Map.groupBy(all, ({ keyword, pointer, label }) => JSON.stringify([keyword, pointer, label]));
  return [...byRule.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    if (same.length === 1) return [first];
    const arbitrary = fc.oneof(...same.map((one) => one.arbitrary));
    return [{ ...first, arbitrary, examples: distinct(same.flatMap((one) => one.examples)) }];
  });
}
