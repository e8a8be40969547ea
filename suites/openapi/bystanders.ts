import type { CheckContext, Json, JsonObject } from '../../src/check/index.ts';
import type { ResourceEvent } from '../../src/check/resources.ts';
import { type Listed, listAll } from './listing.ts';
import { isReference } from './ordinary.ts';
import { type Collection, differences, isSameValue } from './relations.ts';
import { memberIn, resourceBodyOf } from './resource-bodies.ts';
import { idOf, resourceIn } from './resource-shapes.ts';
import { type Created, creationsIn, isSuccess, readNow, type Workshop } from './resources.ts';
import { breachList, breachStatus, breachValue, isGone, settled } from './scenario.ts';

/** A counter of changes, and a text that follows from others, are the server's. */
const serverNames = /^_?(version|revision|rev|slug)$/i;

/** Members whose value is the client's, because the creation took it over. */
export const differencesFrom = (sent: JsonObject, resource: JsonObject) => {
  const changed = differences(sent, resource);
  return (name: string): boolean => !changed.includes(name) && !isReference(name) && !serverNames.test(name);
};

/** What a request does that others must not notice. */
interface Effect {
  readonly requirement: string;
  readonly event: ResourceEvent;
  /** The values that it writes. */
  readonly written: JsonObject;
  /** The creation of its target, and the request. */
  readonly origin: Parameters<typeof breachStatus>[4]['origin'];
}

/** A text of the client's own. A state, a flag, or a place in an order may follow from other resources. */
const isOwnText = (
  workshop: Workshop,
  { create }: Collection,
  name: string,
  value: Json | undefined,
): boolean => {
  const body = resourceBodyOf(workshop, create);
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
  workshop: Workshop,
  collection: Collection,
  all: readonly Created[],
  context: CheckContext,
): Promise<State> => {
  const read = await Promise.all(
    all.map(async (created) => {
      const response = await readNow(workshop, collection, created.found, context);
      return [created, response !== null && isSuccess(response) ? resourceIn(response.json) : null] as const;
    }),
  );
  return { all: read, listed: await listOf(workshop, collection, all, context) };
};

const listOf = (
  workshop: Workshop,
  collection: Collection,
  [first]: readonly Created[],
  context: CheckContext,
): Promise<Listed | null> => {
  const { [collection.id.name]: _, ...parent } = first?.found ?? {};
  return listAll(workshop, collection, parent, context);
};

/** A change or a deletion does not touch other resources: they are there, and what clients wrote is as before. */
export const judgeBystanders = async (
  workshop: Workshop,
  collection: Collection,
  { all, listed }: State,
  target: Created,
  effect: Effect,
  context: CheckContext,
): Promise<void> => {
  const { requirement, event, origin } = effect;
  const others = all.filter(([created]) => created !== target && !refersTo(created.sent, target));
  for (const [other, before] of others) {
    if (before === null) continue;
    const read = await settled(
      context,
      () => readNow(workshop, collection, other.found, context),
      (response) => response === null || !isGone(response),
    );
    if (read !== null && isGone(read))
      return breachStatus(context, requirement, event, read, { expected: ['2xx'], origin });
    const now = read === null || !isSuccess(read) ? null : resourceIn(read.json);
    const member =
      now === null
        ? undefined
        : touched(workshop, collection, { before, now }, effect, differencesFrom(other.sent, other.resource));
    if (read !== null && now !== null && member !== undefined)
      return breachValue(
        context,
        requirement,
        event,
        read,
        { member, expected: before[member], got: now[member] },
        other,
      );
  }
  await judgeList(workshop, collection, { listed, target }, effect, context);
};

/** What refers to a resource may change or go with it. */
const refersTo = (resource: JsonObject, { id }: Created): boolean =>
  Object.entries(resource).some(([name, value]) => isReference(name) && isSameValue(value, id));

/** A member of another resource that a client wrote, and that changed. */
const touched = (
  workshop: Workshop,
  collection: Collection,
  { before, now }: { readonly before: JsonObject; readonly now: JsonObject },
  { written }: Effect,
  isTaken: (name: string) => boolean = () => true,
): string | undefined =>
  Object.keys(before).find(
    (name) =>
      isTaken(name) &&
      name in now &&
      !isSameValue(before[name], now[name]) &&
      ((name in written && isSameValue(written[name], now[name])) ||
        isOwnText(workshop, collection, name, before[name])),
  );

/** The other resources are in the list as before. Those of this run are still in it. */
const judgeList = async (
  workshop: Workshop,
  collection: Collection,
  { listed, target }: { readonly listed: Listed | null; readonly target: Created },
  effect: Effect,
  context: CheckContext,
): Promise<void> => {
  if (listed?.isComplete !== true) return;
  const idIn = (item: JsonObject) => idOf(item, collection, workshop.document.root) ?? undefined;
  const find = ({ items }: Listed, id: Json) => items.find((item) => isSameValue(id, idIn(item)));
  const others = listed.items.filter(
    (item) => idIn(item) !== undefined && !isSameValue(target.id, idIn(item)) && !refersTo(item, target),
  );
  const own = creationsIn(collection, target, context).filter(({ id }) =>
    others.some((item) => isSameValue(id, idIn(item))),
  );
  const after = await settled(
    context,
    () => listOf(workshop, collection, [target], context),
    (now) => now?.isComplete !== true || own.every(({ id }) => find(now, id) !== undefined),
  );
  if (after?.isComplete !== true) return;
  const missing = own.find(({ id }) => find(after, id) === undefined);
  if (missing !== undefined)
    return breachList(
      context,
      effect.requirement,
      after,
      { mistake: 'created missing', about: `${missing.id}` },
      effect.origin,
    );
  for (const before of others) {
    const now = find(after, idIn(before) ?? null);
    const member = now === undefined ? undefined : touched(workshop, collection, { before, now }, effect);
    if (now !== undefined && member !== undefined)
      return breachValue(
        context,
        effect.requirement,
        effect.event,
        after.response,
        { member, expected: before[member], got: now[member] },
        target,
      );
  }
};
