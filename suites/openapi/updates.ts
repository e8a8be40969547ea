import { nullIfEnded } from '../../src/check/case-skipped.ts';
import type { Operation } from '../../src/check/document.ts';
import type { ApiResponse, CheckContext, Json, JsonObject } from '../../src/check/index.ts';
import { differencesFrom, judgeBystanders, stateOf } from './bystanders.ts';
import { claimsOf } from './claims.ts';
import type { Found } from './existing.ts';
import { otherValues } from './lists.ts';
import { isReference } from './ordinary.ts';
import { isPart, lettersOf } from './own-values.ts';
import { type Collection, differences, isSameValue } from './relations.ts';
import { memberIn, resourceBodyOf } from './resource-bodies.ts';
import { idOf, resourceIn } from './resource-shapes.ts';
import {
  type Created,
  createIn,
  isSuccess,
  ordinaryFor,
  parentOf,
  readNow,
  sendResource,
  type Workshop,
} from './resources.ts';
import { breachStatus, breachValue, type Scenario, settled } from './scenario.ts';

/** An update of a resource. */
interface Step {
  readonly operation: Operation | null;
  readonly created: Created;
  readonly members: 'one' | 'all';
}

/** RES-2: a replacement, and a change of one member or of all, show afterwards, and in no other resource. */
export const showsUpdates: Scenario = async (workshop, collection, context) => {
  const { replace, change } = collection;
  const found = await parentOf(workshop, collection, context);
  const create = () => createIn(workshop, collection, context, { found });
  const other = await create();
  // The first ordinary body of an operation is tried out on what it is sent to.
  for (const operation of [replace, change]) {
    const exercised = workshop.exercisedAs(operation);
    if (exercised !== null) await ordinaryFor(workshop, exercised, other.found, context);
  }
  const changed = await withOtherState(workshop, collection, found, context);
  const replaced = await create();
  const all = [other, changed, replaced];
  await update(workshop, collection, { operation: replace, created: replaced, members: 'all' }, all, context);
  await update(workshop, collection, { operation: change, created: changed, members: 'one' }, all, context);
  await update(workshop, collection, { operation: change, created: changed, members: 'all' }, all, context);
};

/** Updates a resource, and judges it and the others. */
const update = async (
  workshop: Workshop,
  collection: Collection,
  { operation, created, members }: Step,
  all: readonly Created[],
  context: CheckContext,
): Promise<void> => {
  const exercised = workshop.exercisedAs(operation);
  const ordinary = exercised === null ? null : await ordinaryFor(workshop, exercised, created.found, context);
  if (exercised === null || operation === null || ordinary === null) return;
  const kept = withServerValues(workshop, operation, ordinary, created);
  let sent =
    members === 'one'
      ? oneMember(workshop, collection, ordinary, created)
      : withOtherValues(workshop, operation, kept, created);
  if (sent === null) return;
  const state = await stateOf(workshop, collection, all, context);
  let response = await sendResource(workshop, exercised, created.found, sent, context);
  if (members === 'all' && !isSuccess(response)) {
    sent = kept;
    response = await sendResource(workshop, exercised, created.found, sent, context);
  }
  if (!isSuccess(response) || response.status === 202) return;
  const origin = [created.response, response];
  const isKept = ['200', '204'].some((status) => operation.responses.some((each) => each.status === status));
  // RFC 9110, 9.3.4: only a PUT that creates gets 201.
  const [, before] = state.all.find(([each]) => each === created) ?? [];
  if (operation.method === 'PUT' && response.status === 201 && isKept && (before ?? null) !== null)
    return breachStatus(context, 'RES-2', 'update', response, { expected: [200, 204], origin });
  const isChange = operation.method === 'PATCH';
  await judgeUpdate(
    workshop,
    collection,
    { response, sent, created, before: before ?? created.resource, isChange },
    context,
  );
  await judgeBystanders(
    workshop,
    collection,
    state,
    created,
    { requirement: 'RES-2', event: 'update of another', written: sent, origin },
    context,
  );
};

/** A resource with other listed values than usual, because a server may reset a member to the usual one. */
const withOtherState = async (
  workshop: Workshop,
  collection: Collection,
  found: Found,
  context: CheckContext,
): Promise<Created> =>
  (await nullIfEnded(
    createIn(workshop, collection, context, { found, changes: otherValues(workshop, collection) }),
  )) ?? (await createIn(workshop, collection, context, { found }));

interface Update {
  readonly response: ApiResponse;
  readonly sent: JsonObject;
  readonly created: Created;
  /** The resource just before: updates of others may have changed it. */
  readonly before: JsonObject;
  readonly isChange: boolean;
}

/** The members that have another value after an update than they must have. */
const wrongAfter = (
  { sent, created, before, isChange }: Update,
  shown: JsonObject,
  isRead: boolean,
): readonly string[] => {
  const isOwn = differencesFrom(created.sent, created.resource);
  // The response to an update may be only a message.
  const isShown = (name: string): boolean => isOwn(name) && (isRead || name in shown);
  const lost = differences(sent, shown).filter(
    (name) => isShown(name) && !isRewritten(sent[name], shown[name], created.resource[name]),
  );
  const reset = isChange
    ? differences(before, shown).filter((name) => name in created.sent && !(name in sent) && isShown(name))
    : [];
  return [...lost, ...reset];
};

/** RES-2: a resource has its id and the values of its update. */
const judgeUpdate = async (
  workshop: Workshop,
  collection: Collection,
  update: Update,
  context: CheckContext,
): Promise<void> => {
  const { response, sent, created, before } = update;
  const isRead = workshop.helperAs(collection.read) !== null;
  const wrong = (json: Json | undefined): readonly string[] => {
    const shown = resourceIn(json);
    return shown === null ? [] : wrongAfter(update, shown, isRead);
  };
  const read = await settled(
    context,
    () => readNow(workshop, collection, created.found, context),
    (after) => after === null || wrong(after.json).length === 0,
  );
  const now = read ?? response;
  const shown = resourceIn(now.json);
  const breach = (member: string, expected: Json | undefined, got: Json | undefined) =>
    breachValue(context, 'RES-2', 'update', now, { member, expected, got }, created);
  const [member] = isSuccess(now) ? wrong(now.json) : [];
  if (member !== undefined) breach(member, member in sent ? sent[member] : before[member], shown?.[member]);
  else context.passed('RES-2');
  const id = idOf(shown ?? undefined, collection, workshop.document.root);
  if (id !== null && !isSameValue(created.id, id)) breach(collection.id.name, created.id, id);
};

/** A text that the update changed, but that the server writes in its own way. */
const isRewritten = (sent: Json | undefined, shown: Json | undefined, before: Json | undefined): boolean =>
  typeof sent === 'string' &&
  typeof shown === 'string' &&
  !/^\d{4}-\d\d-\d\d/.test(sent) &&
  !isSameValue(shown, before) &&
  !isPart(sent, shown) &&
  (lettersOf(sent) === lettersOf(shown) || !/^[\p{L}\p{N} ]+$/u.test(sent));

/** What a resource is, or whether it is the usual one, may be fixed at its creation. */
const fixedNames = /^(type|kind)$|default|primary/i;

/** The value with another one of its kind: the opposite, the next listed text, or a number beside it. */
const otherValue = (value: Json, listed: readonly Json[] | null): readonly Json[] => {
  if (listed !== null)
    return listed.filter((each) => typeof each === typeof value && each !== value).slice(0, 1);
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'bigint') return [value + 1n, value - 1n];
  return typeof value === 'number' ? [value + 1, value - 1] : [];
};

/** Other numbers, booleans, and listed texts than those of the creation: otherwise an update that loses them would not show. */
const withOtherValues = (
  workshop: Workshop,
  operation: Operation,
  ordinary: JsonObject,
  { sent, resource }: Created,
): JsonObject => {
  const described = resourceBodyOf(workshop, operation);
  if (described === null) return ordinary;
  const isOwn = differencesFrom(sent, resource);
  let body = ordinary;
  for (const [name, value] of Object.entries(ordinary)) {
    if (!(name in sent) || !isOwn(name) || fixedNames.test(name)) continue;
    const { values = null } = memberIn(described, name) ?? {};
    const before = body;
    body =
      otherValue(value, values)
        .map((other) => ({ ...before, [name]: other }))
        .find(described.accepts) ?? before;
  }
  return body;
};

/** The values that the server set itself stay as they are: a state, or the version that the update is based on. */
const withServerValues = (
  workshop: Workshop,
  operation: Operation,
  ordinary: JsonObject,
  { sent, resource }: Created,
): JsonObject => {
  const isOwn = differencesFrom(sent, resource);
  const kept = Object.keys(ordinary).filter(
    (name) => name in sent && resource[name] !== undefined && !isOwn(name) && !isReference(name),
  );
  const all = { ...ordinary, ...Object.fromEntries(kept.map((name) => [name, resource[name] ?? null])) };
  return resourceBodyOf(workshop, operation)?.accepts(all) === true ? all : ordinary;
};

/** One member with another value than the resource has: a text, otherwise a value that the document names. */
const oneMember = (
  workshop: Workshop,
  { change }: Collection,
  ordinary: JsonObject,
  { resource }: Created,
): JsonObject | null => {
  const isOther = (name: string, value: Json | undefined) =>
    !isReference(name) &&
    value !== undefined &&
    value !== null &&
    typeof value !== 'object' &&
    name in resource &&
    !isSameValue(value, resource[name]);
  const text = Object.entries(ordinary).find(
    ([name, value]) => typeof value === 'string' && isOther(name, value),
  );
  if (text !== undefined) return { [text[0]]: text[1] };
  const body = change === null ? null : resourceBodyOf(workshop, change);
  if (body === null || body.ordinary === null) return null;
  const claim = claimsOf(body.ordinary, body.schema, body.root).find(
    ({ steps, value }) => steps.length === 1 && isOther(steps[0] ?? '', value),
  );
  const [name] = claim?.steps ?? [];
  return name === undefined || claim?.value === undefined ? null : { [name]: claim.value };
};
