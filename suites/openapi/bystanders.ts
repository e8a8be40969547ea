import type { ApiResponse, Json, JsonObject } from '../../src/check/index.ts';
import type { ResourceEvent } from '../../src/check/resources.ts';
import { creationsIn, parentPlace } from './given-ids.ts';
import { type Listed, listAll } from './listing.ts';
import { isReference } from './ordinary.ts';
import { differences, isSameValue } from './relations.ts';
import { memberIn, resourceBodyOf } from './resource-bodies.ts';
import { idOf, withId } from './resource-shapes.ts';
import { type CollectionUnderTest, type Created, readNow } from './resources.ts';
import { isGone, shownIn } from './responses.ts';
import { breachList, breachStatus, breachValue, readUntil, settled } from './scenario.ts';

/** A counter of changes, and a text that follows from others, are the server's. */
const serverNames = /^_?(version|revision|rev|slug)$/i;

/** Members whose value is the client's, because the creation took it over. */
export const ownMembers = ({ sent, resource }: Created) => {
  const changed = differences(sent, resource);
  return (name: string): boolean => !changed.includes(name) && !isReference(name) && !serverNames.test(name);
};

/** What a request does that others must not notice. */
interface Effect {
  readonly event: ResourceEvent;
  /** The values that it writes. */
  readonly written: JsonObject;
  /** The creation of its target, and the request. */
  readonly origin: readonly ApiResponse[];
}

/** A text of the client's own. A state, a flag, or a place in an order may follow from other resources. */
const isOwnText = (collection: CollectionUnderTest, name: string, value: Json | undefined): boolean => {
  const body = resourceBodyOf(collection, collection.create);
  const flat = memberIn(body, name);
  return (
    typeof value === 'string' &&
    body?.members.has(name) === true &&
    flat?.values === null &&
    flat.formats.length === 0
  );
};

/** How the resources of a case, and the list, are before a change or a deletion. */
interface State {
  readonly all: readonly (readonly [Created, JsonObject | null])[];
  readonly listed: Listed | null;
}

/** Reads resources, and the list that they are in. */
export const stateOf = async (
  collection: CollectionUnderTest,
  created: readonly [Created, ...Created[]],
): Promise<State> => {
  const all = await Promise.all(
    created.map(async (each) => [each, shownIn(await readNow(collection, each.found))] as const),
  );
  return { all, listed: await listAround(collection, created[0]) };
};

const listAround = (collection: CollectionUnderTest, created: Created): Promise<Listed | null> =>
  listAll(collection, {}, parentPlace(collection, created));

/** A change or a deletion does not touch other resources: they are there, and what clients wrote is as before. */
export const judgeBystanders = async (
  collection: CollectionUnderTest,
  { all, listed }: State,
  target: Created,
  effect: Effect,
): Promise<void> => {
  const { event, origin } = effect;
  for (const [other, before] of all) {
    if (other === target || refersTo(other.sent, target) || before === null) continue;
    const read = await readUntil(collection, other, (response) => !isGone(response));
    if (read === null) continue;
    if (isGone(read)) return breachStatus(collection, event, read, { expected: ['2xx'], origin });
    const now = shownIn(read);
    const member = now === null ? undefined : touched(collection, before, now, effect, ownMembers(other));
    if (now !== null && member !== undefined) {
      const value = { member, expected: before[member], got: now[member] };
      return breachValue(collection, event, read, value, other);
    }
  }
  if (listed?.isComplete === true) await judgeList(collection, listed, target, effect);
};

/** What refers to a resource may change or go with it. */
const refersTo = (resource: JsonObject, { id }: Created): boolean =>
  Object.entries(resource).some(([name, value]) => isReference(name) && isSameValue(value, id));

/** A member of another resource that a client wrote, and that changed. */
const touched = (
  collection: CollectionUnderTest,
  before: JsonObject,
  now: JsonObject,
  { written }: Effect,
  isTaken: (name: string) => boolean = () => true,
): string | undefined =>
  Object.keys(before).find(
    (name) =>
      isTaken(name) &&
      name in now &&
      !isSameValue(before[name], now[name]) &&
      ((name in written && isSameValue(written[name], now[name])) ||
        isOwnText(collection, name, before[name])),
  );

/** The other resources are in the list as before. Those of this run are still in it. */
const judgeList = async (
  collection: CollectionUnderTest,
  listed: Listed,
  target: Created,
  effect: Effect,
): Promise<void> => {
  const others = listed.items.flatMap((item) => {
    const id = idOf(item, collection);
    const isOther = id !== null && !isSameValue(target.id, id) && !refersTo(item, target);
    return isOther ? [{ id, before: item }] : [];
  });
  const own = creationsIn(collection, target).filter(({ id }) =>
    others.some((other) => isSameValue(id, other.id)),
  );
  const missingIn = (now: Listed) => own.find(({ id }) => withId(now, id, collection) === undefined);
  const after = await settled(
    collection,
    () => listAround(collection, target),
    (now) => now?.isComplete !== true || missingIn(now) === undefined,
  );
  if (after?.isComplete !== true) return;
  const missing = missingIn(after);
  if (missing !== undefined)
    return breachList(collection, after, 'created missing', `${missing.id}`, effect.origin);
  for (const { id, before } of others) {
    const now = withId(after, id, collection);
    const member = now === undefined ? undefined : touched(collection, before, now, effect);
    if (now === undefined || member === undefined) continue;
    const value = { member, expected: before[member], got: now[member] };
    return breachValue(collection, effect.event, after.response, value, target);
  }
};
