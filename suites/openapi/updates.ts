import { nullIfEnded } from '../../src/check/case-skipped.ts';
import type { Operation } from '../../src/check/document.ts';
import type { ApiResponse, Json, JsonObject } from '../../src/check/index.ts';
import { judgeBystanders, ownMembers, stateOf } from './bystanders.ts';
import { otherValues } from './lists.ts';
import type { OperationUnderTest } from './operations.ts';
import { isReference } from './ordinary.ts';
import { isPart, lettersOf } from './own-values.ts';
import { differences, isSameValue, timeOf } from './relations.ts';
import { claimsIn, memberIn, resourceBodyOf } from './resource-bodies.ts';
import { idOf, resourceIn } from './resource-shapes.ts';
import {
  type CollectionUnderTest,
  type Created,
  createIn,
  ordinaryFor,
  readNow,
  sendTo,
} from './resources.ts';
import { isDone, isGone, isSuccess } from './responses.ts';
import { breachStatus, breachValue, readUntil, type Scenario } from './scenario.ts';

/** RES-2: a replacement, and a change of one member or of all, show afterwards, and in no other resource. */
export const showsUpdates: Scenario = async (collection) => {
  const { replace, change, exercisedAs } = collection;
  const other = await createIn(collection);
  // The first ordinary body of an operation is tried out on what it is sent to.
  for (const exercised of [replace, change].map(exercisedAs))
    if (exercised !== null) await ordinaryFor(collection, exercised, other.found);
  // A server may reset a member to its usual value, so this one has others.
  const changed =
    (await nullIfEnded(createIn(collection, { changes: otherValues(collection) }))) ??
    (await createIn(collection));
  const replaced = await createIn(collection);
  const all = [other, changed, replaced] as const;
  await update(collection, replace, replaced, 'all', all);
  await update(collection, change, changed, 'one', all);
  await update(collection, change, changed, 'all', all);
  // Its values are the usual ones: an update that loses only the others shows here.
  await update(collection, change, other, 'all', all);
};

/** Updates one member of a resource, or all, and judges it and the others. */
const update = async (
  collection: CollectionUnderTest,
  operation: Operation | null,
  created: Created,
  members: 'one' | 'all',
  all: readonly [Created, ...Created[]],
): Promise<void> => {
  const { found, resource } = created;
  const exercised = collection.exercisedAs(operation);
  const ordinary = exercised === null ? null : await ordinaryFor(collection, exercised, found);
  if (exercised === null || operation === null || ordinary === null) return;
  const kept = withServerValues(collection, operation, ordinary, created);
  let sent =
    members === 'one'
      ? oneMember(collection, operation, ordinary, created)
      : withOtherValues(collection, operation, kept, created);
  if (sent === null) return;
  const state = await stateOf(collection, all);
  let response = await sendTo(collection, exercised, found, { resource: sent });
  if (members === 'all' && !isSuccess(response)) {
    sent = kept;
    response = await sendTo(collection, exercised, found, { resource: sent });
  }
  if (!isDone(response)) return;
  const origin = [created.response, response];
  const isKept = ['200', '204'].some((status) => operation.responses.some((each) => each.status === status));
  // RFC 9110, 9.3.4: only a PUT that creates gets 201.
  const before = state.all.find(([each]) => each === created)?.[1] ?? null;
  if (operation.method === 'PUT' && response.status === 201 && isKept && before !== null)
    return breachStatus(collection, 'update', response, { expected: [200, 204], origin });
  const isChange = operation.method === 'PATCH';
  const now = await judgeUpdate(collection, {
    response,
    sent,
    created,
    before: before ?? resource,
    isChange,
  });
  if (before !== null && isGone(now)) await judgePresence(collection, exercised);
  await judgeBystanders(collection, state, created, { event: 'update of another', written: sent, origin });
};

/** RES-2: what was updated is still at its path. A change of its state may hide it, and one of its name may move it. */
const judgePresence = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
): Promise<void> => {
  const created = await createIn(collection);
  const { id, sent, found, response } = created;
  const before = await readNow(collection, found);
  const body = await ordinaryFor(collection, exercised, found);
  const isNamed = Object.values(sent).some((value) => lettersOf(`${value}`) === lettersOf(`${id}`));
  if (isNamed || body === null || before === null || !isSuccess(before)) return;
  // A member that the creation does not have may be such a state.
  const usual = Object.fromEntries(Object.entries(body).filter(([name]) => name in sent));
  const update = await sendTo(collection, exercised, found, { resource: usual });
  const after = isDone(update) ? await readUntil(collection, created, (now) => !isGone(now)) : null;
  if (after !== null && isGone(after))
    breachStatus(collection, 'update', after, { expected: ['2xx'], origin: [response, update] });
};

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
  const isOwn = ownMembers(created);
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
const judgeUpdate = async (collection: CollectionUnderTest, update: Update): Promise<ApiResponse> => {
  const { response, sent, created, before } = update;
  const isRead = collection.helperAs(collection.read) !== null;
  const wrong = ({ json }: ApiResponse): readonly string[] => {
    const shown = resourceIn(json);
    return shown === null ? [] : wrongAfter(update, shown, isRead);
  };
  const read = await readUntil(collection, created, (after) => wrong(after).length === 0);
  const now = read ?? response;
  const shown = resourceIn(now.json);
  const breach = (member: string, expected: Json | undefined, got: Json | undefined) =>
    breachValue(collection, 'update', now, { member, expected, got }, created);
  const [member] = isSuccess(now) ? wrong(now) : [];
  if (member !== undefined) breach(member, member in sent ? sent[member] : before[member], shown?.[member]);
  else if (isSuccess(now)) collection.context.passed();
  const id = idOf(shown, collection);
  if (id !== null && !isSameValue(created.id, id)) breach(collection.id.name, created.id, id);
  return now;
};

/** A text that the update changed, but that the server writes in its own way. */
const isRewritten = (sent: Json | undefined, shown: Json | undefined, before: Json | undefined): boolean =>
  typeof sent === 'string' &&
  typeof shown === 'string' &&
  timeOf(sent) === null &&
  !isSameValue(shown, before) &&
  !isPart(sent, shown) &&
  (lettersOf(sent) === lettersOf(shown) || !/^[\p{L}\p{N} ]+$/u.test(sent));

/** What a resource is, or whether it is the usual one, may be fixed at its creation. */
const fixedNames = /^(type|kind)$|default|primary/i;

/** Other values of the same kind: another listed one, the opposite, or a number beside it. */
export const valuesBeside = (value: Json, listed: readonly Json[] | null): readonly Json[] => {
  if (listed !== null) return listed.filter((each) => typeof each === typeof value && each !== value);
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'bigint') return [value + 1n, value - 1n];
  return typeof value === 'number' ? [value + 1, value - 1] : [];
};

/** Other numbers, booleans, and listed texts than those of the creation: otherwise an update that loses them would not show. */
const withOtherValues = (
  collection: CollectionUnderTest,
  operation: Operation,
  ordinary: JsonObject,
  created: Created,
): JsonObject => {
  const described = resourceBodyOf(collection, operation);
  if (described === null) return ordinary;
  const isOwn = ownMembers(created);
  let body = ordinary;
  for (const [name, value] of Object.entries(ordinary)) {
    if (!(name in created.sent) || !isOwn(name) || fixedNames.test(name)) continue;
    const { values = null } = memberIn(described, name) ?? {};
    const before = body;
    body =
      valuesBeside(value, values)
        .map((other) => ({ ...before, [name]: other }))
        .find(described.accepts) ?? before;
  }
  return body;
};

/** The values that the server set itself stay as they are: a state, or the version that the update is based on. */
const withServerValues = (
  collection: CollectionUnderTest,
  operation: Operation,
  ordinary: JsonObject,
  created: Created,
): JsonObject => {
  const { sent, resource } = created;
  const isOwn = ownMembers(created);
  const kept = Object.keys(ordinary).filter(
    (name) => name in sent && resource[name] !== undefined && !isOwn(name) && !isReference(name),
  );
  const all = { ...ordinary, ...Object.fromEntries(kept.map((name) => [name, resource[name] ?? null])) };
  return resourceBodyOf(collection, operation)?.accepts(all) === true ? all : ordinary;
};

/** One member with another value than the resource has: a text, otherwise a value that the document names. */
const oneMember = (
  collection: CollectionUnderTest,
  operation: Operation,
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
  if (text !== undefined) return Object.fromEntries([text]);
  const claim = claimsIn(resourceBodyOf(collection, operation)).find(
    ({ steps, value }) => steps.length === 1 && isOther(steps[0] ?? '', value),
  );
  const [name] = claim?.steps ?? [];
  return name === undefined || claim?.value === undefined ? null : { [name]: claim.value };
};
