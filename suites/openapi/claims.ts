import type { Json } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { memoized } from '../../src/check/memoized.ts';
import {
  acceptedBy,
  alternatives,
  distinct,
  type FlatSchema,
  itemSchema,
  type JsonSchema,
  propertySchema,
} from '../../src/check/schemas.ts';
import { otherForms } from './drawn-texts.ts';
import {
  isReference,
  isTrialFlag,
  type OrdinaryBody,
  usualAlternative,
  valueAt,
  withValueAt,
} from './ordinary.ts';

/** One valid value that the document names: a bound, a listed value, a form of a format. Undefined: the member is left out. */
export interface Claim {
  readonly steps: readonly string[];
  readonly value: Json | undefined;
  /** The body with that value; everything else is ordinary. */
  readonly json: Json;
}

const longestText = 5_000;
const mostItems = 60;
const mostListed = 12;

/**
 * The claims about one place of an ordinary body. A deep body has thousands, and each is validated only if it is asked for.
 * @param isMeant which claims to validate; absent: all
 */
export const claimsOf = (
  body: OrdinaryBody,
  schema: JsonSchema,
  root: unknown,
  isMeant: (claim: Claim) => boolean = () => true,
): IteratorObject<Claim> => {
  const accepts = acceptedBy(schema, root);
  return placesIn(body)(schema, root)
    .values()
    .flatMap(({ steps, values }) =>
      values()
        .values()
        .map((value): Claim => ({ steps, value, json: withValueAt(body.json, steps, value) })),
    )
    .filter((claim) => isMeant(claim) && accepts(claim.json));
};

interface Place {
  readonly steps: readonly string[];
  /** They are made if they are asked for. */
  values(): readonly (Json | undefined)[];
}

/** Several checks ask for the claims of one body, which has one schema. */
const placesIn = memoized(({ json }: OrdinaryBody) => {
  let known: readonly Place[] | null = null;
  return (schema: JsonSchema, root: unknown): readonly Place[] => {
    known ??= placesOf(schema, root, json, []);
    return known;
  };
});

const madeOnce = (make: Place['values']): Place['values'] => {
  let made: ReturnType<Place['values']> | null = null;
  return () => {
    made ??= make();
    return made;
  };
};

const placesOf = (
  schema: JsonSchema,
  root: unknown,
  json: Json,
  steps: readonly string[],
): readonly Place[] => {
  const flat = usualAlternative(schema, root);
  if (flat === null || steps.length > 5) return [];
  const name = steps.at(-1) ?? '';
  const isOwn = steps.length > 0 && !isReference(name) && !isTrialFlag(name);
  const own: Place = { steps, values: madeOnce(() => claimedValues(schema, root, valueAt(json, steps))) };
  const members = flat.kinds.has('object')
    ? [...flat.properties.keys()].filter((member) => valueAt(json, [...steps, member]) !== undefined)
    : [];
  const below = [
    ...members.flatMap((member) => placesOf(propertySchema(flat, member), root, json, [...steps, member])),
    ...(flat.kinds.has('array') && valueAt(json, [...steps, '0']) !== undefined && !isReference(name)
      ? placesOf(itemSchema(flat, 0), root, json, [...steps, '0'])
      : []),
  ];
  const absent = members
    .filter((member) => !flat.required.has(member) && members.length > 1)
    .map((member): Place => ({ steps: [...steps, member], values: () => [undefined] }));
  return [...(isOwn ? [own] : []), ...absent, ...below];
};

/** The valid values of a place that the document names, without the ordinary one. */
export const claimedValues = (
  schema: JsonSchema,
  root: unknown,
  usual: Json | undefined,
): readonly Json[] => {
  const all = alternatives(schema, root);
  const accepts = acceptedBy(schema, root);
  const values = all.flatMap((flat) => [
    ...(flat.values ?? []).slice(0, mostListed),
    ...(flat.values === null && all.length > 1 && flat.kinds.has('null') && flat.kinds.size === 1
      ? [null]
      : []),
    ...(flat.values !== null
      ? []
      : [...booleans(flat), ...numbers(flat), ...texts(flat, usual, root), ...lists(flat, usual)]),
    ...(isNullable(flat) ? [null] : []),
  ]);
  const isUsual = (value: Json) => usual !== undefined && sameJson(value, usual);
  return distinct(values).filter((value) => accepts(value) && !isUsual(value));
};

/** Null, or values of one other kind. A number is whole, or a fraction. */
const isNullable = ({ kinds }: FlatSchema): boolean =>
  kinds.has('null') && new Set([...kinds].map((kind) => (kind === 'fraction' ? 'integer' : kind))).size === 2;

const booleans = ({ kinds }: FlatSchema): readonly Json[] =>
  kinds.has('boolean') && kinds.size <= 2 ? [true, false] : [];

const numbers = ({ kinds, minima, maxima, multiples }: FlatSchema): readonly Json[] => {
  if (kinds.has('string') || !kinds.has('integer')) return [];
  const bounds = [...minima, ...maxima].filter(({ exclusive }) => !exclusive).map(({ value }) => value);
  const [least] = minima;
  const isOpen = kinds.has('fraction') && multiples.length === 0 && least !== undefined;
  return [...bounds, ...(isOpen ? [Number(least.value) + 0.5] : [])];
};

/** Valid forms that a careless pattern for the format refuses. Each has the same meaning as the ordinary value. */
const formsOf: Readonly<Record<string, readonly string[]>> = {
  email: ['first.last+tag@example.com', 'name@sub.example.com', "o'neil_9@example.com"],
  uri: ['https://example.com/a?b=c&d=%20#e'],
};

/** The same instant as another one, written with an offset, and with a fraction of a second. */
const formsOfInstant = (usual: string): readonly string[] => {
  const instant = new Date(usual);
  if (Number.isNaN(instant.getTime())) return [];
  const shifted = new Date(instant.getTime() + 2 * 3_600_000).toISOString().slice(0, 19);
  return [`${shifted}+02:00`, instant.toISOString()];
};

const texts = (flat: FlatSchema, usual: Json | undefined, root: unknown): readonly Json[] => {
  const { kinds, formats, patterns, length } = flat;
  if (!kinds.has('string') || kinds.has('object') || kinds.has('array')) return [];
  const [format] = formats;
  if (format !== undefined)
    return formsOf[format] ?? (format === 'date-time' ? formsOfInstant(String(usual)) : []);
  const { min, max } = length;
  const bounds = [
    ...(min > 0 && min <= longestText ? [longText(min)] : []),
    ...(max <= longestText ? [longText(max)] : []),
  ];
  if (patterns.length > 0)
    return typeof usual === 'string'
      ? [...bounds, ...otherForms(flat, root, usual).flatMap(([text = '']) => [text])]
      : bounds;
  return [...bounds, ...['Zoë Ångström', `it's "quoted"`, '東京 🐈']];
};

const longText = (length: number): string =>
  'Lorem ipsum dolor sit amet consectetur '
    .repeat(Math.ceil(length / 39))
    .slice(0, length)
    .replace(/ $/, 's');

const lists = (
  { kinds, count: { min, max }, unique }: FlatSchema,
  usual: Json | undefined,
): readonly Json[] => {
  if (!kinds.has('array') || kinds.size > 2 || !Array.isArray(usual)) return [];
  const [item] = usual;
  const longest = max <= mostItems && item !== undefined ? several(item, max, unique) : null;
  return [
    ...(min === 0 ? [[]] : min <= usual.length ? [usual.slice(0, min)] : []),
    ...(longest === null ? [] : [longest]),
  ];
};

/** Different items, if they can be told apart by a number. Null: they cannot. */
const several = (item: Json, count: number, unique: boolean): readonly Json[] | null => {
  if (typeof item === 'string')
    return Array.from({ length: count }, (_, index) => (index === 0 ? item : numbered(item, index)));
  if (typeof item === 'bigint') return Array.from({ length: count }, (_, index) => item + BigInt(index));
  return unique ? null : Array.from({ length: count }, () => item);
};

const numbered = (text: string, index: number): string => {
  const letter = String.fromCharCode(97 + (index % 26));
  return /\d+(?=@|$)/.test(text)
    ? text.replace(/\d+(?=@|$)/, `${index + 100}`)
    : `${text.slice(0, -1)}${letter}`;
};
