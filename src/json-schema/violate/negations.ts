import fc, { type Arbitrary } from 'fast-check';
import { isNumeric, type Json, toJson } from '../../json/json.ts';
import { typeName, typeNames } from '../../json/type-names.ts';
import { intRanges } from '../exact-keywords.ts';
import type { FlatSchema } from '../flatten.ts';
import { stringFormats } from '../generate/formats.ts';
import { matcherOf } from '../patterns/pattern.ts';
import { isSchema, type JsonSchema, type SchemaObject, stringList } from '../schema.ts';
import { type Kind, kindOf, kinds } from '../types.ts';

/** Values of each type of JSON for positions that do not allow it. */
const otherTypes: Readonly<
  Record<Kind, { readonly values: readonly Json[]; readonly arbitrary: Arbitrary<Json> }>
> = {
  null: { values: [null], arbitrary: fc.constant(null) },
  boolean: { values: [true, false], arbitrary: fc.boolean() },
  integer: {
    values: [0n, 1n, -1n, 2n ** 53n + 1n],
    arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  },
  fraction: {
    values: [0.5, -12_345.5, 1.5, 1e-7],
    arbitrary: fc.integer({ min: -10_000, max: 10_000 }).map((count) => count + 0.5),
  },
  string: {
    values: ['a', '', '1', '1.5', 'true', 'null', '[]', '{}'],
    arbitrary: fc.oneof(fc.string(), fc.integer().map(String)),
  },
  array: {
    values: [[], [null], [[]], [0n], ['a'], [{}]],
    arbitrary: fc.array(fc.oneof(fc.integer().map(BigInt), fc.string()), { maxLength: 3 }),
  },
  object: {
    values: [{}, { value: 0n }, { value: 'a' }],
    arbitrary: fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 3, noNullPrototype: true }),
  },
};

/** An object with an enum value as its only member: some libraries write and read variants of a type like this. */
const listedAsMember = ({ values }: FlatSchema): readonly Json[] => {
  const listed = values?.find((value) => typeof value === 'string');
  return listed === undefined ? [] : [{ [listed]: null }];
};

/** A library without a numeric type for it may return it as text. */
const beyondAnyInteger = 10n ** 20n - 1n;

/** The most revealing values. If there is an enum, a small integer may be read as an index of it. */
const revealingOf = (kind: Kind, flat: FlatSchema): readonly Json[] => {
  if (kind === 'object') return listedAsMember(flat);
  return kind === 'integer' && flat.values === null ? [beyondAnyInteger] : [];
};

/** Values of a type that the position does not allow, with a label. */
function ofOtherType(kind: Kind, flat: FlatSchema) {
  const allowed = flat.kinds.has('fraction')
    ? [...flat.kinds, 'number'].filter((name) => name !== 'integer' && name !== 'fraction')
    : [...flat.kinds];
  const { values, arbitrary } = otherTypes[kind];
  const [plainest, ...further] = values;
  const telling = revealingOf(kind, flat);
  return {
    kind: 'values' as const,
    label: `${typeNames[kind]} instead of ${allowed.map(typeName).join(' or ')}`,
    values: plainest === undefined ? telling : [plainest, ...telling, ...further],
    arbitrary,
  };
}

/** Values that a careless comparison takes for an enum value, and other values of the allowed types. */
function nearMisses(listed: readonly Json[], flat: FlatSchema): readonly Json[] {
  const integers = listed.filter((value) => typeof value === 'bigint');
  const like: readonly Json[] = [
    ...likeTexts(listed.filter((value) => typeof value === 'string')),
    ...integers.flatMap((value) => [value + 1n, value - 1n, -value]),
  ];
  const others: readonly Json[] = ['', 'unknown', 'null', 0n, 0.5, true, false, null, [], {}];
  const listedKinds = new Set(listed.map(kindOf));
  const allowed = [...like, ...others].filter((value) => flat.kinds.has(kindOf(value)));
  return [...new Set([...allowed.filter((value) => listedKinds.has(kindOf(value))), ...allowed])];
}

const otherSpellings: readonly ((text: string) => string)[] = [
  (text) => ` ${text}`,
  (text) => `${text} `,
  (text) => text.charAt(0) + text.slice(1).toUpperCase(),
  (text) => text.slice(0, -1),
  (text) => `${text}s`,
  (text) => `"${text}"`,
];

/** Each text in capitals, because a server may accept one text alone. Then one text of each other spelling, then the others. */
const likeTexts = (texts: readonly string[]): readonly string[] => {
  const turns = texts.map((_, turn) =>
    otherSpellings.map((spell, index) => spell(texts[(turn + index) % texts.length] ?? '')),
  );
  return [
    ...texts.map((text) => text.toUpperCase()),
    ...texts.map((text) => text.charAt(0).toUpperCase() + text.slice(1)),
    ...turns.flat(),
  ];
};

/**
 * One way to break one keyword of a schema object. `schema`: combined with the other rules of the position, it describes the values.
 * `values`: the values themselves. `change`: makes them from values that only lack the keyword.
 */
export type Negation = { readonly label: string; readonly keep?: unknown } & (
  | { readonly kind: 'schema'; readonly schema: JsonSchema }
  | { readonly kind: 'values'; readonly values: readonly Json[]; readonly arbitrary: Arbitrary<Json> }
  | { readonly kind: 'change'; readonly schema: JsonSchema; readonly change: (value: Json) => Json }
);

const unlisted = (listed: readonly Json[], flat: FlatSchema): readonly Negation[] => {
  const values = nearMisses(listed, flat);
  return values.length > 0
    ? [{ kind: 'values', label: 'none of the listed values', values, arbitrary: fc.constantFrom(...values) }]
    : [];
};

type Negate = (value: unknown, schema: SchemaObject, flat: FlatSchema) => readonly Negation[];

/** How to break each keyword about a value. `properties`, `items`, and similar keywords are broken at the positions below. */
export const negations: Readonly<Record<string, Negate>> = {
  type: (_, __, flat) =>
    kinds
      .filter((kind) => !flat.kinds.has(kind) && !(kind === 'integer' && flat.kinds.has('fraction')))
      .map((kind) => ofOtherType(kind, flat)),
  enum: (value, _, flat) => (Array.isArray(value) ? unlisted(value.map(toJson), flat) : []),
  const: (value, _, flat) => unlisted([toJson(value)], flat),
  minimum: (value) => [numbers(`less than ${value}`, { exclusiveMaximum: value })],
  maximum: (value) => [numbers(`more than ${value}`, { exclusiveMinimum: value })],
  exclusiveMinimum: (value) => [numbers(`not more than ${value}`, { maximum: value })],
  exclusiveMaximum: (value) => [numbers(`not less than ${value}`, { minimum: value })],
  multipleOf: (value) => [numbers(`no multiple of ${value}`, { not: { multipleOf: value } })],
  minLength: (value) => [texts(`shorter than ${value} characters`, { maxLength: Number(value) - 1 })],
  maxLength: (value) => [texts(`longer than ${value} characters`, { minLength: Number(value) + 1 })],
  pattern: (value) => [
    texts(`no match of ${value}`, { not: { pattern: value } }),
    ...['', '!', ' ', '\n'].map((tail) =>
      changed(
        `a match of ${value} ${tail === '' ? 'in other case' : `followed by ${JSON.stringify(tail)}`}`,
        'string',
        (text) => (tail === '' ? swapCase(String(text)) : `${text}${tail}`),
      ),
    ),
  ],
  format: (value) => formatMisses(String(value)),
  minItems: (value) => [arrays(`fewer than ${value} items`, { maxItems: Number(value) - 1 })],
  maxItems: (value) => [arrays(`more than ${value} items`, { minItems: Number(value) + 1 })],
  uniqueItems: (value) =>
    value === true
      ? [
          changed('an item twice', 'array', (items) =>
            Array.isArray(items) ? [...items, ...items.slice(0, 1)] : items,
          ),
        ]
      : [],
  contains: (value, { minContains, maxContains }) => [
    ...(isNumeric(minContains) && Number(minContains) === 0
      ? []
      : [arrays('without the items it must contain', { items: isSchema(value) ? { not: value } : true })]),
    ...(isNumeric(maxContains)
      ? [
          arrays(`more than ${maxContains} of the items it may contain`, {
            contains: value,
            minContains: Number(maxContains) + 1,
          }),
        ]
      : []),
  ],
  items: (value, { prefixItems }) =>
    value === false
      ? [arrays('one item more', { minItems: (Array.isArray(prefixItems) ? prefixItems.length : 0) + 1 })]
      : [],
  required: (value) => {
    const names = stringList(value);
    return names.map((name) => ({
      ...objects(`${name} missing`, { properties: { [name]: false } }),
      keep: names.filter((other) => other !== name),
    }));
  },
  additionalProperties: (value, _, flat) => (value === false ? [unexpectedMember(flat)] : []),
  unevaluatedProperties: (value, _, flat) => (value === false ? [unexpectedMember(flat)] : []),
  minProperties: (value) => [objects(`fewer than ${value} properties`, { maxProperties: Number(value) - 1 })],
  maxProperties: (value) => [objects(`more than ${value} properties`, { minProperties: Number(value) + 1 })],
};

const ofType =
  (type: string) =>
  (label: string, schema: SchemaObject): Negation => ({ kind: 'schema', label, schema: { type, ...schema } });
const numbers = ofType('number');
const texts = ofType('string');
const arrays = ofType('array');
const objects = ofType('object');
const changed = (label: string, type: string, change: (value: Json) => Json): Negation => ({
  kind: 'change',
  label,
  schema: { type },
  change,
});

function formatMisses(format: string): readonly Negation[] {
  const range = intRanges[format];
  const misses = stringFormats[format]?.nearMisses;
  if (misses !== undefined && misses.length > 0)
    return [
      {
        kind: 'values',
        label: `no ${format}`,
        values: misses,
        arbitrary: fc.oneof(fc.constantFrom(...misses), fc.string()),
      },
    ];
  if (!range) return [];
  const [least, greatest] = range;
  const above = [greatest + 1n, greatest * 2n + 2n, greatest + 2n, 10n ** 30n + 7n];
  return [
    beyond('above', format, above, { min: greatest + 1n, max: 10n ** 30n }),
    beyond('below', format, [least - 1n, least * 2n - 1n, least - 2n, -(10n ** 30n) - 7n], {
      min: -(10n ** 30n),
      max: least - 1n,
    }),
  ];
}

const beyond = (
  side: string,
  format: string,
  values: readonly bigint[],
  limits: { min: bigint; max: bigint },
): Negation => ({
  kind: 'values',
  label: `an integer ${side} ${format}`,
  values,
  arbitrary: fc.bigInt(limits),
});

const swapCase = (text: string) =>
  [...text]
    .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
    .join('');

function unexpectedMember(flat: FlatSchema): Negation {
  const name = ['unexpected', 'additional', 'x', '_', '0'].find(
    (candidate) =>
      !flat.properties.has(candidate) &&
      !flat.patternProperties.some(([pattern]) => matcherOf(pattern)(candidate)),
  );
  return objects('a property that is not allowed', { required: [name ?? 'unexpected'] });
}
