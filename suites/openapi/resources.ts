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
import { forgetId, isGiven, recordId } from './given-ids.ts';
import { type Localize, nextTurn } from './localize.ts';
import { hasPathParameters, noResource, type OperationUnderTest } from './operations.ts';
import { isReference, slotFor, valueAt, withValueAt } from './ordinary.ts';
import type { Collection } from './relations.ts';
import { type GeneratedRequest, toProbe } from './request.ts';
import { membersShown, resourceBodyOf } from './resource-bodies.ts';
import { createdId, itemsIn, resourceIn } from './resource-shapes.ts';
import { isSuccess, shownIn } from './responses.ts';
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

/** The collection that a case is about, and what it sends with. */
export interface CollectionUnderTest extends Collection, Workshop {
  readonly context: CheckContext;
  /** The path of the parent that this case uses, whatever others use meanwhile. Null: it needed none so far. */
  readonly parent: { path: Found | null };
}

export const underTest = (
  workshop: Workshop,
  collection: Collection,
  context: CheckContext,
): CollectionUnderTest => ({ ...workshop, ...collection, context, parent: { path: null } });

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

interface Sending extends Partial<GeneratedRequest> {
  /** The resource in the body, which may have an envelope. Null: there is no body. */
  readonly resource?: JsonObject | null;
  readonly inputSpace?: Probe['inputSpace'];
  /** Besides the required ones. */
  readonly values?: GeneratedRequest['values'];
}

/** Sends an operation with a resource, body, or query of its own. What the path names may be missing, so 404 needs no documentation. */
export const sendTo = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
  found: Found,
  { resource = null, inputSpace = 'documented', values = {}, ...changes }: Sending = {},
): Promise<ApiResponse> => {
  const { context } = collection;
  const json = resource === null ? null : await inEnvelope(collection, exercised, found, resource);
  const usual = plain(exercised);
  const body = json === null ? null : { json };
  const request = { ...usual, body, values: { ...usual.values, ...values }, ...changes };
  const sending = await withCurrentHeaders(exercised, request, context, found);
  const probe = toProbe(exercised, sending, { inputSpace, found });
  return context.send(hasPathParameters(exercised.operation) ? { ...probe, guessed: true } : probe);
};

const skip = ({ create, context }: CollectionUnderTest): never => context.skipCase(noResource(create));

/** The path of the parent of this case's resources. Ends the case if there is none. */
export const parentOf = async (collection: CollectionUnderTest): Promise<Found> => {
  const { parent } = collection;
  parent.path ??= await findParent(collection);
  return parent.path;
};

const findParent = async (collection: CollectionUnderTest): Promise<Found> => {
  const { existing, helperAs, create, path, context } = collection;
  const exercised = helperAs(create);
  // A client names what PUT creates, so only its parents must exist.
  const above = create.method === 'PUT' ? { ...create, path } : create;
  if (exercised === null) return skip(collection);
  if (!hasPathParameters(above)) return {};
  return (await existing.find({ ...exercised, operation: above }, context)) ?? skip(collection);
};

const ordinaryBodyFor = async (
  { localize, context }: CollectionUnderTest,
  exercised: OperationUnderTest,
  found: Found,
): Promise<Json | null> => {
  const { body } = await localize(exercised, plain(exercised), context, found);
  return body !== null && 'json' in body ? body.json : null;
};

/** An ordinary resource for an operation; null: none can be made. */
export const ordinaryFor = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
  found: Found,
): Promise<JsonObject | null> => {
  const body = await ordinaryBodyFor(collection, exercised, found);
  const { steps = [] } = resourceBodyOf(exercised, exercised.operation) ?? {};
  const resource = body === null ? undefined : valueAt(body, steps);
  return resource !== undefined && isJsonObject(resource) ? resource : null;
};

/** The body of an operation with a resource. */
const inEnvelope = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
  found: Found,
  resource: JsonObject,
): Promise<Json> => {
  const { steps = [] } = resourceBodyOf(exercised, exercised.operation) ?? {};
  const envelope = steps.length === 0 ? null : await ordinaryBodyFor(collection, exercised, found);
  return withValueAt(envelope, steps, resource);
};

interface Creation {
  /** The path of its parent. Default: of one that exists. */
  readonly parent?: Found;
  readonly changes?: JsonObject;
  readonly absent?: readonly string[];
  /** The id may be that of another resource. */
  readonly mayMerge?: boolean;
  /** The response may be 202 with the whole resource, such as a job that has not ended. */
  readonly mayBeAccepted?: boolean;
}

/** Creates a resource with ordinary values, except for `changes`, and without `absent`. Ends the case if the server does not. */
export const createIn = async (
  collection: CollectionUnderTest,
  { parent: given, changes = {}, absent = [], mayMerge = false, mayBeAccepted = false }: Creation = {},
): Promise<Created> => {
  const { create, context, existing } = collection;
  let parent = given ?? (await parentOf(collection));
  const exercised = collection.helperAs(create);
  if (exercised === null) return skip(collection);
  if (create.method === 'GET') return existingIn(collection, exercised, parent);
  const own = create.method === 'PUT' ? newNameIn(collection, parent) : undefined;
  const send = async () => {
    const found = own === undefined ? parent : { ...parent, [collection.id.name]: own };
    const ordinary = await ordinaryFor(collection, exercised, found);
    const sent = Object.fromEntries(
      Object.entries({ ...ordinary, ...changes }).filter(([name]) => !absent.includes(name)),
    );
    const body = ordinary === null ? { body: plain(exercised).body } : { resource: sent };
    return { sent, found, response: await sendTo(collection, exercised, found, body) };
  };
  let { sent, found, response } = await send();
  const isUsedUp = mayBeUsedUp(collection, response);
  if (isUsedUp) existing.renew();
  // Another resource may have a value that must be unique.
  if (isUsedUp || response.status === 409) ({ sent, found, response } = await send());
  // A parent may be in a state that permits no further creation.
  if (
    response.status === 409 &&
    given === undefined &&
    create.method === 'POST' &&
    hasPathParameters(create)
  ) {
    parent = (await existing.find(exercised, context, { isNew: true })) ?? parent;
    collection.parent.path = parent;
    ({ sent, found, response } = await send());
  }
  const id = own ?? createdId(response, collection, context.run.baseUrl);
  const isThere = response.status !== 202 || (mayBeAccepted && showsWhole(collection));
  if (!isSuccess(response) || !isThere || id === null) return skip(collection);
  const place = { ...found, [collection.id.name]: id };
  const resource = await resourceAfter(collection, { sent, response, found: place });
  const created = { id, sent, resource, response, found: place };
  const isMerged = recordId(collection, created);
  return isMerged && !mayMerge ? skip(collection) : created;
};

/** How many names are tried for a new resource: the document may permit only a few. */
const mostNames = 20;

/** Whether a creation shows all members that can be read. */
const showsWhole = ({ document, create, read }: CollectionUnderTest): boolean => {
  const [created, shown] = [create, read].map((each) => membersShown({ document }, each));
  return created != null && shown != null && [...shown.keys()].every((name) => created.has(name));
};

/** A name that no resource of this run has, for one that a client names. Ends the case if there is none. */
const newNameIn = (collection: CollectionUnderTest, parent: Found): Json => {
  const { id, context, document } = collection;
  const slot = slotFor(id.schema, document.root);
  for (let tried = 0; tried < mostNames; tried += 1) {
    const turn = nextTurn(context);
    const name = [`item${turn}`, BigInt(turn), slot?.make(turn)].find(
      (each) =>
        each !== undefined &&
        acceptedBy(id.schema, document.root)(each) &&
        !isGiven(collection, { ...parent, [id.name]: each }),
    );
    if (name !== undefined) return name;
  }
  return skip(collection);
};

/** A creation refers to other resources. */
export const hasReferences = (collection: CollectionUnderTest): boolean =>
  resourceBodyOf(collection, collection.create)?.ordinary?.slots.some(({ name }) => isReference(name)) ===
  true;

/** What the body refers to may be in a state that permits no further creation. */
const mayBeUsedUp = (collection: CollectionUnderTest, { status }: ApiResponse): boolean =>
  (status === 409 || status === 422) && hasReferences(collection);

/** A created resource as the response shows it. If it shows only an id, or nothing, as it can be read. */
const resourceAfter = async (
  collection: CollectionUnderTest,
  { sent, response, found }: Pick<Created, 'sent' | 'response' | 'found'>,
): Promise<JsonObject> => {
  const shown = resourceIn(response.json) ?? {};
  const names = Object.keys(sent);
  if (names.some((name) => name in shown) || (names.length === 0 && Object.keys(shown).length > 0))
    return shown;
  return shownIn(await readNow(collection, found)) ?? shown;
};

/** A resource that a list without a creation has: another one each time. Ends the case if it has none. */
const existingIn = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
  found: Found,
): Promise<Created> => {
  const response = await sendTo(collection, exercised, found);
  const items = isSuccess(response) ? (itemsIn(response.json) ?? []) : [];
  const turns = collection.context.state('turns of existing resources', () => ({ next: 0 }));
  turns.next += 1;
  const resource = items[turns.next % Math.max(1, items.length)];
  if (resource === undefined) return skip(collection);
  return { id: resource.id ?? null, sent: {}, resource, response, found };
};

/** Deletes a resource. It may give its id to a later creation. */
export const removeFrom = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
  { found }: Created,
): Promise<ApiResponse> => {
  const response = await sendTo(collection, exercised, found);
  if (isSuccess(response)) forgetId(collection, found);
  return response;
};

/** The resource as the server returns it now, with the response; null: it cannot be read. */
export const readNow = async (collection: CollectionUnderTest, found: Found): Promise<ApiResponse | null> => {
  const exercised = collection.helperAs(collection.read);
  return exercised === null ? null : sendTo(collection, exercised, found);
};
