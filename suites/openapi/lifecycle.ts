import type { ApiResponse, Json, JsonObject } from '../../src/check/index.ts';
import { judgeBystanders, stateOf } from './bystanders.ts';
import { isReference, valueAt } from './ordinary.ts';
import { isTakenOver, lostWithin, misreported, shownSecret } from './own-values.ts';
import { differences, isSameValue } from './relations.ts';
import { idAtLocation, idOf } from './resource-shapes.ts';
import {
  type CollectionUnderTest,
  type Created,
  createIn,
  ordinaryFor,
  readNow,
  removeFrom,
  sendTo,
} from './resources.ts';
import { isDone, isGone, isSuccess, shownIn } from './responses.ts';
import { breachStatus, breachValue, documents, readUntil, type Scenario, settled } from './scenario.ts';

/** RES-1: what was created can be read, with the values that were sent. */
export const readsBack: Scenario = async (collection) => {
  const created = await createIn(collection, { mayBeAccepted: true });
  await judgeLocation(collection, created);
  const read = await readUntil(collection, created, isSuccess);
  if (read !== null && isGone(read)) {
    // What is only accepted may be carried out at any time, or never (RFC 9110, 15.3.3).
    if (created.response.status === 202) return;
    return breachStatus(collection, 'creation', read, { expected: ['2xx'], origin: [created.response] });
  }
  const shown = read === null ? created.resource : shownIn(read);
  if (shown === null) return;
  const response = read ?? created.response;
  const secret = shownSecret(collection, created, shown);
  if (secret !== undefined) {
    const value = { member: secret, expected: undefined, got: shown[secret] };
    return breachValue(collection, 'creation', response, value, created);
  }
  const readId = read === null ? null : idOf(shown, collection);
  if (readId !== null && !isSameValue(created.id, readId)) {
    const value = { member: collection.id.name, expected: created.id, got: readId };
    return breachValue(collection, 'creation', response, value, created);
  }
  await judgeValues(collection, created, response, shown);
};

/** A value that the creation took over must be read back. One that it changed may be the server's own, unless an update takes it over. */
const judgeValues = async (
  collection: CollectionUnderTest,
  created: Created,
  read: ApiResponse,
  shown: JsonObject,
): Promise<void> => {
  const { context, path } = collection;
  const { sent, resource, response } = created;
  const changed = differences(sent, resource);
  const lost = differences(sent, shown);
  const forgotten = lost.find((name) => !changed.includes(name));
  if (forgotten !== undefined) {
    const value = { member: forgotten, expected: sent[forgotten], got: shown[forgotten] };
    return breachValue(collection, 'creation', read, value, created);
  }
  const breach = (place: readonly string[], got: Json | undefined) => {
    const value = { member: place.join('.'), expected: valueAt(sent, place), got };
    breachValue(collection, 'creation', response, value, created);
  };
  const other = misreported(collection, created, shown);
  if (other !== undefined) return breach([other], resource[other]);
  for (const member of changed) {
    if (isReference(member) || !lost.includes(member)) continue;
    if (await isTakenOver(collection, created, member, shown[member]))
      return breach([member], resource[member]);
    const place = lostWithin(collection, created, member, shown);
    if (place !== undefined) return breach(place, valueAt(shown, place));
    context.observe(`${path}: values that the server sets itself`, member, 'RES-1');
  }
  context.passed();
};

/** RES-1: the `Location` of a creation leads to what was created. */
const judgeLocation = async (collection: CollectionUnderTest, created: Created): Promise<void> => {
  const { response } = created;
  const exercised = collection.exercisedAs(collection.read);
  const id = idAtLocation(response, collection, collection.context.run.baseUrl);
  const isAccepted = response.status === 202;
  if ((response.status !== 201 && !isAccepted) || id === null || exercised === null) return;
  const isOwn = isSameValue(created.id, id);
  // What is only accepted has its Location later, but not another one than its id.
  if (isAccepted && (isOwn || shownIn(await readUntil(collection, created, isSuccess)) === null)) return;
  const texts = { [`path ${collection.id.name}`]: encodeURIComponent(id) };
  const read = await settled(
    collection,
    () => sendTo(collection, exercised, created.found, { texts }),
    isSuccess,
  );
  const readId = idOf(shownIn(read), collection);
  // The address of another resource may lead nowhere, or to one that was created since.
  if (!isOwn && (isGone(read) || (readId !== null && !isSameValue(created.id, readId)))) {
    const value = { member: collection.id.name, expected: created.id, got: readId ?? id };
    return breachValue(collection, 'location', read, value, created);
  }
  if (isGone(read)) breachStatus(collection, 'location', read, { expected: ['2xx'], origin: [response] });
};

/** RES-3: a deleted resource is gone, and no other one. */
export const deletes: Scenario = async (collection, [exercised]) => {
  if (collection.helperAs(collection.read) === null) return;
  const other = await createIn(collection);
  const created = await createIn(collection);
  const later = await createIn(collection);
  const state = await stateOf(collection, [other, later]);
  const before = await readNow(collection, created.found);
  const removal = await removeFrom(collection, exercised, created);
  if (!isDone(removal) || before === null || !isSuccess(before)) return;
  const after = await readUntil(collection, created, (response) => !isSuccess(response));
  if (after === null) return;
  const [was, shown] = [before, after].map(shownIn);
  // A soft deletion says so in some member.
  const isUnchanged =
    shown != null &&
    was != null &&
    Object.keys(shown).length === Object.keys(was).length &&
    differences(was, shown).length === 0;
  const origin = [created.response, removal];
  if (isUnchanged) breachStatus(collection, 'deletion', after, { expected: [404, 410], origin });
  else collection.context.passed();
  await judgeBystanders(collection, state, created, { event: 'deletion of another', written: {}, origin });
  await judgeDeleted(collection, created, after, origin);
  await sendTo(collection, exercised, created.found);
};

/** Statuses that are about the form of a request. A deleted id has the right form. */
const aboutForm: readonly number[] = [400, 405, 409, 422];

/** RES-9: what was deleted does not exist, so a request to it gets 404. */
const judgeDeleted = async (
  collection: CollectionUnderTest,
  created: Created,
  after: ApiResponse,
  origin: readonly ApiResponse[],
): Promise<void> => {
  const { context, read, change, replace } = collection;
  const { found } = created;
  const isMissing = { expected: [404, 410], origin, requirement: 'RES-9' };
  // A conflict with the deletion may be documented.
  const isOwn = after.status === 409 && documents(read, 409);
  if (documents(read, 404) && aboutForm.includes(after.status) && !isOwn)
    return breachStatus(collection, 'deletion', after, isMissing);
  if (!isGone(after)) return;
  for (const exercised of [change, replace].map(collection.exercisedAs)) {
    if (exercised === null || !exercised.mayGuess || !documents(exercised.operation, 404)) continue;
    const resource = await ordinaryFor(collection, exercised, found);
    const response = await sendTo(collection, exercised, found, { resource });
    // An update may create what it names, but then it can be read.
    const now = isSuccess(response) ? await readUntil(collection, created, (each) => !isGone(each)) : null;
    if (now !== null && isGone(now)) breachStatus(collection, 'deletion', response, isMissing);
    else if (isGone(response)) context.passed('RES-9');
  }
};
