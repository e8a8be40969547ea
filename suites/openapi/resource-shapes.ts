import type { ApiDocument } from '../../src/check/document.ts';
import { type ApiResponse, isJsonObject, type Json, type JsonObject } from '../../src/check/index.ts';
import { acceptedBy } from '../../src/check/schemas.ts';
import { memberOfKind, normalize, stepsOf } from './names.ts';
import { type Collection, isSameValue } from './relations.ts';

/** Members beside a resource, or beside a list, that are about the response. */
const besideNames =
  /^(meta|metadata|links|_links|jsonapi|included|success|ok|status|code|message|errors?|warnings?)$/i;

/** Members of a resource in JSON:API 1.1, 7.2. */
const resourceObject: readonly string[] = [
  'id',
  'lid',
  'type',
  'attributes',
  'relationships',
  'links',
  'meta',
];

/** A resource object of JSON:API with its attributes as members; any other object as it is. */
const withAttributes = (resource: JsonObject): JsonObject => {
  const { id, type, attributes } = resource;
  const isResource = typeof type === 'string' && attributes !== undefined && isJsonObject(attributes);
  if (!isResource || !Object.keys(resource).every((name) => resourceObject.includes(name))) return resource;
  return { ...(id === undefined ? {} : { id }), type, ...attributes };
};

/** The member of an envelope with the content: the only one, or `data` beside others that are about the response. */
const contentOf = (json: JsonObject): Json | undefined => {
  const members = Object.entries(json);
  const [only] = members;
  if (members.length === 1) return only?.[1];
  const isEnvelope = members.every(([name]) => name === 'data' || besideNames.test(name));
  return isEnvelope ? json.data : undefined;
};

/** The resource in a body: the body, or the object in its envelope, such as `{"data": {…}}`. */
export const resourceIn = (json: Json | undefined): JsonObject | null => {
  if (json === undefined || !isJsonObject(json)) return null;
  const content = contentOf(json);
  return withAttributes(content !== undefined && isJsonObject(content) ? content : json);
};

const listNames: readonly string[] = ['data', 'items', 'results', 'content', 'value', 'records', 'entries'];
const listEnvelopes: readonly string[] = ['data', '_embedded', 'result', 'response'];

/** The resources of a list: the body, the only list in it, or the list with a usual name. Null: it is not plain. */
export const itemsIn = (json: Json | undefined): readonly JsonObject[] | null => {
  if (json === undefined || json === null || typeof json !== 'object') return null;
  if (Array.isArray(json))
    return json.every(isJsonObject) ? json.filter(isJsonObject).map(withAttributes) : null;
  if (!isJsonObject(json)) return null;
  const lists = Object.entries(json).filter(
    ([name, member]) => Array.isArray(member) && !besideNames.test(name),
  );
  const usual = lists.filter(([name]) => listNames.includes(name));
  const [only, ...others] = lists.length === 1 ? lists : usual;
  if (only !== undefined) return others.length === 0 ? itemsIn(only[1]) : null;
  if (lists.length > 0) return null;
  const inner = listEnvelopes.flatMap((name) => (isJsonObject(json[name] ?? null) ? [json[name]] : []));
  return inner.length === 1 ? itemsIn(inner[0]) : null;
};

/** How the ids of a collection are found. */
interface Identified extends Pick<Collection, 'id' | 'idMember' | 'item'> {
  readonly document: Pick<ApiDocument, 'root'>;
}

/** The member of a resource that is its id: with the name of the path parameter, or of its end, or `id`. Null: none is. */
const memberOfId = (resource: JsonObject, { id: { name }, idMember, item }: Identified): string | null => {
  const names = Object.keys(resource);
  return (
    names.find((each) => each === idMember) ??
    names.find((each) => normalize(each) === normalize(name)) ??
    names.find((each) => ['id', 'uuid'].includes(normalize(each)) && /(id|uuid)$/.test(normalize(name))) ??
    memberOfKind(names, item) ??
    names.find((each) => normalize(each) === 'id') ??
    null
  );
};

/** Members with the address of their own resource, or with its name (`shelves/1/books/2`). */
const addressNames: readonly string[] = ['self', 'href', 'url', 'uri', '@id', 'selflink', 'name'];

const addressesIn = (resource: JsonObject): readonly string[] => {
  const { _links: hal, links } = resource;
  const all = [resource, ...[hal, links].filter((each) => each !== undefined && isJsonObject(each))].flatMap(
    (each) => Object.entries(each),
  );
  return all.flatMap(([name, value]) => {
    if (!addressNames.includes(name.toLowerCase())) return [];
    const address = isJsonObject(value) ? value.href : value;
    return typeof address === 'string' ? [address] : [];
  });
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const isAt = (steps: readonly string[], wanted: readonly string[]): boolean =>
  steps.length === wanted.length &&
  wanted.every((step, index) => step.startsWith('{') || step === steps[index]);

/** The id in an address, or in a name such as `shelves/1`, that ends like the path of an item. Null: it leads elsewhere. */
const idInAddress = (address: string, item: string): string | null => {
  const [path = ''] = address.replace(/^[a-z]+:\/\/[^/]+/i, '').split(/[?#]/);
  const steps = stepsOf(path);
  const wanted = stepsOf(item).slice(-steps.length);
  const isMatch = wanted.length > 1 && item.endsWith('}') && isAt(steps.slice(-wanted.length), wanted);
  return isMatch ? decoded(steps.at(-1) ?? '') : null;
};

/** The value, or the same one as a text or a number, that the parameter of an id takes. */
const asId = (value: Json, { id: { schema }, document: { root } }: Identified): Json | null => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? [BigInt(value)] : [];
  const text = typeof value === 'bigint' ? [`${value}`] : [];
  return [value, ...number, ...text].find(acceptedBy(schema, root)) ?? null;
};

/** The ids in the addresses of the resources that a response shows: of one, or of a list. */
export const idsInAddresses = (json: Json | undefined, item: string): readonly Json[] => {
  const one = resourceIn(json);
  return [...(itemsIn(json) ?? []), ...(one === null ? [] : [one])]
    .flatMap(addressesIn)
    .flatMap((address) => idInAddress(address, item) ?? []);
};

/** The id of a resource, if the path takes it. Without a member for it, its own address has it. */
export const idOf = (resource: JsonObject | null, collection: Identified): Json | null => {
  if (resource === null) return null;
  const member = memberOfId(resource, collection);
  const value = member === null ? undefined : resource[member];
  const addresses = member === null ? addressesIn(resource) : typeof value === 'string' ? [value] : [];
  const isId = value !== undefined && value !== null && typeof value !== 'object';
  const [inAddress] = addresses.flatMap((each) => idInAddress(each, collection.item) ?? []);
  return (
    (isId ? asId(value, collection) : null) ?? (inAddress === undefined ? null : asId(inAddress, collection))
  );
};

/** The listed resource with an id. Undefined: there is none. */
export const withId = (
  { items }: { readonly items: readonly JsonObject[] },
  id: Json,
  collection: Identified,
): JsonObject | undefined => items.find((item) => isSameValue(id, idOf(item, collection) ?? undefined));

/** The id in the `Location` of a response, if it is the address of an item of this API. Null: it is not. */
export const idAtLocation = (
  { header, exchange }: ApiResponse,
  { item }: Pick<Collection, 'item'>,
  baseUrl: string,
): string | null => {
  const [location] = header('location');
  const base = new URL(`${baseUrl}/`);
  if (location === undefined || !URL.canParse(location, exchange.wire.url)) return null;
  const target = new URL(location, exchange.wire.url);
  const isHere = target.origin === base.origin && target.pathname.startsWith(base.pathname);
  const steps = stepsOf(target.pathname.slice(base.pathname.length));
  return isHere && item.endsWith('}') && isAt(steps, stepsOf(item)) ? decoded(steps.at(-1) ?? '') : null;
};

/** The id of what was created, in its body or in its `Location`, which may have the address of a proxy. Null: it is not there. */
export const createdId = (response: ApiResponse, collection: Identified, baseUrl: string): Json | null => {
  const inBody = idOf(resourceIn(response.json), collection);
  if (inBody !== null) return inBody;
  const [location = ''] = response.header('location');
  const id = idAtLocation(response, collection, baseUrl) ?? idInAddress(location, collection.item);
  return id === null ? null : asId(id, collection);
};
