import { isJsonObject, type Json } from '../../src/check/index.ts';
import { type Listed, totalIn } from './listing.ts';
import { isReference } from './ordinary.ts';
import { isHidden, isPart } from './own-values.ts';
import { differences, isSameValue } from './relations.ts';
import { withId } from './resource-shapes.ts';
import type { CollectionUnderTest, Created } from './resources.ts';
import { breachList, breachValue, settled } from './scenario.ts';

/** RES-4: a listed resource has the values of its creation. */
export const judgeListed = (collection: CollectionUnderTest, listed: Listed, created: Created): void => {
  const { sent, resource, id } = created;
  const item = withId(listed, id, collection) ?? {};
  const own = differences(sent, resource);
  const member = differences(sent, item).find(
    (name) => contradicts(sent[name], item[name]) && !own.includes(name) && !isReference(name),
  );
  if (member === undefined) collection.context.passed();
  else {
    const value = { member, expected: sent[member], got: item[member] };
    breachValue(collection, 'listing', listed.response, value, created);
  }
};

/** RES-4: the total of a whole list is the number of its resources. Something may be created between its pages. */
export const judgeWholeTotal = async (
  collection: CollectionUnderTest,
  listed: Listed,
  look: () => Promise<Listed | null>,
): Promise<void> => {
  const isWrong = (list: Listed | null): list is Listed => {
    const total = list?.isComplete === true ? totalIn(list.response) : null;
    return list !== null && total !== null && total !== BigInt(list.items.length) && !isSum(total, list);
  };
  if (!isWrong(listed)) return;
  const now = await settled(collection, look, (again) => !isWrong(again));
  if (isWrong(now)) breachList(collection, now, 'wrong total', `${totalIn(now.response)}`);
};

/** A list may show a part of a resource or of a text, or hide letters of a value. */
const contradicts = (sent: Json | undefined, listed: Json | undefined): boolean => {
  if (sent === undefined || listed === undefined || typeof sent !== typeof listed) return false;
  if (Array.isArray(sent))
    return Array.isArray(listed) && sent.length === listed.length && !isSameValue(sent, listed);
  if (sent !== null && isJsonObject(sent))
    return (
      listed !== null &&
      isJsonObject(listed) &&
      Object.keys(sent).some((name) => contradicts(sent[name], listed[name]))
    );
  const isMasked = typeof listed === 'string' && isHidden(listed);
  return listed !== null && !isMasked && !isPart(sent, listed) && !isSameValue(sent, listed);
};

/** The total is that of a member, such as a price. */
export const isSum = (total: bigint, { items }: Listed): boolean =>
  [...new Set(items.flatMap((item) => Object.keys(item)))].some(
    (name) =>
      !isReference(name) &&
      items.reduce((sum, { [name]: value }) => sum + (Number(value) || 0), 0) === Number(total),
  );
