import { withoutSlash } from '../../src/check/creations.ts';
import type { ApiDocument, Operation, Parameter } from '../../src/check/document.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/check/index.ts';
import { memoized } from '../../src/check/memoized.ts';
import { acceptedBy, type FlatSchema } from '../../src/check/schemas.ts';
import { linkedItem, memberIn } from './links.ts';
import { memberNamed, normalize, stepsOf } from './names.ts';
import { collectionOf, hasPathParameters, operationAt, pathParameters } from './operations.ts';
import { defaultsIn, usualAlternative } from './ordinary.ts';
import { membersShown } from './resource-bodies.ts';

/** A collection that the document makes plain: POST creates, or PUT with an id of the client, and a link or the path below it names one of its resources. */
export interface Collection {
  readonly path: string;
  /** The path of one resource, and the parameter of its id. */
  readonly item: string;
  readonly id: Parameter;
  /** The member that a link reads the id from; null: no link does. */
  readonly idMember: string | null;
  readonly create: Operation;
  readonly read: Operation | null;
  readonly list: Operation | null;
  readonly replace: Operation | null;
  readonly change: Operation | null;
  readonly remove: Operation | null;
}

/** Every collection of the document whose resources can be read or listed. Links come before paths. */
export const collectionsOf = (document: ApiDocument): readonly Collection[] => {
  const { operations, root } = document;
  const created = operations
    .filter(({ method }) => method === 'POST')
    .flatMap((create) => collectionFor(document, create) ?? []);
  const others = (wanted: string, of: 'path' | 'item') =>
    operations.filter(
      ({ method, path }) => method === wanted && !created.some((each) => each[of] === withoutSlash(path)),
    );
  return [
    ...created,
    ...others('PUT', 'item')
      .filter(({ path }) => withoutSlash(path).endsWith('}'))
      .flatMap((create) => collectionWith(document, create, withoutSlash(create.path)) ?? [])
      .filter(({ read }) => read !== null),
    ...others('GET', 'path')
      .filter(({ path }) => !withoutSlash(path).endsWith('}'))
      .flatMap((list) => (isList(list, root) ? [withoutItems(list, list)] : [])),
  ];
};

/** A list without a creation: its resources exist already. */
const isList = ({ parameters, responses }: Operation, root: unknown): boolean =>
  parameters.some((parameter) => parameter.in === 'query') &&
  responses.some(({ status, schema }) => {
    const flat = status.startsWith('2') && schema !== null ? usualAlternative(schema, root) : null;
    const members = [...(flat?.properties.values() ?? [])];
    const isArray = (each: FlatSchema | null) => each?.kinds.has('array') === true;
    return isArray(flat) || members.filter((each) => isArray(usualAlternative(each, root))).length === 1;
  });

const collectionFor = (document: ApiDocument, create: Operation): Collection | null => {
  const linked = linkedItem(document, create);
  const below = linked?.item ?? itemBelow(document, create) ?? impliedBelow(document, create);
  if (below !== null)
    return collectionWith(document, create, below, linked === null ? null : memberIn(linked.expression));
  const list = operationAt(document, 'GET', create.path);
  const item = itemBeside(document, create);
  const collection = item === null ? null : collectionWith(document, create, item);
  if (collection === null) return list === null ? null : withoutItems(create, list);
  // Its parents are known if no parameter of theirs has the name of its own.
  const isListedBelow = list !== null && !pathParameters(create).includes(collection.id.name);
  return isListedBelow ? { ...collection, path: withoutSlash(create.path), list } : collection;
};

/** A collection whose resources have paths. POST creates them, or PUT, if clients name them. */
const collectionWith = (
  document: ApiDocument,
  create: Operation,
  item: string,
  idMember: string | null = null,
): Collection | null => {
  const name = pathParameters({ path: item }).at(-1) ?? '';
  const id = [create, ...document.operations]
    .filter(({ path }) => withoutSlash(path) === item || path.startsWith(`${item}/`))
    .flatMap(({ parameters }) => parameters)
    .find((parameter) => parameter.in === 'path' && parameter.name === name);
  if (id === undefined) return null;
  const at = (method: string, path = item) => operationAt(document, method, path);
  const path = collectionOf(item, name);
  const [read, replace, change, remove] = [at('GET'), at('PUT'), at('PATCH'), at('DELETE')];
  return { path, item, id, idMember, create, list: at('GET', path), read, replace, change, remove };
};

/** A collection whose resources have no paths of their own. */
const withoutItems = (create: Operation, list: Operation): Collection => {
  const path = withoutSlash(create.path);
  const id: Parameter = {
    name: 'id',
    in: 'path',
    required: true,
    schema: true,
    style: 'simple',
    explode: false,
  };
  const item = { read: null, replace: null, change: null, remove: null };
  return { path, item: `${path}/{}`, id, idMember: null, create, list, ...item };
};

/** The path of one resource of a collection: `/todos/{id}` for `/todos`. Null: there is none. */
const itemBelow = ({ operations }: ApiDocument, { path }: Operation): string | null =>
  operations
    .map((operation) => withoutSlash(operation.path))
    .find(
      (other) =>
        other.endsWith('}') &&
        collectionOf(other, pathParameters({ path: other }).at(-1) ?? '') === withoutSlash(path),
    ) ?? null;

/** The path of one resource that has no operations itself, but others below it: `/rooms/{id}` of `/rooms/{id}/messages`. */
const impliedBelow = ({ operations }: ApiDocument, { path }: Operation): string | null => {
  const below = operations.find((other) => other.path.startsWith(`${withoutSlash(path)}/{`))?.path;
  return below === undefined ? null : below.slice(0, below.indexOf('}', path.length) + 1);
};

/**
 * The path of one resource that is created below another one: `/trips/{id}` for `/vehicles/{vehicleId}/trips`. Null: there is none, or it does
 * not show what the creation shows.
 */
const itemBeside = (document: ApiDocument, create: Operation): string | null => {
  const kind = stepsOf(create.path).at(-1);
  const shown = membersShown({ document }, create);
  if (shown === null || !hasPathParameters(create)) return null;
  const items = document.operations.flatMap((read): string[] => {
    const item = withoutSlash(read.path);
    const name = pathParameters(read).at(-1) ?? '';
    const collection = collectionOf(item, name);
    const isItem = read.method === 'GET' && item.endsWith(`/{${name}}`);
    if (!isItem || !collection.endsWith(`/${kind}`) || hasPathParameters({ path: collection })) return [];
    const members = membersShown({ document }, read);
    const isSame = members?.size === shown.size && [...shown.keys()].every((name) => members.has(name));
    return isSame && operationAt(document, 'POST', collection) === null ? [item] : [];
  });
  return items.length === 1 ? (items[0] ?? null) : null;
};

/** The creations of resources whose path is elsewhere, by that path. */
export const creationsBeside = memoized((document: ApiDocument) =>
  Map.groupBy(
    document.operations.filter(({ method }) => method === 'POST'),
    (create) => itemBeside(document, create),
  ),
);

const sizeNames = ['limit', 'pagesize', 'perpage', 'take', 'top', 'maxresults', 'maxitems', 'pagelimit'];
const offsetNames = ['offset', 'skip', 'start', 'pageoffset'];
const pageNames = ['page', 'pagenumber', 'pageno'];

/** The first parameter of the query with one of these names. */
export const queryNamed = ({ parameters }: Operation, names: readonly string[]): Parameter | null =>
  parameters.find(({ name, in: place }) => place === 'query' && names.includes(normalize(name))) ?? null;

/** How the query of a list selects a page. */
export const pagingOf = (list: Operation, root: unknown) => {
  const isInteger = ({ schema }: Parameter) => usualAlternative(schema, root)?.kinds.has('integer') === true;
  const numbers = { ...list, parameters: list.parameters.filter(isInteger) };
  const offset = queryNamed(numbers, offsetNames);
  const page = queryNamed(numbers, pageNames);
  // Without pages, a size is that of a resource.
  const isPaged = offset !== null || page !== null;
  const size = queryNamed(numbers, [...sizeNames, ...(isPaged ? ['size', 'count'] : [])]);
  return { size, offset, page };
};

/** The offset of the first resource: 0, unless the document has a bound or a default. `start` alone may count from 1. Null: it is not plain. */
export const firstOffsetOf = (parameter: Parameter, root: unknown): 0 | 1 | null =>
  firstPageOf(parameter, root) ?? (normalize(parameter.name) === 'start' ? null : 0);

/** The number of the first page, if the document makes it plain by a bound or a default. Null: it does not. */
export const firstPageOf = ({ schema }: Parameter, root: unknown): 0 | 1 | null => {
  const flat = usualAlternative(schema, root);
  const least = flat?.minima.map(({ value }) => value) ?? [];
  const first = [...least, ...defaultsIn(flat)].map(Number);
  return first.includes(0) ? 0 : first.includes(1) ? 1 : null;
};

const notFilters = [
  ...sizeNames,
  ...offsetNames,
  ...pageNames,
  'sort',
  'order',
  'fields',
  'include',
  'q',
  'search',
  // A place is searched nearby.
  ...['lat', 'latitude', 'lon', 'lng', 'longitude', 'radius', 'distance', 'near', 'bbox'],
];

/** A query parameter that is named like a member of the listed resources, and takes its value: a filter. */
export interface Filter {
  readonly parameter: Parameter;
  readonly member: string;
  readonly value: Json;
}

/** The filters of a list that a resource matches. */
export const filtersFor = (list: Operation, resource: JsonObject, root: unknown): readonly Filter[] => {
  const { size } = pagingOf(list, root);
  return list.parameters.flatMap((parameter): readonly Filter[] => {
    if (parameter === size) return [];
    // JSON:API writes `filter[name]`.
    const member = memberNamed(resource, parameter.name.replace(/^filter\[(.*)\]$/, '$1'));
    const value = member === undefined ? undefined : resource[member];
    if (parameter.in !== 'query' || notFilters.includes(normalize(parameter.name))) return [];
    if (member === undefined || value === undefined || value === null || typeof value === 'object') return [];
    const written = [value, ...(typeof value === 'boolean' ? [`${value}`] : [])].find(
      acceptedBy(parameter.schema, root),
    );
    return written === undefined ? [] : [{ parameter, member, value: written }];
  });
};

/** Whether a listed value matches a filter. A text may match in part, and in any case. */
export const matches = (value: Json | undefined, { value: wanted }: Filter): boolean => {
  if (typeof value === 'object' || value === undefined) return true;
  const [have, want] = [`${value}`.toLowerCase(), `${wanted}`.toLowerCase()];
  return have === want || (typeof wanted === 'string' && typeof value === 'string' && have.includes(want));
};

const privateNames = /pass|secret|token|pin$|card|cvv/i;

/** Whether a server may return one value for the other: trimmed, in lower case, another form of a time or a number, items in another order. */
export const isSameValue = (sent: Json | undefined, got: Json | undefined): boolean => {
  if (sent === undefined) return true;
  if (isNothing(sent) && isNothing(got)) return true;
  if (got === undefined) return false;
  if (Array.isArray(sent))
    return (
      Array.isArray(got) &&
      sent.length === got.length &&
      sent.every((item) => got.some((other) => isSameValue(item, other)))
    );
  if (typeof sent === 'bigint' && typeof got === 'bigint') return sent === got;
  if (isJsonObject(sent)) return isJsonObject(got) && differences(sent, got).length === 0;
  const [a, b] = [textOf(sent), textOf(got)];
  return a === b || isClose(Number(a), Number(b)) || isSameInstant(a, b);
};

const escapes: Readonly<Record<string, string>> = {
  ...{ '&quot;': '"', '&#34;': '"', '&#x22;': '"' },
  ...{ '&#39;': "'", '&#039;': "'", '&#x27;': "'", '&apos;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' },
};

/** Without what a server may change in a text: its form in Unicode, its escapes of HTML, the spaces around it, and its case. */
const textOf = (value: Json): string =>
  `${value}`
    .replaceAll(/&[#\w]{2,6};/g, (each) => escapes[each.toLowerCase()] ?? each)
    .normalize('NFC')
    .trim()
    .toLowerCase();

const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
/** Rounded to cents, or to single precision. */
const isClose = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 0.005 || (!Number.isInteger(a) && Math.abs(a - b) <= Math.abs(a) * 1e-6);
const isSameInstant = (a: string, b: string): boolean => {
  const [one, other] = [timeOf(a), timeOf(b)];
  return one !== null && other !== null && (one === other || (a.length === 10 && b.startsWith(a)));
};

/** When a date is, or a date with a time. Null: the value is neither. */
export const timeOf = (value: Json | undefined): number | null =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : null;

export const isNumber = (value: Json | undefined): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** The members that were sent with another value than the resource has. Secrets are not returned. */
export const differences = (sent: JsonObject, resource: JsonObject): readonly string[] =>
  Object.keys(sent).filter((name) => !privateNames.test(name) && !isSameValue(sent[name], resource[name]));
