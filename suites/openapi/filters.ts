import type { ApiDocument } from '../../src/check/document.ts';
import type { CheckContext, Json } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { compileSchema } from '../../src/check/schemas.ts';
import { type Listed, listAll } from './listing.ts';
import { hasId, otherValues } from './lists.ts';
import { normalize } from './names.ts';
import { isReference, usualAlternative } from './ordinary.ts';
import { type Collection, type Filter, filtersFor, isSameValue, matches } from './relations.ts';
import { keyOf } from './request.ts';
import { resourceIn } from './resource-shapes.ts';
import {
  type Created,
  createIn,
  isSuccess,
  parentOf,
  readNow,
  sendResource,
  type Workshop,
} from './resources.ts';
import { breachList, type Scenario, settled } from './scenario.ts';

/** RES-5: a filter returns only matches, and every match that the whole list has. */
export const filters: Scenario = async (workshop, collection, context) => {
  const exercised = workshop.exercisedAs(collection.list);
  if (exercised === null || collection.list === null) return;
  const found = await parentOf(workshop, collection, context);
  const first = await createIn(workshop, collection, context, { found });
  // With one reference in all resources, a list that ignores it would not show.
  const isOwnId = ({ member }: Filter) =>
    [normalize(collection.id.name), 'id', 'uuid'].includes(normalize(member));
  const references = filtersFor(collection.list, first.resource, workshop.document.root).filter(
    (filter) => isReference(filter.member) && !isOwnId(filter),
  );
  if (references.length > 0) workshop.existing.renew();
  const second = await withOtherState(
    workshop,
    collection,
    await createIn(workshop, collection, context, { found, changes: otherValues(workshop, collection) }),
    context,
  );
  const whole = await listAll(workshop, collection, found, context);
  if (whole === null) return;
  const look = ({ parameter, value }: Filter) =>
    listAll(workshop, collection, found, context, { [keyOf(parameter)]: value });
  for (const created of [first, second])
    for (const filter of filtersFor(collection.list, created.resource, workshop.document.root)) {
      if (isOwnId(filter) && isSameValue(filter.value, created.id)) continue;
      const about = `${filter.parameter.name}=${filter.value}`;
      const filtered = await settled(
        context,
        () => look(filter),
        (now) => now?.isComplete !== true || hasId(workshop, collection, now, created.id),
      );
      if (filtered === null) continue;
      const others = {
        document: workshop.document,
        list: (other: Json) => look({ ...filter, value: other }),
      };
      if (await isNotFiltered(filter, { filtered, whole }, others))
        return breachList(context, 'RES-5', filtered, { mistake: 'not filtered', about }, [created.response]);
      if (
        filtered.isComplete &&
        hasId(workshop, collection, whole, created.id) &&
        !hasId(workshop, collection, filtered, created.id)
      )
        return breachList(context, 'RES-5', filtered, { mistake: 'match missing', about }, [
          created.response,
        ]);
      context.passed('RES-5');
    }
};

/** The resource after updates of the listed values that it can be filtered by, so that it has others than a new one. */
const withOtherState = async (
  workshop: Workshop,
  collection: Collection,
  created: Created,
  context: CheckContext,
): Promise<Created> => {
  const exercised = workshop.exercisedAs(collection.change);
  const { list } = collection;
  if (exercised === null || list === null || collection.read === null) return created;
  for (const { parameter, member, value } of filtersFor(list, created.resource, workshop.document.root)) {
    const listed = usualAlternative(parameter.schema, workshop.document.root)?.values ?? [];
    if (member in created.sent && isSameValue(created.sent[member], value)) continue;
    for (const other of listed.filter((each) => !sameJson(each, value)).slice(0, mostStates))
      await sendResource(
        workshop,
        exercised,
        created.found,
        { [member]: other },
        context,
        {},
        'undocumented',
      );
  }
  const read = await readNow(workshop, collection, created.found, context);
  const resource = read !== null && isSuccess(read) ? resourceIn(read.json) : null;
  return resource === null ? created : { ...created, resource };
};

const mostStates = 2;

/** A text that no resource has. */
const unknownText = 'zzqx9k7w';

/** The place of a value in an order: of numbers, of times, or of the listed values. Null: it has none. */
const rankIn = (listed: readonly Json[], value: Json | undefined): number | null => {
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
  if (listed.length > 0) {
    const at = listed.findIndex((each) => `${each}` === `${value}`);
    return at < 0 ? null : at;
  }
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) return Date.parse(value);
  return null;
};

/**
 * Whether a list ignores its filter. A filter may be a bound (at least this level, also archived ones) or a search for similar texts: then
 * another value shows that it is none.
 */
const isNotFiltered = async (
  filter: Filter,
  { filtered, whole }: { readonly filtered: Listed; readonly whole: Listed },
  { document, list }: { readonly document: ApiDocument; list(value: Json): Promise<Listed | null> },
): Promise<boolean> => {
  const { parameter, member, value } = filter;
  const wrongIn = ({ items }: Listed, wanted: Json) =>
    items.flatMap((item) =>
      matches(item[member], { ...filter, value: wanted }) ? [] : [item[member] ?? null],
    );
  const wrong = wrongIn(filtered, value);
  if (wrong.length === 0) return false;
  const flat = usualAlternative(parameter.schema, document.root);
  const listed: readonly Json[] = flat?.kinds.has('boolean') ? [false, true] : (flat?.values ?? []);
  const usual = rankIn(listed, value);
  const isAbove = (each: Json) => (rankIn(listed, each) ?? Number.NaN) > (usual ?? 0);
  const isAllAbove = wrong.every(isAbove);
  if (usual !== null && !isAllAbove && wrong.some(isAbove)) return true;
  const ranked = (listed.length > 0 ? listed : whole.items.map((item) => item[member] ?? null))
    .filter((each) => rankIn(listed, each) !== null)
    .toSorted((one, other) => (rankIn(listed, one) ?? 0) - (rankIn(listed, other) ?? 0));
  const other = usual === null ? unknownText : (ranked.at(isAllAbove ? -1 : 0) ?? null);
  if (
    other === null ||
    sameJson(other, value) ||
    compileSchema(parameter.schema, document.root)(other).length > 0
  )
    return usual === null;
  const beside = await list(other);
  return beside !== null && wrongIn(beside, other).length > 0;
};
