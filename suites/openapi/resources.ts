import type { ApiDocument, Operation } from '../../src/check/document.ts';
import {
  type ApiResponse,
  type CheckContext,
  isJsonObject,
  type Json,
  type JsonObject,
  type Probe,
} from '../../src/check/index.ts';
import { withCurrentHeaders } from './current-headers.ts';
import type { Found, KnownResources } from './existing.ts';
import type { Localize } from './localize.ts';
import { hasPathParameters, nameOf, type OperationUnderTest } from './operations.ts';
import { isReference, valueAt } from './ordinary.ts';
import type { Collection } from './relations.ts';
import { type GeneratedRequest, toProbe } from './request.ts';
import { resourceBodyOf, withResource } from './resource-bodies.ts';
import { createdId, itemsIn, resourceIn } from './resource-shapes.ts';
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
  inputSpace: Probe['inputSpace'] = 'documented',
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

const ordinaryBodyFor = async (
  { localize }: Workshop,
  exercised: OperationUnderTest,
  found: Found,
  context: CheckContext,
): Promise<Json | null> => {
  const { body } = await localize(exercised, plain(exercised), context, found);
  return body !== null && 'json' in body ? body.json : null;
};

/** An ordinary resource for an operation; null: none can be made. */
export const ordinaryFor = async (
  workshop: Workshop,
  exercised: OperationUnderTest,
  found: Found,
  context: CheckContext,
): Promise<JsonObject | null> => {
  const body = await ordinaryBodyFor(workshop, exercised, found, context);
  const { steps = [] } = resourceBodyOf(exercised, exercised.operation) ?? {};
  const resource = body === null ? undefined : valueAt(body, steps);
  return resource !== undefined && isJsonObject(resource) ? resource : null;
};

/** Sends a resource in the body of an operation, with its envelope. */
export const sendResource = async (
  workshop: Workshop,
  exercised: OperationUnderTest,
  found: Found,
  resource: JsonObject,
  context: CheckContext,
  changes: Partial<GeneratedRequest> = {},
  inputSpace: Probe['inputSpace'] = 'documented',
): Promise<ApiResponse> => {
  const place = resourceBodyOf(exercised, exercised.operation) ?? { steps: [] };
  const envelope =
    place.steps.length === 0 ? null : await ordinaryBodyFor(workshop, exercised, found, context);
  const json = withResource(envelope, resource, place);
  return sendTo(exercised, found, { ...changes, body: { json } }, context, inputSpace);
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
  const send = async () => {
    const ordinary = await ordinaryFor(workshop, exercised, found, context);
    const sent = Object.fromEntries(
      Object.entries({ ...ordinary, ...changes }).filter(([name]) => !absent.includes(name)),
    );
    return ordinary === null
      ? { sent, response: await sendTo(exercised, found, {}, context) }
      : { sent, response: await sendResource(workshop, exercised, found, sent, context) };
  };
  let { sent, response } = await send();
  const isUsedUp = mayBeUsedUp(workshop, collection, response);
  if (isUsedUp) workshop.existing.renew();
  // Another resource may have a value that must be unique.
  if (isUsedUp || response.status === 409) ({ sent, response } = await send());
  const { baseUrl } = context.run;
  const id = createdId(response, collection, { baseUrl, root: workshop.document.root });
  if (!isSuccess(response) || response.status === 202 || id === null) return context.skipCase(missing);
  const place = { ...found, [collection.id.name]: id };
  const resource = await resourceAfter(workshop, collection, { sent, response, place }, context);
  const created = { id, sent, resource, response, found: place };
  const isMerged = record(collection, created, context);
  return isMerged && !mayMerge ? context.skipCase(missing) : created;
};

/** What the body refers to may be in a state that permits no further creation. */
const mayBeUsedUp = (workshop: Workshop, { create }: Collection, { status }: ApiResponse): boolean =>
  (status === 409 || status === 422) &&
  resourceBodyOf(workshop, create)?.ordinary?.slots.some(({ name }) => isReference(name)) === true;

/** A created resource as the response shows it. If it shows only an id, or nothing, as it can be read. */
const resourceAfter = async (
  workshop: Workshop,
  collection: Collection,
  {
    sent,
    response,
    place,
  }: { readonly sent: JsonObject; readonly response: ApiResponse; readonly place: Found },
  context: CheckContext,
): Promise<JsonObject> => {
  const shown = resourceIn(response.json) ?? {};
  const names = Object.keys(sent);
  if (names.some((name) => name in shown) || (names.length === 0 && Object.keys(shown).length > 0))
    return shown;
  const read = await readNow(workshop, collection, place, context);
  return (read !== null && isSuccess(read) ? resourceIn(read.json) : null) ?? shown;
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
  context.state('ids of creations', () => ({
    given: new Map<string, Created>(),
    merging: new Set<string>(),
  }));

const keyOfPlace = ({ path }: Collection, place: Found): string =>
  `${path} ${Object.entries(place).map(([name, value]) => `${name}=${value}`)}`;

/** Records a creation. True: another creation had its id, so the server may have merged the two. */
const record = (collection: Collection, created: Created, context: CheckContext): boolean => {
  const { given, merging } = idsIn(context);
  const key = keyOfPlace(collection, created.found);
  const isMerged = given.has(key);
  if (isMerged) merging.add(collection.path);
  given.set(key, created);
  return isMerged;
};

/** What this run created in the same collection as another resource, and did not delete. */
export const creationsIn = (
  collection: Collection,
  { found }: Created,
  context: CheckContext,
): readonly Created[] => {
  const parentOfPlace = ({ [collection.id.name]: _, ...parent }: Found) => keyOfPlace(collection, parent);
  return [...idsIn(context).given].flatMap(([key, other]) =>
    key === keyOfPlace(collection, other.found) && parentOfPlace(other.found) === parentOfPlace(found)
      ? [other]
      : [],
  );
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
