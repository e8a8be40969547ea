import type { ApiResponse, CheckContext, JsonObject } from '../../src/check/index.ts';
import { judgeBystanders, stateOf } from './bystanders.ts';
import type { Found } from './existing.ts';
import { isReference, valueAt } from './ordinary.ts';
import { isTakenOver, lostWithin, misreported, shownSecret } from './own-values.ts';
import { type Collection, differences, isSameValue } from './relations.ts';
import { idAtLocation, idOf, resourceIn } from './resource-shapes.ts';
import {
  type Created,
  createIn,
  forgetId,
  isSuccess,
  ordinaryFor,
  parentOf,
  readNow,
  sendResource,
  sendTo,
  type Workshop,
} from './resources.ts';
import { breachStatus, breachValue, documents, isGone, type Scenario, settled } from './scenario.ts';

/** RES-1: what was created can be read, with the values that were sent. */
export const readsBack: Scenario = async (workshop, collection, context) => {
  const created = await createIn(workshop, collection, context, {
    found: await parentOf(workshop, collection, context),
    mayBeAccepted: true,
  });
  await judgeLocation(workshop, collection, created, context);
  const response = await readLater(workshop, collection, created, context);
  const shown = response === null ? created.resource : resourceIn(response.json);
  if (response !== null && isGone(response)) {
    // What is only accepted may be carried out at any time, or never (RFC 9110, 15.3.3).
    if (created.response.status === 202) return;
    return breachStatus(context, 'RES-1', 'creation', response, {
      expected: ['2xx'],
      origin: [created.response],
    });
  }
  if (shown === null || (response !== null && !isSuccess(response))) return;
  const secret = shownSecret(workshop, collection, created, shown);
  if (secret !== undefined)
    return breachValue(
      context,
      'RES-1',
      'creation',
      response ?? created.response,
      { member: secret, expected: undefined, got: shown[secret] },
      created,
    );
  const { id } = created;
  const readId = response === null ? id : idOf(shown, collection, workshop.document.root);
  if (response !== null && readId !== null && !isSameValue(id, readId))
    return breachValue(
      context,
      'RES-1',
      'creation',
      response,
      { member: collection.id.name, expected: id, got: readId },
      created,
    );
  await judgeValues(
    workshop,
    collection,
    created,
    { shown, response: response ?? created.response },
    context,
  );
};

/** The resource as soon as it can be read, or the last response without it. */
const readLater = (
  workshop: Workshop,
  collection: Collection,
  created: Created,
  context: CheckContext,
): Promise<ApiResponse | null> =>
  settled(
    context,
    () => readNow(workshop, collection, created.found, context),
    (read) => read === null || isSuccess(read),
  );

/** A value that the creation took over must be read back. One that it changed may be the server's own, unless an update takes it over. */
const judgeValues = async (
  workshop: Workshop,
  collection: Collection,
  created: Created,
  { shown, response }: { readonly shown: JsonObject; readonly response: ApiResponse },
  context: CheckContext,
): Promise<void> => {
  const { sent, resource } = created;
  const changed = differences(sent, resource);
  const lost = differences(sent, shown);
  const forgotten = lost.find((name) => !changed.includes(name));
  if (forgotten !== undefined)
    return breachValue(
      context,
      'RES-1',
      'creation',
      response,
      { member: forgotten, expected: sent[forgotten], got: shown[forgotten] },
      created,
    );
  const other = misreported(workshop, collection, created, shown);
  if (other !== undefined)
    return breachValue(
      context,
      'RES-1',
      'creation',
      created.response,
      { member: other, expected: sent[other], got: resource[other] },
      created,
    );
  for (const member of changed) {
    if (isReference(member) || !lost.includes(member)) continue;
    if (await isTakenOver(workshop, collection, created, { member, got: shown[member] }, context))
      return breachValue(
        context,
        'RES-1',
        'creation',
        created.response,
        { member, expected: sent[member], got: resource[member] },
        created,
      );
    const place = lostWithin(workshop, collection, created, member, shown);
    if (place !== undefined)
      return breachValue(
        context,
        'RES-1',
        'creation',
        created.response,
        { member: place.join('.'), expected: valueAt(sent, place), got: valueAt(shown, place) },
        created,
      );
    context.observe(`${collection.path}: values that the server sets itself`, member, 'RES-1');
  }
  context.passed('RES-1');
};

const judgeLocation = async (
  workshop: Workshop,
  collection: Collection,
  created: Created,
  context: CheckContext,
): Promise<void> => {
  const { response } = created;
  const exercised = workshop.exercisedAs(collection.read);
  const id = idAtLocation(response, collection, context.run.baseUrl);
  const isAccepted = response.status === 202;
  if ((response.status !== 201 && !isAccepted) || id === null || exercised === null) return;
  // What is only accepted has its Location later, but not another one than its id.
  if (isAccepted) {
    const own = isSameValue(created.id, id) ? null : await readLater(workshop, collection, created, context);
    if (own === null || !isSuccess(own)) return;
  }
  const read = await settled(
    context,
    () =>
      sendTo(
        exercised,
        created.found,
        { body: null, texts: { [`path ${collection.id.name}`]: encodeURIComponent(id) } },
        context,
      ),
    isSuccess,
  );
  const readId = isSuccess(read)
    ? idOf(resourceIn(read.json) ?? undefined, collection, workshop.document.root)
    : null;
  // The address of another resource may lead nowhere, or to one that was created since.
  if (!isSameValue(created.id, id) && (isGone(read) || (readId !== null && !isSameValue(created.id, readId))))
    return breachValue(
      context,
      'RES-1',
      'location',
      read,
      { member: collection.id.name, expected: created.id, got: readId ?? id },
      created,
    );
  if (isGone(read))
    breachStatus(context, 'RES-1', 'location', read, { expected: ['2xx'], origin: [response] });
};

/** RES-3: a deleted resource is gone, and no other one. */
export const deletes: Scenario = async (workshop, collection, context) => {
  const exercised = workshop.exercisedAs(collection.remove);
  if (exercised === null || workshop.helperAs(collection.read) === null) return;
  const found = await parentOf(workshop, collection, context);
  const other = await createIn(workshop, collection, context, { found });
  const created = await createIn(workshop, collection, context, { found });
  const later = await createIn(workshop, collection, context, { found });
  const look = (each: Created) => readNow(workshop, collection, each.found, context);
  const state = await stateOf(workshop, collection, [other, later], context);
  const before = await look(created);
  const removal = await sendTo(exercised, created.found, { body: null }, context);
  if (isSuccess(removal)) forgetId(collection, created.found, context);
  if (!isSuccess(removal) || removal.status === 202 || before === null || !isSuccess(before)) return;
  const after = await settled(
    context,
    () => look(created),
    (response) => response === null || !isSuccess(response),
  );
  if (after === null) return;
  const shown = resourceIn(after.json);
  const was = resourceIn(before.json);
  // A soft deletion says so in some member.
  const isUnchanged =
    shown !== null &&
    was !== null &&
    Object.keys(shown).length === Object.keys(was).length &&
    differences(was, shown).length === 0;
  const origin = [created.response, removal];
  if (isSuccess(after) && isUnchanged)
    breachStatus(context, 'RES-3', 'deletion', after, { expected: [404, 410], origin });
  else context.passed('RES-3');
  await judgeBystanders(
    workshop,
    collection,
    state,
    created,
    { requirement: 'RES-3', event: 'deletion of another', written: {}, origin },
    context,
  );
  await judgeDeleted(workshop, collection, { after, found: created.found, origin }, context);
  await sendTo(exercised, created.found, { body: null }, context);
};

/** Statuses that are about the form of a request. A deleted id has the right form. */
const aboutForm: readonly number[] = [400, 405, 409, 422];

/** RES-9: what was deleted does not exist, so a request to it gets 404. */
const judgeDeleted = async (
  workshop: Workshop,
  collection: Collection,
  {
    after,
    found,
    origin,
  }: { readonly after: ApiResponse; readonly found: Found; readonly origin: readonly ApiResponse[] },
  context: CheckContext,
): Promise<void> => {
  const expected = [404, 410];
  // A conflict with the deletion may be documented.
  const isOwn = after.status === 409 && documents(collection.read, 409);
  if (documents(collection.read, 404) && aboutForm.includes(after.status) && !isOwn)
    return breachStatus(context, 'RES-9', 'deletion', after, { expected, origin });
  if (!isGone(after)) return;
  for (const operation of [collection.change, collection.replace]) {
    const exercised = workshop.exercisedAs(operation);
    if (exercised === null || !exercised.mayGuess || !documents(operation, 404)) continue;
    const json = await ordinaryFor(workshop, exercised, found, context);
    const response =
      json === null
        ? await sendTo(exercised, found, { body: null }, context)
        : await sendResource(workshop, exercised, found, json, context);
    // An update may create what it names, but then it can be read.
    const now = isSuccess(response)
      ? await settled(
          context,
          () => readNow(workshop, collection, found, context),
          (read) => read === null || !isGone(read),
        )
      : null;
    if (now !== null && isGone(now))
      breachStatus(context, 'RES-9', 'deletion', response, { expected, origin });
    else if (isGone(response)) context.passed('RES-9');
  }
};
