import type { ApiDocument, Operation } from '../../src/check/document.ts';
import {
  type ApiResponse,
  type CheckContext,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../src/check/index.ts';
import { withCurrentHeaders } from './current-headers.ts';
import type { Found, KnownResources } from './existing.ts';
import type { Localize } from './localize.ts';
import { hasPathParameters, nameOf, type OperationUnderTest } from './operations.ts';
import {
  type Collection,
  firstOffsetOf,
  firstPageOf,
  idOf,
  itemsIn,
  pagingOf,
  resourceIn,
} from './relations.ts';
import { type GeneratedRequest, keyOf, toProbe } from './request.ts';
import { plain } from './valid.ts';

/** What checks of resources work with. */
export interface Workshop {
  readonly document: ApiDocument;
  readonly existing: KnownResources;
  readonly localize: Localize;
  /** Null: the operation is not tested. */
  exercisedAs(operation: Operation | null): OperationUnderTest | null;
  /** An operation that others need: it may be one that the user did not choose. Null: it is not sent. */
  helperAs(operation: Operation | null): OperationUnderTest | null;
}

/** A resource that a case created. */
export interface Created {
  readonly id: Json;
  readonly sent: JsonObject;
  /** As the response to its creation shows it. */
  readonly resource: JsonObject;
  readonly response: ApiResponse;
  /** The values of the parameters in its path. */
  readonly found: Found;
}

export const isSuccess = ({ status }: ApiResponse): boolean => status >= 200 && status < 300;

/** Sends an operation with a body or query of its own. What the path names may be missing, so 404 needs no documentation. */
export const sendTo = async (
  exercised: OperationUnderTest,
  found: Found,
  changes: Partial<GeneratedRequest>,
  context: CheckContext,
  inputSpace: 'documented' | 'undocumented' = 'documented',
): Promise<ApiResponse> => {
  const sending = await withCurrentHeaders(exercised, { ...plain(exercised), ...changes }, context, found);
  const probe = toProbe(exercised, sending, { inputSpace, found });
  return context.send(hasPathParameters(exercised.operation) ? { ...probe, guessed: true } : probe);
};

/** The path of a parent for a new resource. Ends the case if there is none. */
export const parentOf = async (
  { existing, helperAs }: Workshop,
  { create }: Collection,
  context: CheckContext,
): Promise<Found> => {
  const exercised = helperAs(create);
  const found =
    exercised === null ? null : hasPathParameters(create) ? await existing.find(exercised, context) : {};
  return (
    found ?? context.skipCase({ code: 'precondition', detail: 'no-resource', operation: nameOf(create) })
  );
};

/** An ordinary body for an operation; null: none can be made. */
export const ordinaryFor = async (
  { localize }: Workshop,
  exercised: OperationUnderTest,
  found: Found,
  context: CheckContext,
): Promise<JsonObject | null> => {
  const { body } = await localize(exercised, plain(exercised), context, found);
  return body !== null && 'json' in body && isJsonObject(body.json) ? body.json : null;
};

/** Creates a resource with ordinary values, except for `changes`, and without `absent`. Ends the case if the server does not. */
export const createIn = async (
  workshop: Workshop,
  collection: Collection,
  context: CheckContext,
  {
    found,
    changes = {},
    absent = [],
    mayMerge = false,
  }: {
    readonly found: Found;
    readonly changes?: JsonObject;
    readonly absent?: readonly string[];
    /** The id may be that of another resource. */
    readonly mayMerge?: boolean;
  },
): Promise<Created> => {
  const { create } = collection;
  const exercised = workshop.helperAs(create);
  const missing = { code: 'precondition', detail: 'no-resource', operation: nameOf(create) } as const;
  if (exercised === null) return context.skipCase(missing);
  if (create.method === 'GET')
    return (await existingIn(exercised, found, context)) ?? context.skipCase(missing);
  const ordinary = await ordinaryFor(workshop, exercised, found, context);
  const sent = Object.fromEntries(
    Object.entries({ ...ordinary, ...changes }).filter(([name]) => !absent.includes(name)),
  );
  const response = await sendTo(exercised, found, ordinary === null ? {} : { body: { json: sent } }, context);
  const resource = resourceIn(response.json);
  const id = idOf(resource ?? undefined, collection, workshop.document.root);
  if (!isSuccess(response) || response.status === 202 || resource === null || id === null)
    return context.skipCase(missing);
  const place = { ...found, [collection.id.name]: id };
  const isMerged = recordId(collection, place, context);
  if (isMerged && !mayMerge) return context.skipCase(missing);
  return { id, sent, resource, response, found: place };
};

/** A resource that a list without a creation has: another one each time. Null: it has none. */
const existingIn = async (
  exercised: OperationUnderTest,
  found: Found,
  context: CheckContext,
): Promise<Created | null> => {
  const response = await sendTo(exercised, found, { body: null }, context);
  const items = isSuccess(response) ? (itemsIn(response.json) ?? []) : [];
  const turns = context.state('turns of existing resources', () => ({ next: 0 }));
  turns.next += 1;
  const resource = items[turns.next % Math.max(1, items.length)];
  return resource === undefined ? null : { id: resource.id ?? null, sent: {}, resource, response, found };
};

/** The ids of each collection that creations returned, and the collections with an id that came again. */
const idsIn = (context: CheckContext) =>
  context.state('ids of creations', () => ({ given: new Set<string>(), merging: new Set<string>() }));

const keyOfPlace = ({ path }: Collection, place: Found): string =>
  `${path} ${Object.entries(place).map(([name, value]) => `${name}=${value}`)}`;

/** Records the id of a creation. True: another creation had it, so the server may have merged the two. */
const recordId = (collection: Collection, place: Found, context: CheckContext): boolean => {
  const { given, merging } = idsIn(context);
  const key = keyOfPlace(collection, place);
  if (given.has(key)) merging.add(collection.path);
  const isMerged = given.has(key);
  given.add(key);
  return isMerged;
};

/** What was deleted may give its id to a later creation. */
export const forgetId = (collection: Collection, place: Found, context: CheckContext): void => {
  idsIn(context).given.delete(keyOfPlace(collection, place));
};

/** Whether a creation in the collection may have changed the resource of another one. */
export const isMerging = ({ path }: Collection, context: CheckContext): boolean =>
  idsIn(context).merging.has(path);

/** The resource as the server returns it now, with the response; null: it cannot be read. */
export const readNow = async (
  { helperAs }: Workshop,
  { read }: Collection,
  found: Found,
  context: CheckContext,
): Promise<ApiResponse | null> => {
  const exercised = helperAs(read);
  return exercised === null ? null : sendTo(exercised, found, { body: null }, context);
};

/** Everything in a collection, as far as the document makes plain how to get it. */
export interface Listed {
  readonly items: readonly JsonObject[];
  readonly isComplete: boolean;
  readonly response: ApiResponse;
}

const mostPages = 8;
/** A list of such a length may be cut off there. */
const roundLengths: readonly number[] = [10, 15, 20, 25, 30, 50, 100, 200, 250, 500, 1000];

/** Lists a collection with the largest page, and goes on to the pages after it. Null: its list is not plain. */
export const listAll = async (
  { document, helperAs }: Workshop,
  { list }: Collection,
  found: Found,
  context: CheckContext,
  query: GeneratedRequest['values'] = {},
): Promise<Listed | null> => {
  const exercised = helperAs(list);
  if (exercised === null || list === null) return null;
  const { size, offset, page } = pagingOf(list, document.root);
  const largest = size === null ? null : largestOf(size.schema);
  const start = offset === null ? 0 : (firstOffsetOf(offset, document.root) ?? 0);
  const base = { ...plain(exercised).values, ...query };
  let items: readonly JsonObject[] = [];
  let before: ApiResponse | null = null;
  for (let turn = 0; turn < mostPages; turn += 1) {
    const values = {
      ...base,
      ...(size === null || largest === null ? {} : { [keyOf(size)]: BigInt(largest) }),
      ...(turn > 0 && offset !== null ? { [keyOf(offset)]: BigInt(start + items.length) } : {}),
      ...(turn > 0 && offset === null && page !== null
        ? { [keyOf(page)]: BigInt(turn + (firstPageOf(page, document.root) ?? 1)) }
        : {}),
    };
    const response: ApiResponse = await sendTo(exercised, found, { values, body: null }, context);
    const shown = itemsIn(response.json);
    if (!isSuccess(response) || shown === null) return null;
    if (shown.length === 0 && before !== null) return { items, isComplete: true, response: before };
    items = [...items, ...shown];
    const isLast = !roundLengths.includes(shown.length) && (largest === null || shown.length < largest);
    const isAll = (totalIn(response.json) ?? 0n) <= BigInt(items.length);
    const isComplete = shown.length === 0 || (isLast && isAll && !hasNext(response));
    if (isComplete || (offset === null && page === null)) return { items, isComplete, response };
    before = response;
  }
  return null;
};

const totals = ['total', 'totalcount', 'totalitems', 'totalelements', 'totalresults'];

/** The total of a list, in its object or in one within. Null: it has none. */
export const totalIn = (json: Json | undefined): bigint | null => {
  if (json === undefined || !isJsonObject(json)) return null;
  for (const [name, value] of [json, ...Object.values(json).filter(isJsonObject)].flatMap((each) =>
    Object.entries(each),
  ))
    if (totals.includes(name.toLowerCase().replaceAll(/[^a-z]/g, '')) && typeof value === 'bigint')
      return value;
  return null;
};

/** A link, or a member such as `nextPageToken` or `hasMore`, says that there is more. */
export const hasNext = ({ json, header }: ApiResponse): boolean => {
  if (header('link').some((link) => /rel="?next/i.test(link))) return true;
  if (json === undefined || !isJsonObject(json)) return false;
  return [json, ...Object.values(json).filter(isJsonObject)]
    .flatMap((each) => Object.entries(each))
    .some(
      ([name, value]) =>
        /next|cursor|more/i.test(name) &&
        !/prev|start|before/i.test(name) &&
        value !== null &&
        value !== false &&
        value !== '',
    );
};

const usualLargest = 100;

const largestOf = (schema: unknown): number => {
  const maximum =
    typeof schema === 'object' && schema !== null && 'maximum' in schema
      ? Number(schema.maximum)
      : usualLargest;
  return Number.isSafeInteger(maximum) && maximum > 0 ? Math.min(maximum, usualLargest) : usualLargest;
};
