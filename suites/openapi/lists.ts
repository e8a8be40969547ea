import { type CheckContext, isJsonObject, type Json, type JsonObject } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { claimsOf } from './claims.ts';
import type { Found } from './existing.ts';
import { invalidObjects } from './invalid.ts';
import { isSum, judgeListed, judgeWholeTotal } from './listed-values.ts';
import { hasNext, type Listed, listAll, totalIn } from './listing.ts';
import { isReference, valueAt, withValueAt } from './ordinary.ts';
import { type Collection, isSameValue, pagingOf } from './relations.ts';
import { keyOf } from './request.ts';
import { resourceBodyOf } from './resource-bodies.ts';
import { idOf, itemsIn } from './resource-shapes.ts';
import {
  type Created,
  createIn,
  forgetId,
  isSuccess,
  ordinaryFor,
  parentOf,
  sendTo,
  type Workshop,
} from './resources.ts';
import { breachList, type Scenario, settled } from './scenario.ts';
import { plain } from './valid.ts';

export const hasId = (workshop: Workshop, collection: Collection, { items }: Listed, id: Json): boolean =>
  items.some((item) => isSameValue(id, idOf(item, collection, workshop.document.root) ?? undefined));

/** Values that the document lists for members, other than the ordinary ones: a second resource that a hidden filter of the list may treat differently. */
export const otherValues = (workshop: Workshop, { create }: Collection): JsonObject => {
  const body = resourceBodyOf(workshop, create);
  if (body === null || body.ordinary === null) return {};
  const { ordinary } = body;
  const claims = claimsOf(ordinary, body.schema, body.root).flatMap(
    ({ steps: [name = '', ...below], value }): [string, Json][] =>
      below.length === 0 && value !== undefined && isListed(value, ordinary.json, name)
        ? [[name, value]]
        : [],
  );
  return Object.fromEntries(claims.toArray().toReversed());
};

/** A boolean, or one of several texts that are listed: not a text at a bound. */
const isListed = (value: Json, ordinary: Json, name: string): boolean => {
  const usual = isJsonObject(ordinary) ? ordinary[name] : undefined;
  return (
    typeof value === 'boolean' ||
    (typeof value === 'string' &&
      typeof usual === 'string' &&
      /^[\w-]{1,24}$/.test(value) &&
      /^[\w-]{1,24}$/.test(usual))
  );
};

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
export const lists: Scenario = async (workshop, collection, context) => {
  if (workshop.exercisedAs(collection.list) === null) return;
  const found = await parentOf(workshop, collection, context);
  const first = await createIn(workshop, collection, context, { found });
  // The name that a client chose may not be in the resource.
  if (idOf(first.resource, collection, workshop.document.root) === null && collection.create.method === 'PUT')
    return;
  const isShown = (created: Created) => (listed: Listed | null) =>
    listed === null || !listed.isComplete || hasId(workshop, collection, listed, created.id);
  const look = () => listAll(workshop, collection, found, context);
  const listed = await settled(context, look, isShown(first));
  if (listed !== null && !listed.isComplete)
    return judgeTotal(workshop, collection, { listed, found }, context);
  if (listed === null) return;
  const ids = listed.items.flatMap((item) => idOf(item, collection, workshop.document.root) ?? []);
  const twice = ids.find((id, index) => ids.findIndex((other) => sameJson(id, other)) !== index);
  if (twice !== undefined) {
    // Requests for several pages may overlap when something is created in between.
    const page = itemsIn(listed.response.json) ?? [];
    if (
      page.filter((item) => isSameValue(twice, idOf(item, collection, workshop.document.root) ?? undefined))
        .length > 1
    )
      return breachList(context, 'RES-4', listed, { mistake: 'listed twice', about: `${twice}` });
  }
  if (isShown(first)(listed)) {
    judgeListed(workshop, collection, listed, first, context);
    await judgeWholeTotal(listed, look, context);
    return judgePageTotal(workshop, collection, { listed, found }, context);
  }
  const second = await createIn(workshop, collection, context, {
    found,
    changes: otherValues(workshop, collection),
  });
  const again = await settled(context, look, (now) => isShown(second)(now) || isShown(first)(now));
  if (again === null || isShown(second)(again) || isShown(first)(again)) return;
  if (hasStateOfItsOwn(second, again)) return;
  breachList(context, 'RES-4', again, { mistake: 'created missing', about: `${second.id}` }, [
    second.response,
  ]);
};

/**
 * RES-4: a list that is not full has all resources, so its total is their number. Another creation that makes the list longer shows that the page
 * is not full.
 */
const judgeTotal = async (
  workshop: Workshop,
  collection: Collection,
  { listed, found }: { readonly listed: Listed; readonly found: Found },
  context: CheckContext,
): Promise<void> => {
  const isShort = (list: Listed) => {
    const total = totalIn(list.response) ?? 0n;
    return total > BigInt(list.items.length) && !hasNext(list.response) && !isSum(total, list);
  };
  if (!isShort(listed)) return;
  const created = await createIn(workshop, collection, context, { found });
  const now = await settled(
    context,
    () => listAll(workshop, collection, found, context),
    (longer) => longer !== null && !isShort(longer),
  );
  if (now === null || !isShort(now) || now.items.length <= listed.items.length) return;
  if (hasId(workshop, collection, now, created.id))
    breachList(context, 'RES-4', now, { mistake: 'wrong total', about: `${totalIn(now.response)}` });
};

/** RES-4: the total of a page is that of the list. */
const judgePageTotal = async (
  workshop: Workshop,
  collection: Collection,
  { listed, found }: { readonly listed: Listed; readonly found: Found },
  context: CheckContext,
): Promise<void> => {
  const exercised = workshop.exercisedAs(collection.list);
  const total = totalIn(listed.response);
  if (exercised === null || collection.list === null || total === null || isSum(total, listed)) return;
  const { size } = pagingOf(collection.list, workshop.document.root);
  if (size === null || listed.items.length < 2) return;
  const values = { ...plain(exercised).values, [keyOf(size)]: 1n };
  const response = await sendTo(exercised, found, { values, body: null }, context);
  const items = itemsIn(response.json) ?? [];
  if (isSuccess(response) && items.length === 1 && totalIn(response) === 1n)
    breachList(context, 'RES-4', { response, items }, { mistake: 'wrong total', about: '1' });
};

/** RES-3: a deleted resource is no longer listed, unless it can still be read. */
export const unlists: Scenario = async (workshop, collection, context) => {
  const exercised = workshop.exercisedAs(collection.remove);
  if (exercised === null || workshop.helperAs(collection.list) === null) return;
  const found = await parentOf(workshop, collection, context);
  const other = await createIn(workshop, collection, context, { found });
  const created = await createIn(workshop, collection, context, { found });
  const look = () => listAll(workshop, collection, found, context);
  const before = await look();
  if (before === null || !hasId(workshop, collection, before, created.id)) return;
  const removal = await sendTo(exercised, created.found, { body: null }, context);
  if (!isSuccess(removal) || removal.status === 202) return;
  forgetId(collection, created.found, context);
  const after = await settled(
    context,
    look,
    (listed) =>
      listed === null ||
      (!hasId(workshop, collection, listed, created.id) && hasId(workshop, collection, listed, other.id)),
  );
  if (after === null) return;
  const item = after.items.find((each) =>
    isSameValue(created.id, idOf(each, collection, workshop.document.root) ?? undefined),
  );
  const was = before.items.find((each) =>
    isSameValue(created.id, idOf(each, collection, workshop.document.root) ?? undefined),
  );
  if (item !== undefined && was !== undefined && sameJson(item, was))
    breachList(context, 'RES-3', after, { mistake: 'deleted listed', about: `${created.id}` }, [removal]);
  else if (item === undefined) context.passed('RES-3');
  const isListed = (listed: Listed) => hasId(workshop, collection, listed, other.id);
  if (after.isComplete && isListed(before) && !isListed(after))
    breachList(context, 'RES-3', after, { mistake: 'created missing', about: `${other.id}` }, [removal]);
};

/** RES-8: a refused creation stores nothing. It is recognized by a text that nothing else has. */
export const storesNothingRefused: Scenario = async (workshop, collection, context) => {
  const exercised = workshop.exercisedAs(collection.create);
  if (exercised === null || workshop.helperAs(collection.list) === null) return;
  const found = await parentOf(workshop, collection, context);
  const body = resourceBodyOf(workshop, collection.create);
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
  const fresh = await ordinaryFor(workshop, exercised, found, context);
  if (invalid === undefined || fresh === null) return;
  const text = fresh[member];
  const response = await sendTo(
    exercised,
    found,
    { label: invalid.label, body: { json: withValueAt(invalid.json, place, text ?? null) } },
    context,
    'undocumented',
  );
  if (response.status !== 400 && response.status !== 422) return;
  const listed = await listAll(workshop, collection, found, context);
  if (listed === null) return;
  if (text !== undefined && listed.items.some((item) => sameJson(item[member] ?? null, text)))
    breachList(context, 'RES-8', listed, { mistake: 'refused listed', about: member }, [response]);
  else if (listed.isComplete) context.passed('RES-8');
};
