import type { CheckContext, Json } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { isReference } from './ordinary.ts';
import type { Collection } from './relations.ts';
import { memberIn, resourceBodyOf } from './resource-bodies.ts';
import {
  type Created,
  createIn,
  forgetId,
  isSuccess,
  parentOf,
  readNow,
  sendTo,
  type Workshop,
} from './resources.ts';
import { breachStatus, isGone, type Scenario, settled } from './scenario.ts';

const atOnce = 3;

/** RES-7: each creation gets an id of its own. */
export const givesNewIds: Scenario = async (workshop, collection, context) => {
  const found = await parentOf(workshop, collection, context);
  const create = () => createIn(workshop, collection, context, { found, mayMerge: true });
  const earlier = [await create(), await create()];
  const together = await Promise.all(Array.from({ length: atOnce }, create));
  if (haveOwnIds(workshop, collection, [...earlier, ...together], context))
    await canBeRead(workshop, collection, together, context);
};

/** RES-7: a resource that is created after a deletion does not get the id of one that is still there. */
export const givesFreeIds: Scenario = async (workshop, collection, context) => {
  const exercised = workshop.exercisedAs(collection.remove);
  if (exercised === null) return;
  const found = await parentOf(workshop, collection, context);
  const create = () => createIn(workshop, collection, context, { found, mayMerge: true });
  const [deleted, kept] = [await create(), await create()];
  if (!haveOwnIds(workshop, collection, [deleted, kept], context)) return;
  const removal = await sendTo(exercised, deleted.found, { body: null }, context);
  if (!isSuccess(removal)) return;
  forgetId(collection, deleted.found, context);
  haveOwnIds(workshop, collection, [kept, await create()], context);
};

/** RES-7: judges ids of resources that exist at the same time. Returns whether they differ. */
const haveOwnIds = (
  workshop: Workshop,
  collection: Collection,
  all: readonly Created[],
  context: CheckContext,
): boolean => {
  const twice = all.find(({ id }, index) => all.findIndex((other) => sameJson(other.id, id)) !== index);
  if (twice === undefined) {
    context.passed('RES-7');
    return true;
  }
  // A server may return the resource that it already has, but not for other values.
  const other = all.find((each) => each !== twice && sameJson(each.id, twice.id));
  if (
    other === undefined ||
    sameJson(other.sent, twice.sent) ||
    isNamedAlike(workshop, collection, other, twice)
  )
    return false;
  context.breach({
    response: twice.response,
    requirement: 'RES-7',
    problem: { rule: 'id-given-twice', id: twice.id },
    origin: [other.response.exchange],
  });
  return false;
};

/** The client chose the id, or the creations have a text in common that may name one resource. Without a text of their own, a reference may. */
const isNamedAlike = (workshop: Workshop, { create }: Collection, one: Created, other: Created): boolean => {
  const body = resourceBodyOf(workshop, create);
  const isName = (name: string) => {
    const text = memberIn(body, name);
    return text?.values == null && !text?.formats.some((format) => format.startsWith('date'));
  };
  const texts = Object.entries(one.sent).filter(
    ([name, value]) => typeof value === 'string' && /\w/.test(value) && isName(name),
  );
  const isShared = ([name, value]: readonly [string, Json]) => sameJson(value, other.sent[name] ?? null);
  return (
    Object.values(one.sent).some((value) => sameJson(value, one.id)) ||
    texts.some(isShared) ||
    (texts.length === 0 && Object.entries(one.sent).some((each) => isReference(each[0]) && isShared(each)))
  );
};

/** RES-1: resources that are created at once are all kept. */
const canBeRead = async (
  workshop: Workshop,
  collection: Collection,
  together: readonly Created[],
  context: CheckContext,
): Promise<void> => {
  for (const created of together) {
    const read = await settled(
      context,
      () => readNow(workshop, collection, created.found, context),
      (response) => response === null || !isGone(response),
    );
    if (read !== null && isGone(read))
      return breachStatus(context, 'RES-1', 'creation', read, {
        expected: ['2xx'],
        origin: together.map(({ response }) => response),
      });
  }
};
