import fc, { type Arbitrary } from 'fast-check';
import type { Json } from '../../json/json.ts';
import { fromPointer } from '../../json/pointer.ts';
import { memoized } from '../../util/memoize.ts';
import { compileSchema, type JsonSchema, type SchemaObject } from '../compile.ts';
import { distinct } from '../schema-kinds.ts';
import { type Document, type Effort, generate, type Override } from './generate.ts';
import type { Material } from './value-source.ts';

export interface GenerationOptions {
  /**
   * Values of our own for places of the document, by JSON pointer (`*` as a step: any item or member): `/name`, `/items/0/id`. They
   * replace what the schema would give there, at random and among the systematic values; the schema must accept them.
   */
  readonly overrides?: Readonly<Record<string, Arbitrary<Json>>>;
  /** Counts what generation does, and what it leaves out of large schemas. */
  readonly effort?: Effort;
}

export type { Effort };

export const noEffort = (): Effort => ({ steps: 0, reduced: new Set(), unbroken: 0 });

/**
 * Values that a schema accepts, shrinking towards simple ones.
 * @param root the document that `$ref`s point into
 * @throws UnsatisfiableSchema where no value meets the schema; UnsupportedKeyword where it says something that cannot be honoured
 */
export const valid = (
  schema: JsonSchema,
  root: unknown = schema,
  options: GenerationOptions = {},
): Arbitrary<Json> => generate(schema, openDocument(root, options), overridesOf(options)).arbitrary;

/**
 * The systematic values that a schema accepts, the simplest first: each bound, each enumerated value, each optional property present
 * and missing, the extremes of integers and lengths.
 * @throws as {@link valid} does
 */
export const boundaries = (
  schema: JsonSchema,
  root: unknown = schema,
  options: GenerationOptions = {},
): readonly Json[] =>
  distinct(generate(schema, openDocument(root, options), overridesOf(options)).boundaries());

export const overridesOf = (options: GenerationOptions): readonly Override[] =>
  Object.entries(options.overrides ?? {}).map(([pointer, arbitrary]) => ({
    steps: fromPointer(pointer),
    material: fixed(arbitrary),
    forced: false,
  }));

/** A given arbitrary has no systematic values: one drawn value, always the same, stands among those of other places. */
const fixed = (arbitrary: Arbitrary<Json>): Material => ({
  arbitrary,
  boundaries: () => fc.sample(arbitrary, { seed: 1, numRuns: 1 }),
});

/** What generation needs of a document; schemas are compiled on first use. */
export function openDocument(root: unknown, { effort = noEffort() }: GenerationOptions): Document {
  const validator = memoized((schema: SchemaObject) => compileSchema(schema, root));
  return {
    root,
    known: new WeakMap(),
    effort,
    accepts: (schema, value) =>
      typeof schema === 'boolean' ? schema : validator(schema)(value).length === 0,
  };
}
