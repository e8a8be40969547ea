import type { Arbitrary } from 'fast-check';
import { distinct } from '../../json/equal.ts';
import type { Json } from '../../json/json.ts';
import { acceptedBy } from '../compile.ts';
import type { JsonSchema } from '../schema.ts';
import { type Document, type Effort, generate } from './generate.ts';

export type { Effort };

/** Dozens of schemas that refer to each other take more steps. */
const usualRichSteps = 4_000;

export const noEffort = (richSteps = usualRichSteps): Effort => ({
  steps: 0,
  reduced: new Set(),
  unbroken: 0,
  richSteps,
});

/** The values that a schema accepts: see {@link valid} and {@link boundaries}. */
export const validValues = (
  schema: JsonSchema,
  root: unknown,
  effort: Effort,
): { readonly arbitrary: Arbitrary<Json>; readonly boundaries: readonly Json[] } => {
  const source = generate(schema, openDocument(root, effort), []);
  return { arbitrary: source.arbitrary, boundaries: distinct(source.boundaries()) };
};

/**
 * Values that a schema accepts, shrinking towards simple ones.
 * @param root the document that `$ref`s refer to
 * @param effort counts the work, and the parts of large schemas that are left out
 * @throws UnsatisfiableSchema if no value is valid; UnsupportedKeyword if generation does not support a keyword
 */
export const valid = (schema: JsonSchema, root: unknown = schema, effort = noEffort()): Arbitrary<Json> =>
  generate(schema, openDocument(root, effort), []).arbitrary;

/**
 * The systematic values that a schema accepts, the simplest first: each bound, each enumerated value, each optional property present
 * and missing, the extremes of integers and lengths.
 * @throws as {@link valid} does
 */
export const boundaries = (
  schema: JsonSchema,
  root: unknown = schema,
  effort = noEffort(),
): readonly Json[] => distinct(generate(schema, openDocument(root, effort), []).boundaries());

/** A document, prepared for generation. */
export const openDocument = (root: unknown, effort: Effort): Document => ({
  root,
  known: new WeakMap(),
  effort,
  accepts: (schema, value) => (typeof schema === 'boolean' ? schema : acceptedBy(schema, root)(value)),
});
