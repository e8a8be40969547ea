import type { Json } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { isReference } from './ordinary.ts';
import { memberIn, resourceBodyOf } from './resource-bodies.ts';
import { type CollectionUnderTest, type Created, createIn, removeFrom } from './resources.ts';
import { isGone, isSuccess } from './responses.ts';
import { breachStatus, readUntil, type Scenario } from './scenario.ts';

const atOnce = 3;

/** RES-7: each creation gets an id of its own. */
export const givesNewIds: Scenario = async (collection) => {
  const create = () => createIn(collection, { mayMerge: true });
  const earlier = [await create(), await create()];
  const together = await Promise.all(Array.from({ length: atOnce }, create));
  if (haveOwnIds(collection, [...earlier, ...together])) await canBeRead(collection, together);
};

/** RES-7: a resource that is created after a deletion does not get the id of one that is still there. */
export const givesFreeIds: Scenario = async (collection, [exercised]) => {
  const create = () => createIn(collection, { mayMerge: true });
  const [deleted, kept] = [await create(), await create()];
  if (!haveOwnIds(collection, [deleted, kept])) return;
  if (isSuccess(await removeFrom(collection, exercised, deleted)))
    haveOwnIds(collection, [kept, await create()]);
};

/** RES-7: judges ids of resources that exist at the same time. Returns whether they differ. */
const haveOwnIds = (collection: CollectionUnderTest, all: readonly Created[]): boolean => {
  const { context } = collection;
  const twice = all.find(({ id }, index) => all.findIndex((other) => sameJson(other.id, id)) !== index);
  if (twice === undefined) {
    context.passed();
    return true;
  }
  // A server may return the resource that it already has, but not for other values.
  const other = all.find((each) => each !== twice && sameJson(each.id, twice.id));
  if (other === undefined || sameJson(other.sent, twice.sent) || isNamedAlike(collection, other, twice))
    return false;
  context.breach({
    response: twice.response,
    problem: { rule: 'id-given-twice', id: twice.id },
    origin: [other.response.exchange],
  });
  return false;
};

/** The client chose the id, or the creations have a text in common that may name one resource. Without a text of their own, a reference may. */
const isNamedAlike = (collection: CollectionUnderTest, one: Created, other: Created): boolean => {
  const body = resourceBodyOf(collection, collection.create);
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
const canBeRead = async (collection: CollectionUnderTest, together: readonly Created[]): Promise<void> => {
  const origin = together.map(({ response }) => response);
  for (const created of together) {
    const read = await readUntil(collection, created, (response) => !isGone(response));
    if (read !== null && isGone(read))
      return breachStatus(collection, 'creation', read, {
        expected: ['2xx'],
        origin,
        requirement: 'RES-1',
      });
  }
};
