import { nullIfEnded } from '../../src/check/case-skipped.ts';
import type { Operation, Parameter } from '../../src/check/document.ts';
import type { Json, JsonObject } from '../../src/check/index.ts';
import { acceptedBy } from '../../src/check/schemas.ts';
import { type Listed, listAll } from './listing.ts';
import { loweredMembers } from './lower-values.ts';
import { memberNamed, normalize } from './names.ts';
import { usualAlternative } from './ordinary.ts';
import { type Filter, isNumber, queryNamed, timeOf } from './relations.ts';
import { type GeneratedRequest, keyOf } from './request.ts';
import { resourceBodyOf } from './resource-bodies.ts';
import { type CollectionUnderTest, createIn } from './resources.ts';
import { breachList, type Scenario, settled } from './scenario.ts';

const sortNames = ['sort', 'sortby', 'orderby', 'sortfield', 'sortkey'];
const directionNames = [
  'order',
  'direction',
  'dir',
  'sortorder',
  'sortdirection',
  'sortdir',
  'orderdirection',
];

const listedTexts = ({ schema }: Parameter, root: unknown): readonly string[] =>
  (usualAlternative(schema, root)?.values ?? []).filter((value) => typeof value === 'string');

/** `either`: the document does not say. */
type Direction = 'up' | 'down' | 'either';

/** An order that the document names: by a member, with the query for it. */
interface Order {
  readonly member: string;
  readonly direction: Direction;
  readonly values: GeneratedRequest['values'];
  readonly about: string;
}

/** `-price`, `price:desc`, or `price_desc`. Null as direction: the value does not say. */
const readOrder = (value: string): readonly [name: string, direction: 'up' | 'down' | null] => {
  const sign = /^[-+]/.exec(value)?.[0];
  const end = /[ :._,|-](asc|desc)(ending)?$/i.exec(value);
  const name = value.replace(/^[-+]/, '').replace(/[ :._,|-](asc|desc)(ending)?$/i, '');
  if (sign === '-' || end?.[1]?.toLowerCase() === 'desc') return [name, 'down'];
  return [name, sign === '+' || end !== null ? 'up' : null];
};

/** The orders of a list by members of its resources. A name alone means up if other values say down. */
const ordersOf = (
  list: Operation,
  item: JsonObject,
  root: unknown,
  ranked: readonly string[],
): readonly Order[] => {
  const sort = queryNamed(list, sortNames);
  const direction = queryNamed(list, directionNames);
  if (sort === null) return [];
  const listed = listedTexts(sort, root);
  const hasDirections = listed.some((value) => readOrder(value)[1] !== null);
  const directions = direction === null ? [] : listedTexts(direction, root);
  return listed.flatMap((value): readonly Order[] => {
    const [name, own] = readOrder(value);
    const member = memberNamed(item, name);
    if (member === undefined || ranked.includes(member)) return [];
    const order = (way: Direction, more: GeneratedRequest['values'], about: string): Order => ({
      ...{ member, direction: way, about },
      values: { [keyOf(sort)]: value, ...more },
    });
    if (own !== null || hasDirections) return [order(own ?? 'up', {}, `${sort.name}=${value}`)];
    if (direction === null) return [order('either', {}, `${sort.name}=${value}`)];
    return directions
      .filter((way) => /^(asc|desc)/i.test(way))
      .map((way) => {
        const about = `${sort.name}=${value} and ${direction.name}=${way}`;
        return order(/^desc/i.test(way) ? 'down' : 'up', { [keyOf(direction)]: way }, about);
      });
  });
};

/** Comparisons of texts that servers use: by code, by letter, or by number. */
const comparisons: readonly ((a: string, b: string) => number)[] = [
  (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  (a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0),
  (a, b) => a.localeCompare(b, 'en'),
  (a, b) => a.localeCompare(b, 'en', { numeric: true }),
  (a, b) => a.localeCompare(b, 'en', { ignorePunctuation: true }),
];

/** The parts of dates and versions, in the orders in which they count: 2.10.0, 24/12/1990, 12/24/1990. */
const partOrders: readonly ((parts: readonly number[]) => readonly number[])[] = [
  (parts) => parts,
  (parts) => parts.toReversed(),
  ([first = 0, second = 0, third = 0, ...rest]) => [third, first, second, ...rest],
];

const comparePartsIn =
  (order: (parts: readonly number[]) => readonly number[]) =>
  (a: string, b: string): number => {
    const [one, other] = [a, b].map((text) => order(text.split(/\D/).map(Number)));
    const at = (one ?? []).findIndex((part, index) => part !== other?.[index]);
    return at < 0 ? 0 : (one?.[at] ?? 0) - (other?.[at] ?? 0);
  };

/** Whether values are in an order. Where a value is missing is not specified. */
export const isSorted = (values: readonly (Json | undefined)[], direction: Direction): boolean => {
  if (direction === 'either') return isSorted(values, 'up') || isSorted(values, 'down');
  const given = values.filter((value) => value !== null && value !== undefined);
  const sign = direction === 'up' ? 1 : -1;
  const isOrdered = <Value>(all: readonly Value[], compare: (a: Value, b: Value) => number) =>
    all.every((value, index) => {
      const before = all[index - 1];
      return index === 0 || before === undefined || sign * compare(before, value) <= 0;
    });
  const ascending = (a: number, b: number) => a - b;
  if (given.every(isNumber)) return isOrdered(given.map(Number), ascending);
  if (!given.every((value) => typeof value === 'string')) return true;
  if (given.every((value) => timeOf(value) !== null)) return isOrdered(given.map(Date.parse), ascending);
  const numbers = given.map(Number);
  if (given.every((value) => value.trim() !== '') && numbers.every(Number.isFinite))
    if (isOrdered(numbers, ascending)) return true;
  const hasParts = given.every((value) => /^\d+([./:-]\d+)+$/.test(value));
  return [...comparisons, ...(hasParts ? partOrders.map(comparePartsIn) : [])].some((compare) =>
    isOrdered(given, compare),
  );
};

const mostOrders = 4;

/** Members whose texts the document lists: their order may be that of the list, such as `low`, `medium`, `high`. */
const rankedIn = (collection: CollectionUnderTest): readonly string[] => {
  const { document, create, read } = collection;
  const sent = resourceBodyOf(collection, create)?.schema;
  const shown = [create, read].flatMap((operation) => operation?.responses ?? []);
  return [sent, ...shown.map(({ schema }) => schema)].flatMap((schema) =>
    [...(usualAlternative(schema ?? true, document.root)?.properties ?? [])].flatMap(([name, property]) =>
      usualAlternative(property, document.root)?.values?.some((value) => typeof value === 'string') === true
        ? [name]
        : [],
    ),
  );
};

/** RES-11: a sorted list has its order. */
export const sorts: Scenario = async (collection, [{ operation: list }]) => {
  const { document, context } = collection;
  if (queryNamed(list, sortNames) === null) return;
  const first = await createIn(collection);
  const ranked = rankedIn(collection);
  const orders = ordersOf(list, first.resource, document.root, ranked).slice(0, mostOrders);
  if (orders.length === 0) return;
  await createIn(collection);
  // Values that rise with each creation are in order without a sort.
  const changes = loweredMembers(
    first.sent,
    orders.map(({ member }) => member),
    resourceBodyOf(collection, collection.create)?.accepts ?? (() => false),
  );
  await nullIfEnded(createIn(collection, { changes }));
  for (const { member, direction, values, about } of orders) {
    const listed = await listAll(collection, values);
    if (listed === null || listed.items.length < 2) continue;
    const shown = listed.items.map((item) => item[member]);
    if (!isSorted(shown, direction)) return breachList(collection, listed, 'not sorted', about);
    context.passed();
  }
};

/** `minPrice`, `price_gte`, `createdAfter`: a bound of a member. Both kinds of bounds may include their value. */
const boundOf = (name: string): readonly [member: string, bound: 'least' | 'most'] | null => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const kinds = {
    least: ['min', 'gte', 'gt', 'from', 'after', 'since'],
    most: ['max', 'lte', 'lt', 'to', 'before', 'until'],
  };
  const [first = '', last = ''] = [words[0], words.at(-1)];
  for (const bound of ['least', 'most'] as const) {
    if (words.length > 1 && ['min', 'max'].includes(first) && kinds[bound].includes(first))
      return [words.slice(1).join(''), bound];
    if (words.length > 1 && kinds[bound].includes(last)) return [words.slice(0, -1).join(''), bound];
  }
  return null;
};

/** A server may compare times by the second. */
const leastMs = (time: string): number => (time.length > 10 ? 999 : 0);

const isBelow = (a: Json | undefined, b: Json): boolean | null => {
  if (isNumber(a) && isNumber(b)) return Number(a) < Number(b) - 0.005;
  if (typeof a !== 'string' || typeof b !== 'string' || a.length !== b.length) return null;
  const [one, two] = [timeOf(a), timeOf(b)];
  return one === null || two === null ? null : one < two - leastMs(a);
};

interface Bound extends Pick<Filter, 'parameter' | 'member'> {
  readonly bound: 'least' | 'most';
}

const boundsOf = (list: Operation, item: JsonObject): readonly Bound[] =>
  list.parameters.flatMap((parameter): readonly Bound[] => {
    const read = parameter.in === 'query' ? boundOf(parameter.name) : null;
    const member = Object.keys(item).find(
      (name) => normalize(name) === read?.[0] || normalize(name).replace(/(at|on|date)$/, '') === read?.[0],
    );
    return read === null || member === undefined ? [] : [{ parameter, member, bound: read[1] }];
  });

/** RES-5: a bound of a member leaves out the resources beyond it. */
export const bounds: Scenario = async (collection, [{ operation: list }]) => {
  const { document } = collection;
  const created = await createIn(collection);
  const all = boundsOf(list, created.resource);
  if (all.length === 0) return;
  const whole = await listAll(collection);
  for (const { parameter, member, bound } of all) {
    const values = (whole?.items ?? []).map((item) => item[member] ?? null).filter((each) => each !== null);
    const ordered = values.toSorted((a, b) => (isBelow(a, b) === true ? -1 : isBelow(b, a) === true ? 1 : 0));
    const value = ordered[Math.floor(ordered.length / 2)];
    if (value === undefined || !acceptedBy(parameter.schema, document.root)(value)) continue;
    const about = `${parameter.name}=${value}`;
    const isBeyond = (item: JsonObject) => {
      const got = item[member] ?? null;
      return bound === 'least' ? isBelow(got, value) === true : got !== null && isBelow(value, got) === true;
    };
    const isWithin = (item: JsonObject) =>
      isBelow(item[member], value) !== null && !isBeyond(item) && item[member] !== value;
    const isMissing = (now: Listed | null) =>
      now?.isComplete === true && now.items.length === 0 && whole?.items.some(isWithin) === true;
    const filtered = await settled(
      collection,
      () => listAll(collection, { [keyOf(parameter)]: value }),
      (now) => !isMissing(now),
    );
    if (filtered === null) continue;
    if (filtered.items.some(isBeyond)) return breachList(collection, filtered, 'not filtered', about);
    if (isMissing(filtered)) return breachList(collection, filtered, 'match missing', about);
    collection.context.passed();
  }
};
