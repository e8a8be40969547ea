import fc from 'fast-check';
import type { Json, JsonObject } from '../../json/json.ts';
import { type FlatSchema, propertySchema } from '../flatten.ts';
import { matcherOf } from '../patterns/pattern.ts';
import { noValue, wantedValues } from '../refusals.ts';
import { both, type SchemaObject, UnsatisfiableSchema } from '../schema.ts';
import { filterNow } from './bounded-filter.ts';
import { type Position, sizeOf, type ValueSource } from './value-source.ts';

/** A property that the schema names. */
interface Member {
  readonly name: string;
  readonly valueSource: ValueSource;
  readonly required: boolean;
}

/** Properties that the schema allows without naming them: their names and values. */
interface Extras {
  readonly name: ValueSource;
  readonly value: ValueSource;
  /** A property of this name has this schema. */
  readonly fits: (name: string) => boolean;
}

/** The maximal number of unnamed properties beyond minProperties. */
const usualExtras = 3;

/** The largest members of an object with more values than this have only required members. */
const usualSize = 200;

/** The objects of a schema. Unnamed properties are only generated if the schema has a rule for them, or needs them. */
export function objects(flat: FlatSchema, position: Position): ValueSource {
  const members = withinSize(namedMembers(flat, position), flat, position);
  const short = flat.size.min > members.length;
  const extras = position.minimal && !short ? [] : extraGroups(flat, position, short);
  if (flat.size.min > flat.size.max)
    throw new UnsatisfiableSchema(noValue.object(flat.size.min, flat.size.max));
  if (short && extras.length === 0) throw new UnsatisfiableSchema(noValue.fullObject(flat.size.min));
  if (members.filter((member) => member.required).length > flat.size.max)
    throw new UnsatisfiableSchema(noValue.requiredProperties(flat.size.max));
  const fits = (value: JsonObject) => {
    const size = Object.keys(value).length;
    return size >= flat.size.min && size <= flat.size.max;
  };
  const sized = flat.size.min > 0 || flat.size.max < Number.POSITIVE_INFINITY;
  const drawn = drawObjects(members, extras, flat);
  return {
    size: 1 + totalSize(members),
    arbitrary: sized ? filterNow(drawn, fits, wantedValues.object(flat.size.min, flat.size.max)) : drawn,
    boundaries: () =>
      spread(objectBoundaries(members, extras, flat), position.maxBoundaries)
        .values()
        .map((make) => make())
        .filter(fits)
        .take(position.forced.length > 0 ? 1 : position.maxBoundaries)
        .toArray(),
  };
}

function namedMembers(flat: FlatSchema, position: Position): readonly Member[] {
  const names = new Set([...flat.properties.keys(), ...flat.required, ...position.forced]);
  return [...names].flatMap((name) => {
    const required = flat.required.has(name) || position.forced.includes(name);
    if (!required && position.minimal) return [];
    const allowed = flat.names === true || position.accepts(flat.names, name);
    const valueSource = allowed ? position.tryChild(name, propertySchema(flat, name)) : null;
    if (valueSource === null && required) throw new UnsatisfiableSchema(noValue.property(name));
    return valueSource ? [{ name, valueSource, required }] : [];
  });
}

const totalSize = (members: readonly Member[]): number =>
  members.reduce((sum, { valueSource }) => sum + sizeOf(valueSource), 0);

/** Limits the members: otherwise, each level of schemas that refer to each other multiplies the size. */
function withinSize(members: readonly Member[], flat: FlatSchema, position: Position): readonly Member[] {
  if (position.minimal || totalSize(members) <= usualSize) return members;
  const share = usualSize / members.length;
  return members.flatMap((member) => {
    if (sizeOf(member.valueSource) <= share || position.forced.includes(member.name)) return [member];
    const small = position.trySmallChild(member.name, propertySchema(flat, member.name));
    if (small === null && member.required) throw new UnsatisfiableSchema(noValue.smallProperty(member.name));
    return small ? [{ ...member, valueSource: small }] : [];
  });
}

/** At most this many of the values, evenly spread. */
const spread = <Value>(values: readonly Value[], most: number): readonly Value[] =>
  values.length <= most
    ? values
    : Array.from({ length: most }, (_, turn) => Math.floor((turn * values.length) / most)).flatMap((at) =>
        values.slice(at, at + 1),
      );

function extraGroups(flat: FlatSchema, position: Position, needed: boolean): readonly Extras[] {
  const patterned = flat.patternProperties.flatMap(([pattern]) => extra(flat, position, { pattern }));
  const others = flat.extras || (needed && patterned.length === 0);
  return others ? [...patterned, ...extra(flat, position, { minLength: 1, maxLength: 12 })] : patterned;
}

/** A name may match several patterns: values are for the patterns that a typical name matches, and other names are left out. */
function extra(flat: FlatSchema, position: Position, naming: SchemaObject): readonly Extras[] {
  const name = position.tryNames(both(flat.names, { type: 'string', ...naming }));
  const typical = name?.boundaries().find((text) => typeof text === 'string' && text !== '') ?? '';
  const matched = name ? patternsOf(flat, String(typical)) : [];
  const known = new Set([...flat.properties.keys(), ...flat.required]);
  const fits = (text: string) =>
    !known.has(text) && patternsOf(flat, text).every((pattern) => matched.includes(pattern));
  const value =
    name && position.tryChild('*', propertySchema({ ...flat, properties: new Map() }, String(typical)));
  return value ? [{ name, value, fits }] : [];
}

const patternsOf = (flat: FlatSchema, name: string): readonly string[] =>
  flat.patternProperties.map(([pattern]) => pattern).filter((pattern) => matcherOf(pattern)(name));

function drawObjects(members: readonly Member[], extras: readonly Extras[], flat: FlatSchema) {
  const values = fc.tuple(
    ...members.map(({ valueSource, required }) =>
      required ? valueSource.arbitrary : fc.option(valueSource.arbitrary, { nil: undefined, freq: 2 }),
    ),
  );
  const named = values.map((drawn) => objectOf(members, drawn));
  if (extras.length === 0) return named;
  // Without a minimal length: fast-check would search forever if there are too few different names.
  const maxLength = Math.max(usualExtras, flat.size.min + 1);
  const entry = fc.oneof(
    ...extras.map((group) => fc.tuple(group.name.arbitrary, group.value.arbitrary, fc.constant(group.fits))),
  );
  return fc
    .tuple(named, fc.uniqueArray(entry, { maxLength, selector: ([name]) => name }))
    .map(([object, more]) => withExtras(object, more));
}

const withExtras = (object: JsonObject, more: readonly (readonly [Json, Json, Extras['fits']])[]) =>
  Object.fromEntries([
    ...Object.entries(object),
    ...more.flatMap(([name, value, fits]): [string, Json][] =>
      typeof name === 'string' && fits(name) ? [[name, value]] : [],
    ),
  ]);

/** Built from entries, so that a member may have the name `__proto__`. */
const objectOf = (members: readonly Member[], values: readonly (Json | undefined)[]): JsonObject =>
  Object.fromEntries(
    members.flatMap(({ name }, index): [string, Json][] => {
      const value = values[index];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/**
 * All properties, only the required ones, each optional one alone or missing, and each boundary value of each property. Most are not
 * made: nested objects have thousands.
 */
function objectBoundaries(
  members: readonly Member[],
  extras: readonly Extras[],
  flat: FlatSchema,
): readonly (() => JsonObject)[] {
  const simplest = members.map(({ valueSource }) => valueSource.boundaries()[0]);
  const keeping = (keep: (index: number) => boolean) =>
    objectOf(
      members,
      simplest.map((value, index) => (members[index]?.required || keep(index) ? value : undefined)),
    );
  const full = keeping(() => true);
  const optional = members.flatMap((member, index) => (member.required ? [] : [index]));
  const presence = optional.flatMap((index) => [
    () => keeping((at) => at !== index),
    () => keeping((at) => at === index),
  ]);
  const valued = members.flatMap(({ name, valueSource }) =>
    valueSource
      .boundaries()
      .slice(1)
      .map((value) => () => withMember(full, name, value)),
  );
  const extended = extras.flatMap((group) => extraBoundaries(full, group, flat.size.min - members.length));
  return [() => full, () => keeping(() => false), ...presence, ...valued, ...extended];
}

function extraBoundaries(
  full: JsonObject,
  { name, value, fits }: Extras,
  missing: number,
): readonly (() => JsonObject)[] {
  const names = name
    .boundaries()
    .filter((text): text is string => typeof text === 'string' && text !== '' && fits(text));
  const [first] = names;
  const [simplest, ...others] = value.boundaries();
  if (first === undefined || simplest === undefined) return [];
  const filled = names
    .slice(0, Math.max(1, missing))
    .reduce((object, text) => withMember(object, text, simplest), full);
  return [() => filled, ...others.map((other) => () => withMember(filled, first, other))];
}

const withMember = (object: JsonObject, name: string, value: Json): JsonObject =>
  Object.fromEntries([...Object.entries(object), [name, value]]);
