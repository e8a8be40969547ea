import type { Json } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { acceptedBy } from '../../src/check/schemas.ts';
import { type Listed, listAll } from './listing.ts';
import { otherValues } from './lists.ts';
import { normalize } from './names.ts';
import { isReference, usualAlternative } from './ordinary.ts';
import { type Filter, filtersFor, isNumber, isSameValue, matches, timeOf } from './relations.ts';
import { keyOf } from './request.ts';
import { withId } from './resource-shapes.ts';
import { type CollectionUnderTest, type Created, createIn, readNow, sendTo } from './resources.ts';
import { shownIn } from './responses.ts';
import { breachList, type Scenario, settled } from './scenario.ts';

/** RES-5: a filter returns only matches, and every match that the whole list has. */
export const filters: Scenario = async (collection, [{ operation: list }]) => {
  const { document, existing, context } = collection;
  const first = await createIn(collection);
  // With one reference in all resources, a list that ignores it would not show.
  const isOwnId = ({ member }: Filter) =>
    [normalize(collection.id.name), 'id', 'uuid'].includes(normalize(member));
  const hasReferences = filtersFor(list, first.resource, document.root).some(
    (filter) => isReference(filter.member) && !isOwnId(filter),
  );
  if (hasReferences) existing.renew();
  const other = await createIn(collection, { changes: otherValues(collection) });
  const second = await withOtherState(collection, other);
  const whole = await listAll(collection);
  if (whole === null) return;
  const look = ({ parameter, value }: Filter) => listAll(collection, { [keyOf(parameter)]: value });
  for (const created of [first, second])
    for (const filter of filtersFor(list, created.resource, document.root)) {
      if (isOwnId(filter) && isSameValue(filter.value, created.id)) continue;
      const isIn = (listed: Listed) => withId(listed, created.id, collection) !== undefined;
      const about = `${filter.parameter.name}=${filter.value}`;
      const filtered = await settled(
        collection,
        () => look(filter),
        (now) => now?.isComplete !== true || isIn(now),
      );
      if (filtered === null) continue;
      const withOther = (value: Json) => look({ ...filter, value });
      if (await isNotFiltered(filter, { filtered, whole, root: document.root }, withOther))
        return breachList(collection, filtered, 'not filtered', about, [created.response]);
      if (filtered.isComplete && isIn(whole) && !isIn(filtered))
        return breachList(collection, filtered, 'match missing', about, [created.response]);
      context.passed();
    }
};

/** The resource after updates of the listed values that it can be filtered by, so that it has others than a new one. */
const withOtherState = async (collection: CollectionUnderTest, created: Created): Promise<Created> => {
  const { list, document, change, read } = collection;
  const exercised = collection.exercisedAs(change);
  if (exercised === null || list === null || read === null) return created;
  for (const { parameter, member, value } of filtersFor(list, created.resource, document.root)) {
    const listed = usualAlternative(parameter.schema, document.root)?.values ?? [];
    if (member in created.sent && isSameValue(created.sent[member], value)) continue;
    for (const other of listed.filter((each) => !sameJson(each, value)).slice(0, mostStates))
      await sendTo(collection, exercised, created.found, {
        resource: { [member]: other },
        inputSpace: 'undocumented',
      });
  }
  const resource = shownIn(await readNow(collection, created.found));
  return resource === null ? created : { ...created, resource };
};

const mostStates = 2;

/** A text that no resource has. */
const unknownText = 'zzqx9k7w';

/** The place of a value in an order: of numbers, of times, or of the listed values. Null: it has none. */
const rankIn = (listed: readonly Json[], value: Json | undefined): number | null => {
  if (isNumber(value)) return Number(value);
  if (listed.length > 0) {
    const at = listed.findIndex((each) => `${each}` === `${value}`);
    return at < 0 ? null : at;
  }
  return timeOf(value);
};

/**
 * Whether a list ignores its filter. A filter may be a bound (at least this level, also archived ones) or a search for similar texts: then
 * another value shows that it is none.
 */
const isNotFiltered = async (
  filter: Filter,
  { filtered, whole, root }: { readonly filtered: Listed; readonly whole: Listed; readonly root: unknown },
  list: (value: Json) => Promise<Listed | null>,
): Promise<boolean> => {
  const { parameter, member, value } = filter;
  const wrongIn = ({ items }: Listed, wanted: Json) =>
    items.flatMap((item) =>
      matches(item[member], { ...filter, value: wanted }) ? [] : [item[member] ?? null],
    );
  const wrong = wrongIn(filtered, value);
  if (wrong.length === 0) return false;
  const flat = usualAlternative(parameter.schema, root);
  const listed: readonly Json[] = flat?.kinds.has('boolean') ? [false, true] : (flat?.values ?? []);
  const usual = rankIn(listed, value);
  const isAbove = (each: Json) => (rankIn(listed, each) ?? Number.NaN) > (usual ?? 0);
  const isAllAbove = wrong.every(isAbove);
  if (usual !== null && !isAllAbove && wrong.some(isAbove)) return true;
  const ranked = (listed.length > 0 ? listed : whole.items.map((item) => item[member] ?? null))
    .filter((each) => rankIn(listed, each) !== null)
    .toSorted((one, other) => (rankIn(listed, one) ?? 0) - (rankIn(listed, other) ?? 0));
  const other = usual === null ? unknownText : (ranked.at(isAllAbove ? -1 : 0) ?? null);
  if (other === null || sameJson(other, value) || !acceptedBy(parameter.schema, root)(other))
    return usual === null;
  const beside = await list(other);
  return beside !== null && wrongIn(beside, other).length > 0;
};
