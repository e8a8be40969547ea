import fc from 'fast-check';
import type { ApiDocument } from '../../src/document/api-document.ts';
import { type Violation, violations } from '../../src/generate/violations.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';
import { memoised } from '../../src/memo/memo.ts';
import type { Expectation } from '../../src/oracle/probe.ts';
import type { CaseContext } from '../../src/run/check.ts';
import type { Fixtures } from '../../src/run/fixtures.ts';
import { category } from './animals.ts';
import type { InvalidBody } from './invalid-body.ts';

/** Stands for a name of its own until the case is sent. */
export const namePlaceholder = 'conformance';

/** Stands for a category that is known, likewise. */
const placeholderId = 1n;

export const plainBody: JsonObject = { name: namePlaceholder, categoryId: placeholderId };

/** Every way to break one rule of NewPet, as its schema gives them. */
const newPetViolations = memoised((document: ApiDocument): readonly Violation[] => {
  const schema = document.operations.find(({ id }) => id === 'createPet')?.requestBody?.schema;
  if (schema === undefined) return [];
  return violations(schema, document.root, {
    overrides: { '/name': fc.constant(namePlaceholder), '/categoryId': fc.constant(placeholderId) },
  });
});

/** Which requirement a violation falls under. */
const requirementOf = ({ keyword, pointer }: Violation): string =>
  pointer === '' && keyword === 'type' ? 'CREATE-7' : keyword === 'required' ? 'CREATE-5' : 'CREATE-6';

export const violationsFor = (requirement: string) => (fixtures: Fixtures) =>
  newPetViolations(fixtures.document).filter((violation) => requirementOf(violation) === requirement);

/** Whether its first example is sent by the check that looks whether anything is stored (CREATE-8): once is enough. */
export const isTracked = (violation: Violation): boolean =>
  requirementOf(violation) !== 'CREATE-7' &&
  violation.pointer !== '/name' &&
  !/name missing|boolean|array|object/.test(violation.label);

/** Whether the value of a member is wrong that every NewPet has. */
const isOfRequired = ({ pointer }: Violation): boolean => /^\/(name|categoryId)$/.test(pointer);

/** What is wrong may be overlooked only beside a status, or only where that has to be completed: every second body has none. */
const alternating = (value: Json, index: number): Json => {
  if (index % 2 === 0 || !isJsonObject(value)) return value;
  const { status: _, ...others } = value;
  return others;
};

export const examplesFor =
  (requirement: string, most: (violation: Violation) => number) => (fixtures: Fixtures) =>
    violationsFor(requirement)(fixtures).flatMap((violation) =>
      violation.examples
        .slice(isTracked(violation) ? 1 : 0, most(violation))
        .map((value, index) => (isOfRequired(violation) ? alternating(value, index) : value))
        .map((value): InvalidBody => ({ label: violation.label, value })),
    );

export const arbitraryFor = (requirement: string) => (fixtures: Fixtures) =>
  fc.oneof(
    ...violationsFor(requirement)(fixtures).map(({ label, arbitrary }) =>
      arbitrary.map((value): InvalidBody => ({ label, value })),
    ),
  );

export const refused = (requirement: string, because: string): Expectation => ({
  requirement,
  statuses: [400],
  because,
});

/** The body with a name of its own, so that it can be found if it is stored, and with a known category. */
export const withName = (value: Json, context: CaseContext): Json =>
  isJsonObject(value)
    ? {
        ...value,
        ...(value.name === namePlaceholder ? { name: context.freshName() } : {}),
        ...(value.categoryId === placeholderId ? { categoryId: category(context) } : {}),
      }
    : value;
