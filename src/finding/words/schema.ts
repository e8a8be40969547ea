import { fromPointer } from '../../json/pointer.ts';
import { typeName } from '../../json/type-names.ts';
import { ofResponse, type ProblemText, type Seen } from '../define-problem.ts';

/** A keyword of a schema, and what it demands: as in SchemaProblem. */
export interface Demand {
  readonly keyword: string;
  readonly wanted: readonly string[];
}

/** One keyword of a schema that a body violates. */
export interface SchemaMistake extends Demand {
  readonly pointer: string;
  /** The wrong member; null: the body itself, or an item of a list. */
  readonly member: string | null;
  readonly actual: string;
  /** The name of the animal; absent: the wrong value is not in an object with a name. */
  readonly name?: string;
}

/** Replaces list indices in a pointer, because `/12/id` and `/3/id` have the same cause. */
export const schemaPosition = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/** The most kinds of problems in a message, and under expected and actual. */
const mostNamed = 3;
const mostListed = 5;

/** Completes "expected …" from what a keyword demands. */
type Words = (...wanted: readonly string[]) => string;

const compared =
  (words: string): Words =>
  (value) =>
    `${words} ${value}`;

const counted =
  (words: string, unit: string): Words =>
  (value) =>
    `${words} ${value} ${unit}${value === '1' ? '' : 's'}`;

const integerFormat = /^u?int\d+$/;
const member: Words = (name) => `a member ${name}`;
const noFurther = () => 'no further members';
const mostItems: Words = (limit) => `to NOT have more than ${limit} items`;

const expectedWords: Readonly<Record<string, Words>> = {
  type: (...types) =>
    types.map((type) => (integerFormat.test(type) ? `an ${type}` : typeName(type))).join(' or '),
  format: (format = '') => (integerFormat.test(format) ? `an ${format}` : `the format ${format}`),
  minimum: compared('at least'),
  maximum: compared('at most'),
  exclusiveMinimum: compared('more than'),
  exclusiveMaximum: compared('less than'),
  multipleOf: compared('a multiple of'),
  enum: (...values) => `one of ${values.join(', ')}`,
  const: String,
  minLength: counted('at least', 'character'),
  maxLength: counted('at most', 'character'),
  pattern: (pattern) => `a match of /${pattern}/`,
  minItems: counted('at least', 'item'),
  maxItems: counted('at most', 'item'),
  uniqueItems: () => 'items that all differ',
  minProperties: counted('at least', 'member'),
  maxProperties: counted('at most', 'member'),
  required: member,
  dependentRequired: member,
  additionalProperties: noFurther,
  unevaluatedProperties: noFurther,
  not: () => 'to NOT be valid',
  anyOf: () => 'to match a schema in anyOf',
  oneOf: () => 'to match exactly one schema in oneOf',
  if: (keyword) => `to match "${keyword}" schema`,
  contains: (least, most) =>
    `to contain at least ${least}${most === undefined ? '' : ` and no more than ${most}`} valid item(s)`,
  propertyNames: () => 'property name must be valid',
  items: mostItems,
  unevaluatedItems: mostItems,
  'false schema': () => 'no value',
};

const actualWords: Readonly<Record<string, (actual: string) => string>> = {
  minItems: (length) => `${length} items`,
  maxItems: (length) => `${length} items`,
  minProperties: (size) => `${size} members`,
  maxProperties: (size) => `${size} members`,
  additionalProperties: member,
  unevaluatedProperties: member,
};

/** What a keyword demands. */
export const expectedBySchema = ({ keyword, wanted }: Demand): string =>
  expectedWords[keyword]?.(...wanted) ?? `to meet ${keyword}`;

/** What the value is instead. */
export const actualValue = ({ keyword, actual }: Pick<SchemaMistake, 'keyword' | 'actual'>): string =>
  actualWords[keyword]?.(actual) ?? actual;

/** One kind of schema problem at one place, and in how many other items of a list it is. */
interface ShapeProblem {
  readonly keyword: string;
  /** Empty: the body itself. */
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
  /** The number of other items with this problem. */
  readonly elsewhere: number;
}

/** A JSON pointer in words: `item 26 of 100` of a list, `item 2 of 9, id` of an animal in it. */
const placeOf = (pointer: string, items: number | null): string => {
  const [first = '', ...rest] = fromPointer(pointer);
  if (items === null || first === '') return [first, ...rest].join('.');
  const item = `item ${Number(first) + 1} of ${items}`;
  return rest.length === 0 ? item : `${item}, ${rest.join('.')}`;
};

/** What a body that does not match its schema breaks. `items`: how many items it has; null: it is not an array. */
export interface Mistakes {
  readonly mistakes: readonly SchemaMistake[];
  readonly items: number | null;
}

const mistakesIn = ({ mistakes, items }: Mistakes): readonly ShapeProblem[] =>
  [
    ...Map.groupBy(mistakes, ({ pointer, keyword }) => `${keyword} ${schemaPosition(pointer)}`).values(),
  ].flatMap((same: readonly SchemaMistake[]): readonly ShapeProblem[] => {
    const [first] = same;
    if (first === undefined) return [];
    const here = same.filter(({ pointer }) => pointer === first.pointer);
    return [
      {
        keyword: first.keyword,
        place: placeOf(first.pointer, items),
        expected: [...new Set(here.map(expectedBySchema))].join(', '),
        actual: actualValue(first),
        elsewhere: new Set(same.map(({ pointer }) => pointer)).size - 1,
      },
    ];
  });

/** The problem of a value, by the violated keyword. */
const problemOf: Readonly<Record<string, (mistake: ShapeProblem) => string>> = {
  type: ({ expected, actual }) => `is ${actual}, expected ${expected}`,
  required: ({ expected, actual }) => `has no ${expected.replaceAll('a member ', '')}: ${actual}`,
};

const shapeProblemText = (mistake: ShapeProblem): string => {
  const { keyword, place, expected, actual, elsewhere } = mistake;
  const also = elsewhere === 0 ? '' : ` (also in ${elsewhere} more)`;
  const wrong = problemOf[keyword]?.(mistake);
  if (wrong !== undefined) return `${place || 'it'} ${wrong}${also}`;
  return `${place === '' ? '' : `${place}: `}expected ${expected}, got ${actual}${also}`;
};

/** The sentences about a body that does not match its schema. */
export const schemaText = (problem: Mistakes, seen: Seen): ProblemText => {
  const mistakes = mistakesIn(problem);
  const listed = (side: 'expected' | 'actual') =>
    mistakes
      .slice(0, mostListed)
      .map((mistake) => (mistake.place === '' ? mistake[side] : `${mistake.place}: ${mistake[side]}`))
      .join('\n');
  const named = mistakes.slice(0, mostNamed).map(shapeProblemText).join('; ');
  return ofResponse(seen, `body does not match the schema: ${named}`, listed('expected'), listed('actual'));
};
