import type { Json, JsonObject } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { invalidObjects } from './invalid.ts';
import { isSum, judgeListed, judgeWholeTotal } from './listed-values.ts';
import { hasNext, type Listed, listAll, pageOf, totalIn } from './listing.ts';
import type { OperationUnderTest } from './operations.ts';
import { isReference, valueAt, withValueAt } from './ordinary.ts';
import { isSameValue, pagingOf } from './relations.ts';
import { keyOf } from './request.ts';
import { claimsIn, resourceBodyOf } from './resource-bodies.ts';
import { idOf, itemsIn, withId } from './resource-shapes.ts';
import {
  type CollectionUnderTest,
  type Created,
  createIn,
  ordinaryFor,
  parentOf,
  removeFrom,
  sendTo,
} from './resources.ts';
import { isDone, isInvalid, isSuccess } from './responses.ts';
import { breachList, type Scenario, settled } from './scenario.ts';

/** Values that the document lists for members, other than the ordinary ones: a second resource that a hidden filter of the list may treat differently. */
export const otherValues = (collection: CollectionUnderTest): JsonObject => {
  const body = resourceBodyOf(collection, collection.create);
  const claims = claimsIn(body).flatMap(({ steps, value }): [string, Json][] => {
    const usual = valueAt(body?.ordinary?.json ?? null, steps);
    const [name = '', ...below] = steps;
    return below.length === 0 && value !== undefined && isListed(value, usual) ? [[name, value]] : [];
  });
  return Object.fromEntries(claims.toArray().toReversed());
};

/** A boolean, or one of several texts that are listed: not a text at a bound. */
const isListed = (value: Json, usual: Json | undefined): boolean =>
  typeof value === 'boolean' ||
  [value, usual].every((each) => typeof each === 'string' && /^[\w-]{1,24}$/.test(each));

/** A new resource has a state that the server set and no listed one has: a draft is not in a list of what was published. */
const hasStateOfItsOwn = ({ id, sent, resource }: Created, { items }: Listed): boolean =>
  Object.entries(resource).some(
    ([name, value]) =>
      !sameJson(value, id) &&
      (!(name in sent) || !isSameValue(sent[name], value)) &&
      (typeof value === 'boolean' || value === null || (typeof value === 'string' && isWord(value))) &&
      !items.some((item) => sameJson(item[name] ?? null, value)),
  );

const isWord = (text: string): boolean => /^[a-z][a-z_ -]{1,23}$/i.test(text);

/** RES-4: a list has what was created, and each id once. */
export const lists: Scenario = async (collection, [exercised]) => {
  const first = await createIn(collection);
  // The name that a client chose may not be in the resource.
  if (idOf(first.resource, collection) === null && collection.create.method === 'PUT') return;
  const isShown = (created: Created) => (listed: Listed | null) =>
    listed?.isComplete !== true || withId(listed, created.id, collection) !== undefined;
  const look = () => listAll(collection);
  const listed = await settled(collection, look, isShown(first));
  if (listed === null) return;
  if (!listed.isComplete) return judgeTotal(collection, listed);
  const ids = listed.items.flatMap((item) => idOf(item, collection) ?? []);
  const twice = ids.find((id, index) => ids.findIndex((other) => sameJson(id, other)) !== index);
  // Requests for several pages may overlap when something is created in between.
  const page = itemsIn(listed.response.json) ?? [];
  const isTwice = (item: JsonObject) => isSameValue(twice, idOf(item, collection) ?? undefined);
  if (twice !== undefined && page.filter(isTwice).length > 1)
    return breachList(collection, listed, 'listed twice', `${twice}`);
  if (isShown(first)(listed)) {
    judgeListed(collection, listed, first);
    await judgeWholeTotal(collection, listed, look);
    return judgePageTotal(collection, exercised, listed);
  }
  const second = await createIn(collection, { changes: otherValues(collection) });
  const again = await settled(collection, look, (now) => isShown(second)(now) || isShown(first)(now));
  if (again === null || isShown(second)(again) || isShown(first)(again)) return;
  if (hasStateOfItsOwn(second, again)) return;
  breachList(collection, again, 'created missing', `${second.id}`, [second.response]);
};

/**
 * RES-4: a list that is not full has all resources, so its total is their number. Another creation that makes the list longer shows that the page
 * is not full.
 */
const judgeTotal = async (collection: CollectionUnderTest, listed: Listed): Promise<void> => {
  const isShort = (list: Listed) => {
    const total = totalIn(list.response) ?? 0n;
    return total > BigInt(list.items.length) && !hasNext(list.response) && !isSum(total, list);
  };
  if (!isShort(listed)) return;
  const created = await createIn(collection);
  const now = await settled(
    collection,
    () => listAll(collection),
    (longer) => longer !== null && !isShort(longer),
  );
  if (now === null || !isShort(now) || now.items.length <= listed.items.length) return;
  if (withId(now, created.id, collection) !== undefined)
    breachList(collection, now, 'wrong total', `${totalIn(now.response)}`);
};

/** RES-4: the total of a page is that of the list. */
const judgePageTotal = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
  listed: Listed,
): Promise<void> => {
  const total = totalIn(listed.response);
  if (total === null || isSum(total, listed)) return;
  const { size } = pagingOf(exercised.operation, collection.document.root);
  if (size === null || listed.items.length < 2) return;
  const page = await pageOf(collection, exercised, { [keyOf(size)]: 1n });
  if (isSuccess(page.response) && page.items.length === 1 && totalIn(page.response) === 1n)
    breachList(collection, page, 'wrong total', '1');
};

/** RES-3: a deleted resource is no longer listed, unless it can still be read. */
export const unlists: Scenario = async (collection, [exercised]) => {
  if (collection.helperAs(collection.list) === null) return;
  const other = await createIn(collection);
  const created = await createIn(collection);
  const itemIn = (listed: Listed, { id }: Created) => withId(listed, id, collection);
  const before = await listAll(collection);
  const was = before === null ? undefined : itemIn(before, created);
  if (before === null || was === undefined) return;
  const removal = await removeFrom(collection, exercised, created);
  if (!isDone(removal)) return;
  const after = await settled(
    collection,
    () => listAll(collection),
    (now) => now === null || (itemIn(now, created) === undefined && itemIn(now, other) !== undefined),
  );
  if (after === null) return;
  const item = itemIn(after, created);
  if (item === undefined) collection.context.passed();
  else if (sameJson(item, was)) breachList(collection, after, 'deleted listed', `${created.id}`, [removal]);
  if (after.isComplete && itemIn(before, other) !== undefined && itemIn(after, other) === undefined)
    breachList(collection, after, 'created missing', `${other.id}`, [removal]);
};

/** RES-8: a refused creation stores nothing. It is recognized by a text that nothing else has. */
export const storesNothingRefused: Scenario = async (collection, [exercised]) => {
  if (collection.helperAs(collection.list) === null) return;
  const found = await parentOf(collection);
  const body = resourceBodyOf(collection, collection.create);
  const mark = body?.ordinary?.slots.find(
    ({ steps, name, isUnique }) => steps.length === 1 && !isReference(name) && isUnique,
  );
  const [member] = mark?.steps ?? [];
  if (member === undefined) return;
  const place = [...(body?.steps ?? []), member];
  const usual = valueAt(body?.ordinary?.json ?? null, [member]);
  const invalid = invalidObjects(exercised).find(({ json }) =>
    sameJson(valueAt(json, place) ?? null, usual ?? null),
  );
  const fresh = await ordinaryFor(collection, exercised, found);
  if (invalid === undefined || fresh === null) return;
  const text = fresh[member];
  const response = await sendTo(collection, exercised, found, {
    label: invalid.label,
    body: { json: withValueAt(invalid.json, place, text ?? null) },
    inputSpace: 'undocumented',
  });
  if (!isInvalid(response)) return;
  const listed = await listAll(collection);
  if (listed === null) return;
  if (text !== undefined && listed.items.some((item) => sameJson(item[member] ?? null, text)))
    breachList(collection, listed, 'refused listed', member, [response]);
  else if (listed.isComplete) collection.context.passed();
};
