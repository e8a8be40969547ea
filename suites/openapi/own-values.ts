import type { Operation } from '../../src/check/document.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { type FlatSchema, propertySchema } from '../../src/check/schemas.ts';
import { defaultsIn, isReference, usualAlternative, valueAt } from './ordinary.ts';
import { differences, isNumber, isSameValue, timeOf } from './relations.ts';
import { memberIn, resourceBodyOf } from './resource-bodies.ts';
import { type CollectionUnderTest, type Created, sendTo, type Workshop } from './resources.ts';
import { shownIn } from './responses.ts';

/** Whether a successful response of an operation has the member, in its object or in one within. */
const shows = ({ document: { root } }: Workshop, operation: Operation | null, member: string): boolean =>
  operation?.responses.some(({ status, schema }) => {
    const members = [...(usualAlternative(schema ?? true, root)?.properties ?? [])];
    const inner = members.flatMap(([, each]) => [...(usualAlternative(each, root)?.properties.keys() ?? [])]);
    return status.startsWith('2') && [...members.map(([name]) => name), ...inner].includes(member);
  }) === true;

const isObject = (value: Json | undefined): boolean => typeof value === 'object' && value !== null;

const isNothing = (value: Json | undefined): boolean => value === undefined || value === null;

/** Letters and digits only: a server may write a text as part of an address, or a number without its spaces. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The beginning of a text, or some items of a list: the server takes the value over, and loses the rest. */
export const isPart = (sent: Json | undefined, got: Json | undefined): boolean =>
  Array.isArray(sent)
    ? Array.isArray(got) &&
      got.length > 0 &&
      got.length < sent.length &&
      got.every((item) => sent.some((other) => isSameValue(other, item)))
    : typeof sent === 'string' && typeof got === 'string' && got.length > 2 && sent.startsWith(got);

/** A text whose letters are hidden in part. */
export const isHidden = (text: string): boolean => /[*•…]|\.\.\./.test(text);

/** Formats with one form, or with forms that `isSameValue` knows. */
const oneForm: readonly string[] = ['date', 'date-time', 'email', 'uuid'];

/** What the document says of a place in a creation. */
const describedAs = (collection: CollectionUnderTest, [member = '', ...below]: readonly string[]) => {
  const body = resourceBodyOf(collection, collection.create);
  let flat = memberIn(body, member);
  let isRequired = body?.isRequired(member) === true;
  for (const step of below) {
    isRequired = flat?.required.has(step) === true;
    flat = flat === null ? null : usualAlternative(propertySchema(flat, step), body?.root);
  }
  return {
    isWriteOnly: isWriteOnly(flat?.sources ?? []),
    isRequired,
    /** A text in a form of its own may be written in another one that means the same. */
    hasForm:
      flat !== null && (flat.patterns.length > 0 || flat.formats.some((format) => !oneForm.includes(format))),
    isDefault: (value: Json | undefined) =>
      value !== undefined && defaultsIn(flat).some((usual) => sameJson(usual, value)),
  };
};

const isWriteOnly = (sources: FlatSchema['sources']): boolean =>
  sources.some((source) => 'writeOnly' in source && source.writeOnly === true);

/** A member that the document keeps from responses, such as a password, and that is shown. Undefined: none is. */
export const shownSecret = (
  collection: CollectionUnderTest,
  { sent }: Created,
  shown: JsonObject,
): string | undefined => {
  const body = resourceBodyOf(collection, collection.create);
  return Object.keys(sent).find((name) => {
    const { sources = [] } = memberIn(body, name) ?? {};
    return (
      typeof sent[name] === 'string' && isWriteOnly(sources) && sameJson(sent[name], shown[name] ?? null)
    );
  });
};

/** Whether the server lost a value: a required text or number, or a part of it. Null: it shows nothing or the default, which may be its own. */
const isLost = (
  { isRequired, hasForm, isDefault, isWriteOnly }: ReturnType<typeof describedAs>,
  value: Json | undefined,
  got: Json | undefined,
): boolean | null => {
  if (isWriteOnly) return false;
  if (typeof value === 'string' && typeof got === 'string') {
    if (hasForm || lettersOf(value) === lettersOf(got)) return false;
    return isRequired || isPart(value, got);
  }
  if (isNumber(value) && isNumber(got) && isRequired) return true;
  if (typeof value === 'string' && isRequired && !Array.isArray(got) && !isObject(got)) return true;
  if (isPart(value, got)) return true;
  return isNothing(got) || isDefault(got) ? null : false;
};

/**
 * Whether the value of a member is the client's, although the creation shows another one: the server lost it, or shows nothing or the default
 * instead of a value that an update takes over. A state that it sets itself is its own.
 */
export const isTakenOver = async (
  collection: CollectionUnderTest,
  { sent, found }: Created,
  member: string,
  got: Json | undefined,
): Promise<boolean> => {
  const { create, read, replace, change } = collection;
  const value = sent[member];
  const isDocumented = [create, read].some((each) => shows(collection, each, member));
  if (value === undefined || (got === undefined && !isDocumented)) return false;
  const lost = isLost(describedAs(collection, [member]), value, got);
  if (lost !== null) return lost;
  const isState = memberIn(resourceBodyOf(collection, create), member)?.values !== null;
  const update = replace ?? (isNothing(got) && !isState ? change : null);
  const exercised = collection.exercisedAs(update);
  if (exercised === null) return false;
  const resource = update === replace ? sent : { [member]: value };
  const updated = shownIn(await sendTo(collection, exercised, found, { resource }));
  return updated !== null && isSameValue(value, updated[member]);
};

/** The objects in a value, the outermost first, with their places. */
const objectsIn = function* (
  value: Json | undefined,
  steps: readonly string[],
): Generator<readonly string[]> {
  if (value === undefined || value === null || !isJsonObject(value)) return;
  yield steps;
  for (const [name, each] of Object.entries(value)) yield* objectsIn(each, [...steps, name]);
};

/**
 * The place of a value that the server lost within an object of the resource, such as the city of an address. It took over another value of the
 * object. What a reference beside it names may have values of its own. Undefined: there is none.
 */
export const lostWithin = (
  collection: CollectionUnderTest,
  { sent }: Created,
  member: string,
  shown: JsonObject,
): readonly string[] | undefined => {
  for (const steps of objectsIn(sent[member], [member])) {
    const [given, got] = [sent, shown].map((each) => valueAt(each, steps));
    if (given === undefined || got === undefined || !isJsonObject(given) || !isJsonObject(got)) continue;
    const names = Object.keys({ ...given, ...got });
    const lost = differences(given, got);
    if (names.some(isReference) || lost.length === Object.keys(given).length) continue;
    const name = lost.find(
      (each) =>
        each in got && isLost(describedAs(collection, [...steps, each]), given[each], got[each]) === true,
    );
    if (name !== undefined) return [...steps, name];
  }
  return undefined;
};

/**
 * A member that the creation shows with another value than was sent, although the resource has the value that was sent. A state, a number, and
 * a text in a form of its own may have changed in between. Undefined: there is none.
 */
export const misreported = (
  collection: CollectionUnderTest,
  { sent, resource }: Created,
  shown: JsonObject,
): string | undefined => {
  const body = resourceBodyOf(collection, collection.create);
  const isOther = (name: string, value: Json | undefined, got: Json | undefined): boolean => {
    if (typeof value !== typeof got || typeof value === 'object') return false;
    if (isReference(name)) return true;
    const { values = null, formats = [], patterns = [] } = memberIn(body, name) ?? {};
    const isFree = values === null && formats.length + patterns.length === 0;
    if (!isFree || typeof value !== 'string' || typeof got !== 'string') return false;
    return !isHidden(got) && !isPart(value, got) && lettersOf(value) !== lettersOf(got);
  };
  return differences(sent, resource).find(
    (name) => isSameValue(sent[name], shown[name]) && isOther(name, sent[name], resource[name]),
  );
};

/** Whether the server writes an ordinary text as it was sent. One that writes it in its own way may change others, too. */
export const isWrittenAsSent = (sent: Json | undefined, got: Json | undefined): boolean =>
  typeof sent !== 'string' ||
  typeof got !== 'string' ||
  timeOf(sent) !== null ||
  sent.trim().toLowerCase() === got.trim().toLowerCase();
