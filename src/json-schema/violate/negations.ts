import fc, { type Arbitrary } from 'fast-check';
import { isNumeric, type Json, toJson } from '../../json/json.ts';
import { intRanges } from '../exact-keywords.ts';
import type { FlatSchema } from '../flatten.ts';
import { stringFormats } from '../generate/formats.ts';
import { matcherOf } from '../patterns/pattern.ts';
import { isSchema, type JsonSchema, type SchemaObject, stringList } from '../schema.ts';
import { kinds } from '../types.ts';
import { nearMisses, ofOtherType } from './wrong-values.ts';

/**
 * One way to break one keyword of a schema object. `schema`: joined to all that the place asks apart from the keyword, it describes the
 * values; `values`: the values themselves; `change`: makes them of those that the place accepts apart from the keyword.
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

/** How each keyword that a schema states by itself is broken. `properties`, `items` and the like are broken at the places below. */
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
  minLength: (value) => [
    described(`shorter than ${value} characters`, { type: 'string', maxLength: Number(value) - 1 }),
  ],
  maxLength: (value) => [
    described(`longer than ${value} characters`, { type: 'string', minLength: Number(value) + 1 }),
  ],
  pattern: (value) => [
    described(`no match of ${value}`, { type: 'string', not: { pattern: value } }),
    ...['', '!', ' ', '\n'].map((tail) =>
      changed(
        `a match of ${value} ${tail === '' ? 'in other case' : `followed by ${JSON.stringify(tail)}`}`,
        'string',
        (text) => (tail === '' ? swapCase(String(text)) : `${text}${tail}`),
      ),
    ),
  ],
  format: (value) => formatMisses(String(value)),
  minItems: (value) => [
    described(`fewer than ${value} items`, { type: 'array', maxItems: Number(value) - 1 }),
  ],
  maxItems: (value) => [
    described(`more than ${value} items`, { type: 'array', minItems: Number(value) + 1 }),
  ],
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
      : [
          described('without the items it must contain', {
            type: 'array',
            items: isSchema(value) ? { not: value } : true,
          }),
        ]),
    ...(isNumeric(maxContains)
      ? [
          described(`more than ${maxContains} of the items it may contain`, {
            type: 'array',
            contains: value,
            minContains: Number(maxContains) + 1,
          }),
        ]
      : []),
  ],
  items: (value, { prefixItems }) =>
    value === false
      ? [
          described('one item more', {
            type: 'array',
            minItems: (Array.isArray(prefixItems) ? prefixItems.length : 0) + 1,
          }),
        ]
      : [],
  required: (value) => {
    const names = stringList(value);
    return names.map((name) => ({
      ...described(`${name} missing`, { type: 'object', properties: { [name]: false } }),
      keep: names.filter((other) => other !== name),
    }));
  },
  additionalProperties: (value, _, flat) => (value === false ? [unexpectedMember(flat)] : []),
  unevaluatedProperties: (value, _, flat) => (value === false ? [unexpectedMember(flat)] : []),
  minProperties: (value) => [
    described(`fewer than ${value} properties`, { type: 'object', maxProperties: Number(value) - 1 }),
  ],
  maxProperties: (value) => [
    described(`more than ${value} properties`, { type: 'object', minProperties: Number(value) + 1 }),
  ],
};

const described = (label: string, schema: JsonSchema): Negation => ({ kind: 'schema', label, schema });
const numbers = (label: string, schema: SchemaObject) => described(label, { type: 'number', ...schema });
const changed = (label: string, type: string, change: (value: Json) => Json): Negation => ({
  kind: 'change',
  label,
  schema: { type },
  change,
});

function formatMisses(format: string): readonly Negation[] {
  const range = intRanges[format];
  const texts = stringFormats[format];
  if (texts)
    return [
      {
        kind: 'values',
        label: `no ${format}`,
        values: texts.nearMisses,
        arbitrary: fc.oneof(fc.constantFrom(...texts.nearMisses), fc.string()),
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
  return described('a property that is not allowed', { type: 'object', required: [name ?? 'unexpected'] });
}
