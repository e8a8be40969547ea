import type { ApiDocument, Operation } from '../../src/check/document.ts';
import {
  type ApiResponse,
  type CheckContext,
  isJsonObject,
  type Json,
  type JsonObject,
  type Probe,
} from '../../src/check/index.ts';
import { acceptedBy } from '../../src/check/schemas.ts';
import { withCurrentHeaders } from './current-headers.ts';
import type { Found, KnownResources } from './existing.ts';
import { type Localize, nextTurn } from './localize.ts';
import { hasPathParameters, nameOf, type OperationUnderTest } from './operations.ts';
import { isReference, ordinaryBody, valueAt } from './ordinary.ts';
import type { Collection } from './relations.ts';
import { type GeneratedRequest, toProbe } from './request.ts';
import { membersShown, resourceBodyOf, withResource } from './resource-bodies.ts';
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
  { create, path }: Collection,
  context: CheckContext,
): Promise<Found> => {
  const exercised = helperAs(create);
  // A client names what PUT creates, so only its parents must exist.
  const above = create.method === 'PUT' ? { ...create, path } : create;
  const found =
    exercised === null
      ? null
      : hasPathParameters(above)
        ? await existing.find({ ...exercised, operation: above }, context)
        : {};
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
    found: parent,
    changes = {},
    absent = [],
    mayMerge = false,
    mayBeAccepted = false,
  }: {
    readonly found: Found;
    readonly changes?: JsonObject;
    readonly absent?: readonly string[];
    /** The id may be that of another resource. */
    readonly mayMerge?: boolean;
    /** The response may be 202 with the whole resource, such as a job that has not ended. */
    readonly mayBeAccepted?: boolean;
  },
): Promise<Created> => {
  const { create } = collection;
  const exercised = workshop.helperAs(create);
  const missing = { code: 'precondition', detail: 'no-resource', operation: nameOf(create) } as const;
  if (exercised === null) return context.skipCase(missing);
  if (create.method === 'GET')
    return (await existingIn(exercised, parent, context)) ?? context.skipCase(missing);
  const own = create.method === 'PUT' ? newNameIn(workshop, collection, parent, context) : undefined;
  const found = own === undefined ? parent : { ...parent, [collection.id.name]: own };
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
  const id = own ?? createdId(response, collection, { baseUrl, root: workshop.document.root });
  const isThere = response.status !== 202 || (mayBeAccepted && showsWhole(workshop, collection));
  if (!isSuccess(response) || !isThere || id === null) return context.skipCase(missing);
  const place = { ...found, [collection.id.name]: id };
  const resource = await resourceAfter(workshop, collection, { sent, response, place }, context);
  const created = { id, sent, resource, response, found: place };
  const isMerged = record(collection, created, context);
  return isMerged && !mayMerge ? context.skipCase(missing) : created;
};

/** How many names are tried for a new resource: the document may permit only a few. */
const mostNames = 20;

/** Whether a creation shows all members that can be read. */
const showsWhole = (workshop: Workshop, { create, read }: Collection): boolean => {
  const [created, shown] = [create, read].map((each) =>
    each === null ? null : membersShown(workshop, each),
  );
  return created != null && shown != null && [...shown.keys()].every((name) => created.has(name));
};

/** A name that no resource of this run has, for one that a client names. Ends the case if there is none. */
const newNameIn = (
  { document: { root } }: Workshop,
  collection: Collection,
  parent: Found,
  context: CheckContext,
): Json => {
  const { id, create } = collection;
  const kind = { members: 'all', days: 'future', examples: 'none' } as const;
  const [slot] = ordinaryBody(id.schema, root, kind)?.slots ?? [];
  const { given } = idsIn(context);
  for (let tried = 0; tried < mostNames; tried += 1) {
    const turn = nextTurn(context);
    const name = [`item${turn}`, BigInt(turn), slot?.make(turn)].find(
      (each) =>
        each !== undefined &&
        acceptedBy(id.schema, root)(each) &&
        !given.has(keyOfPlace(collection, { ...parent, [id.name]: each })),
    );
    if (name !== undefined) return name;
  }
  return context.skipCase({ code: 'precondition', detail: 'no-resource', operation: nameOf(create) });
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
