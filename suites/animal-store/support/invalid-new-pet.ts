import fc from 'fast-check';
import type { ApiDocument } from '../../../src/check/document.ts';
import {
  type CheckContext,
  core,
  type Expectation,
  type Inputs,
  isJsonObject,
  type Json,
  type JsonObject,
  type RunContext,
  type Tiered,
} from '../../../src/check/index.ts';
import { memoized } from '../../../src/check/memoized.ts';
import { expecting } from '../../../src/check/requests.ts';
import { type Violation, violations } from '../../../src/check/schemas.ts';
import { category } from './animals.ts';
import type { InvalidBody } from './invalid-body.ts';

/** Replaced by a unique name when the case is sent. */
export const namePlaceholder = 'conformance';

/** Replaced by a known category when the case is sent. */
const placeholderId = 1n;

export const plainBody: JsonObject = { name: namePlaceholder, categoryId: placeholderId };

/** Every way to break one rule of NewPet, as its schema gives them. */
const newPetViolations = memoized((document: ApiDocument): readonly Violation[] => {
  const schema = document.operations.find(({ id }) => id === 'createPet')?.requestBody?.schema;
  if (schema === undefined) return [];
  return violations(schema, document.root, {
    overrides: { '/name': fc.constant(namePlaceholder), '/categoryId': fc.constant(placeholderId) },
  });
});

/** The requirement that a violation tests. */
const requirementOf = ({ keyword, pointer }: Violation): string =>
  pointer === '' && keyword === 'type' ? 'CREATE-7' : keyword === 'required' ? 'CREATE-5' : 'CREATE-6';

export const violationsFor = (requirement: string) => (run: RunContext) =>
  newPetViolations(run.document).filter((violation) => requirementOf(violation) === requirement);

/** The name is missing, or of another type. */
export const isOfName = ({ pointer, examples: [example = null] }: Violation): boolean =>
  isJsonObject(example) && (pointer === '/name' || example.name === undefined);

/** Whether the check for stored animals (CREATE-8) sends its first example: once is enough. */
export const isTracked = (violation: Violation): boolean => {
  const requirement = requirementOf(violation);
  if (requirement === 'CREATE-7' || isOfName(violation)) return false;
  const [example = null] = violation.examples;
  if (!isJsonObject(example)) return false;
  if (requirement === 'CREATE-5') return true;
  const wrong = example[violation.pointer.slice(1)] ?? null;
  return wrong === null || !['boolean', 'object'].includes(typeof wrong);
};

/** A required field has the wrong value. */
const isOfRequired = ({ pointer }: Violation): boolean => /^\/(name|categoryId)$/.test(pointer);

/** A server may miss a violation only with a status, or only without: every second body has none. */
const alternating = (value: Json, index: number): Json => {
  if (index % 2 === 0 || !isJsonObject(value)) return value;
  const { status: _, ...others } = value;
  return others;
};

const hasMembers = (value: Json): boolean => isJsonObject(value) && Object.keys(value).length > 0;

const isEmptyArray = (value: Json): boolean => Array.isArray(value) && value.length === 0;

/**
 * One body for each mistake of real servers: values that a test for truthiness takes for none, objects, and other case. CREATE-8 sends the
 * other types, and the other inputs have arrays and objects.
 */
const isTelling = ({ keyword, pointer }: Violation, value: Json): boolean => {
  if (keyword === 'type' && pointer === '') return value === null || value === 0n;
  if (!isJsonObject(value)) return false;
  if (keyword === 'required') return value.name === undefined && value.status !== undefined;
  const wrong = value[pointer.slice(1)] ?? null;
  if (pointer === '/status')
    return wrong === true || hasMembers(wrong) || (typeof wrong === 'string' && /^[a-z][A-Z]/.test(wrong));
  return wrong === false || (pointer === '/categoryId' && (wrong === '' || isEmptyArray(wrong)));
};

export const examplesFor =
  (requirement: string, most: (violation: Violation) => number) =>
  (run: RunContext): Inputs<InvalidBody> =>
    violationsFor(requirement)(run).flatMap((violation) =>
      violation.examples
        .slice(isTracked(violation) ? 1 : 0, most(violation))
        .map((value, index) => (isOfRequired(violation) ? alternating(value, index) : value))
        .map((value): InvalidBody | Tiered<InvalidBody> => {
          const body = { label: violation.label, value };
          return isTelling(violation, value) ? core(body) : body;
        }),
    );

export const arbitraryFor = (requirement: string) => (run: RunContext) =>
  fc.oneof(
    ...violationsFor(requirement)(run).map(({ label, arbitrary }) =>
      arbitrary.map((value): InvalidBody => ({ label, value })),
    ),
  );

export const rejected = (requirement: string, because: string): Expectation =>
  expecting(requirement, [400], because);

/** The body with a unique name, so that it can be found if it is stored, and a known category. */
export const withName = (value: Json, context: CheckContext): Json =>
  isJsonObject(value)
    ? {
        ...value,
        ...(value.name === namePlaceholder ? { name: context.uniqueName() } : {}),
        ...(value.categoryId === placeholderId ? { categoryId: category(context) } : {}),
      }
    : value;
