import fc, { type Arbitrary } from 'fast-check';
import { canonicalText, distinct } from '../../json/equal.ts';
import type { Json } from '../../json/json.ts';
import { type Contains, type FlatSchema, itemSchema } from '../flatten.ts';
import { noValue, wantedValues } from '../refusals.ts';
import { both, type JsonSchema, UnsatisfiableSchema } from '../schema.ts';
import { filterNow } from './bounded-filter.ts';
import { type Position, sizeOf, type ValueSource } from './value-source.ts';

/** Larger boundary values of a count are left out. */
const longest = 1000;
/** An array that needs more items is not generated, because of memory. */
const sendable = 100_000;

/** Items with more values than this have only required members, because an array has several items. */
const usualItemSize = 100;

/** The layout of an array: its items at fixed positions, and the items after them. */
interface Layout {
  readonly prefix: readonly ValueSource[];
  /** Null: no items can follow. */
  readonly rest: ValueSource | null;
  /** The items for `contains`; null: the schema does not have it. */
  readonly wanted: { readonly item: ValueSource; readonly min: number; readonly max: number } | null;
  readonly min: number;
  /** The maximal length of random arrays. */
  readonly max: number;
  /** The maximal length of any array. */
  readonly limit: number;
}

/** The arrays of a schema. */
export function arrays(flat: FlatSchema, position: Position): ValueSource {
  const layout = layOut(flat, position);
  if (layout.min > layout.max) throw new UnsatisfiableSchema(noValue.array(flat.count.min, flat.count.max));
  const arbitrary = sequences(layout, flat.unique);
  const length = (value: readonly Json[]) => value.length >= layout.min && value.length <= layout.limit;
  const fits = (value: readonly Json[]) =>
    length(value) && (!flat.unique || distinct(value).length === value.length);
  const boundaries = () => arrayBoundaries(layout, flat.unique).filter(fits);
  const size =
    1 +
    [...layout.prefix, ...(layout.rest ? [layout.rest] : [])].reduce((sum, item) => sum + sizeOf(item), 0);
  if (layout.wanted === null && !flat.unique) return { arbitrary, boundaries, size };
  const wanted = wantedValues.array(layout.min, layout.limit, flat.unique);
  return { arbitrary: filterNow(arbitrary, fits, wanted), boundaries, size };
}

function layOut(flat: FlatSchema, position: Position): Layout {
  const forced = position.forced.length > 0 ? Math.max(...position.forced.map(Number)) + 1 : 0;
  const limit = flat.count.max;
  const min = Math.max(flat.count.min, forced);
  if (Number.isNaN(forced) || min > limit) throw new UnsatisfiableSchema(noValue.array(min, limit));
  if (min > sendable) throw new UnsatisfiableSchema(noValue.longArray(min));
  const prefix = fixedItems(flat, position, Math.min(Math.max(flat.prefix.length, forced), limit));
  const next = prefix.length;
  const complete = next >= flat.prefix.length && next < limit;
  const [contains] = flat.contains;
  const others = contains && contains.max < Number.POSITIVE_INFINITY ? { not: contains.schema } : true;
  const needsRest = !position.minimal || min > next;
  const rest = complete && needsRest ? restOf(position, next, both(flat.items, others)) : null;
  const wanted =
    contains && complete ? containedItems(contains, both(flat.items, contains.schema), position, next) : null;
  if (contains && contains.min > 0 && wanted === null && next === 0)
    throw new UnsatisfiableSchema(noValue.containedItem);
  const growing = rest !== null || wanted !== null;
  const max = growing ? Math.min(limit, Math.max(min + position.usualLength, next)) : next;
  return { prefix, rest, wanted, min, max, limit };
}

function restOf(position: Position, index: number, schema: JsonSchema): ValueSource | null {
  const rest = position.tryChild(index, schema);
  return rest && sizeOf(rest) > usualItemSize && !position.minimal
    ? position.trySmallChild(index, schema)
    : rest;
}

/** The items at fixed positions, up to the first position without a value. */
function fixedItems(flat: FlatSchema, position: Position, length: number): readonly ValueSource[] {
  const items: ValueSource[] = [];
  for (let index = 0; index < length; index += 1) {
    const item = position.tryChild(index, itemSchema(flat, index));
    if (item === null) break;
    items.push(item);
  }
  return items;
}

function containedItems({ min, max }: Contains, schema: JsonSchema, position: Position, index: number) {
  if (min > max) throw new UnsatisfiableSchema(noValue.containedItems(min, max));
  const item = max > 0 && (min > 0 || !position.minimal) ? position.tryChild(index, schema) : null;
  // Items at fixed positions may match too.
  return item && { item, min: index > 0 ? 0 : min, max };
}

function sequences(layout: Layout, unique: boolean): Arbitrary<readonly Json[]> {
  const { prefix, rest, wanted, min, max } = layout;
  const whole = fc.tuple(...prefix.map((valueSource) => valueSource.arbitrary));
  const tail = (fewest: number, most: number) =>
    rest === null || most <= 0 ? fc.constant([]) : list(rest.arbitrary, Math.max(0, fewest), most, unique);
  if (wanted) {
    const fewest = Math.max(wanted.min, rest === null ? min - prefix.length : 0);
    const found = list(
      wanted.item.arbitrary,
      fewest,
      Math.min(wanted.max, Math.max(fewest, max - prefix.length)),
      unique,
    );
    const left = tail(min - prefix.length - fewest, max - prefix.length - fewest);
    return fc
      .tuple(whole, left, found, fc.nat(max))
      .map(([first, others, matches, at]) =>
        [...first, ...others.slice(0, at), ...matches, ...others.slice(at)].slice(0, max),
      );
  }
  const full =
    prefix.length === 0
      ? tail(min, max)
      : fc
          .tuple(whole, tail(min - prefix.length, max - prefix.length))
          .map(([first, others]) => [...first, ...others]);
  const shorter = Array.from({ length: prefix.length }, (_, length) => length).filter(
    (length) => length >= min,
  );
  if (shorter.length === 0) return full;
  return fc.oneof(
    ...shorter.map((length) =>
      fc.tuple(...prefix.slice(0, length).map((valueSource) => valueSource.arbitrary)),
    ),
    full,
  );
}

/** Without the minimal length of fast-check, which would search forever if there are too few different items. */
const list = (item: Arbitrary<Json>, minLength: number, maxLength: number, unique: boolean) =>
  unique
    ? fc.uniqueArray(item, { maxLength, selector: canonicalText })
    : fc.array(item, { minLength, maxLength });

/** The shortest array, the same with each boundary item, and the longest. */
function arrayBoundaries({ prefix, rest, wanted, min, limit }: Layout, unique: boolean) {
  const first = prefix.flatMap((valueSource) => valueSource.boundaries().slice(0, 1));
  const matches = wanted?.item.boundaries() ?? [];
  const others = distinct([...(rest?.boundaries() ?? []), ...matches]);
  const required = repeated(matches, wanted?.min ?? 0, unique);
  const ofLength = (length: number, lead: readonly Json[] = []): readonly Json[] => {
    const start = [...first.slice(0, length), ...required, ...lead];
    const pool = unique
      ? others.filter((item) => !lead.includes(item))
      : [...(rest?.boundaries() ?? matches)];
    return [...start, ...repeated(pool, length - start.length, unique)];
  };
  const lengths = [min, first.length, min + 1, limit].filter(
    (length) => length >= min && length <= Math.min(limit, longest),
  );
  const items = others.map((item) => ofLength(Math.max(min, first.length), [item]));
  const inPrefix = prefix.flatMap((valueSource, index) =>
    valueSource
      .boundaries()
      .slice(1)
      .map((item) => ofLength(Math.max(min, first.length)).map((old, at) => (at === index ? item : old))),
  );
  return [...lengths.map((length) => ofLength(length)), ...items, ...inPrefix];
}

const repeated = (pool: readonly Json[], count: number, unique: boolean): readonly Json[] =>
  unique
    ? pool.slice(0, Math.max(0, count))
    : Array.from({ length: pool.length === 0 ? 0 : Math.max(0, count) }, () => pool.slice(0, 1)).flat();
