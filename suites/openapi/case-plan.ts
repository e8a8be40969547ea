import { memoized } from '../../src/check/memoized.ts';
import { invalidExamples, invalidRules, mayBeRefused } from './invalid.ts';
import type { OperationUnderTest } from './operations.ts';
import { withValueAt } from './ordinary.ts';
import type { GeneratedRequest } from './request.ts';
import { ifSupported } from './unsupported.ts';
import { plain, spread, validExamples } from './valid.ts';
import { knownValuesOf } from './values.ts';

/** A run of a document with up to about 25 operations sends at most so many requests, some of them for ids and for what fails. */
const mostRequests = 1_500;
const reserved = 200;
/** Each operation gets at least so many cases, however many operations the document has. */
const leastCases = 12;
/** Generated cases of an operation that gets all of them, valid and invalid. */
const generatedCases = 35;

/** The systematic cases of each operation, and the part of its generated ones. */
export interface CasePlan {
  readonly share: number;
  valid(exercised: OperationUnderTest): readonly GeneratedRequest[];
  invalid(exercised: OperationUnderTest): readonly GeneratedRequest[];
}

const countOf = (list: () => readonly unknown[]): number =>
  ifSupported(
    () => list().length,
    () => 0,
  );

const invalidOf = (exercised: OperationUnderTest): readonly GeneratedRequest[] =>
  mayBeRefused(exercised) ? invalidExamples(exercised) : [];

/**
 * Plans the cases of operations beside other checks with so many requests. If there are too many cases, each operation gets fewer: those that
 * differ most come first.
 */
export const planCases = (all: readonly OperationUnderTest[], others: number): CasePlan => {
  const sum = (count: (exercised: OperationUnderTest) => number) =>
    all.reduce((total, exercised) => total + count(exercised), 0);
  const wanted =
    sum((each) => countOf(() => validExamples(each)) + countOf(() => invalidOf(each))) +
    all.length * generatedCases;
  const allowed = Math.max(all.length * leastCases, mostRequests - reserved - others);
  if (wanted <= allowed) return { share: 1, valid: validExamples, invalid: invalidOf };
  const valid = part(all, thriftyValid, allowed * 0.45);
  const ofValid = sum((each) => countOf(() => valid(each)));
  const invalid = part(all, thriftyInvalid, allowed * 0.9 - ofValid);
  const ofInvalid = sum((each) => countOf(() => invalid(each)));
  const left = Math.max(allowed * 0.1, allowed - ofValid - ofInvalid);
  return { share: Math.min(1, left / (all.length * generatedCases)), valid, invalid };
};

/** The first requests of each list, so that all lists together have about as many as allowed. */
const part = (
  all: readonly OperationUnderTest[],
  listOf: (exercised: OperationUnderTest) => readonly GeneratedRequest[],
  allowed: number,
) => {
  const total = all.reduce((sum, each) => sum + countOf(() => listOf(each)), 0);
  const factor = Math.min(1, allowed / Math.max(1, total));
  return (exercised: OperationUnderTest): readonly GeneratedRequest[] => {
    const list = listOf(exercised);
    return list.slice(0, Math.max(leastCases / 4, Math.round(list.length * factor)));
  };
};

/** The ordinary request, then those with several values that the document names, then the others evenly. */
const thriftyValid = memoized((exercised: OperationUnderTest): readonly GeneratedRequest[] => {
  const [base, ...others] = validExamples(exercised);
  const claims = others.filter(({ steps }) => steps !== undefined);
  const rest = others.filter(({ steps }) => steps === undefined);
  const named = rest.filter(({ twin }) => twin !== undefined);
  const unnamed = rest.filter(({ twin }) => twin === undefined);
  return base === undefined
    ? []
    : [base, ...combined(exercised, claims), ...spread(named, named.length), ...spread(unnamed, mostUnnamed)];
});

const mostUnnamed = 6;
const mostTogether = 8;

const isApart = (one: readonly string[], other: readonly string[]): boolean =>
  Array.from({ length: Math.min(one.length, other.length) }).some((_, index) => one[index] !== other[index]);

/** Requests with values at several places each. If a server refuses one, its parts are sent alone. */
const combined = (
  exercised: OperationUnderTest,
  claims: readonly GeneratedRequest[],
): readonly GeneratedRequest[] => {
  const groups: GeneratedRequest[][] = [];
  for (const claim of claims) {
    const group = groups.find(
      (each) =>
        each.length < mostTogether && each.every(({ steps = [] }) => isApart(steps, claim.steps ?? [])),
    );
    if (group === undefined) groups.push([claim]);
    else group.push(claim);
  }
  return groups.flatMap((group) => together(exercised, group));
};

const together = (
  exercised: OperationUnderTest,
  group: readonly GeneratedRequest[],
): readonly GeneratedRequest[] => {
  const { schema } = knownValuesOf(exercised);
  const base = plain(exercised);
  const { body } = base;
  const [only] = group;
  if (group.length === 1 && only !== undefined) return [only];
  if (schema === null || body === null || !('json' in body)) return group;
  const json = group.reduce((value, { steps = [], named }) => withValueAt(value, steps, named), body.json);
  if (!schema.accepts(json)) return group;
  const [first, second] = group;
  return [
    {
      ...base,
      label: `${first?.label}, ${second?.label}${group.length > 2 ? `, and ${group.length - 2} more` : ''}`,
      body: { json },
      parts: group,
    },
  ];
};

/** The most different invalid requests first: each rule once, then again, then other wrong types of the same place. */
const thriftyInvalid = memoized((exercised: OperationUnderTest): readonly GeneratedRequest[] => {
  if (!mayBeRefused(exercised)) return [];
  const wrongTypes = new Map<string, number>();
  const ranked = invalidRules(exercised).flatMap(({ place, examples }) => {
    const isForm = examples[0]?.violation?.level === 'form';
    const before = isForm ? (wrongTypes.get(place) ?? 0) : 0;
    const isStrict = examples.some(({ violation }) => violation?.isLenient === false);
    if (isForm && isStrict) wrongTypes.set(place, before + 1);
    return examples.map((request, index) => ({
      request,
      rank: index + (request.violation?.isLenient === true ? 1 : 0) + Math.min(before, 2),
    }));
  });
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ request }) => request);
});
