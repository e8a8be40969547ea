import type { Operation } from '../../src/check/document.ts';
import type { Json, JsonObject } from '../../src/check/index.ts';
import { acceptedBy, type JsonSchema } from '../../src/check/schemas.ts';
import { ownMembers } from './bystanders.ts';
import { defaultsOf } from './kept-values.ts';
import { isSameValue } from './relations.ts';
import { memberIn, membersShown, resourceBodyOf } from './resource-bodies.ts';
import { resourceIn } from './resource-shapes.ts';
import { type CollectionUnderTest, type Created, createIn, ordinaryFor, sendTo } from './resources.ts';
import { isDone, shownIn } from './responses.ts';
import { breachValue, readUntil, type Scenario } from './scenario.ts';
import { valuesBeside } from './updates.ts';

/** How many members are set to null. */
const mostNulls = 2;

/** JSON Merge Patch: null removes a member (RFC 7396, 2). */
const isMergePatch = ({ requestBody }: Operation): boolean =>
  /^application\/merge-patch\+json\b/i.test(requestBody?.mediaType ?? '');

/**
 * The members that a change may set to null, and that a resource shows as null. If a change accepts null for a member that is never null in a
 * resource, null may mean in it that the member is not sent, unless it is a merge patch.
 */
const nullableMembers = (collection: CollectionUnderTest): readonly string[] => {
  const { change, read, document } = collection;
  const body = resourceBodyOf(collection, change);
  const shown = membersShown(collection, read);
  if (change === null || body === null || shown === null) return [];
  const takesNull = (schema: JsonSchema | undefined, root: unknown) =>
    schema !== undefined && acceptedBy(schema, root)(null);
  const sent = [...body.members].flatMap(([name, schema]) => (takesNull(schema, body.root) ? [name] : []));
  const isPlain =
    isMergePatch(change) ||
    sent.every((name) => !shown.has(name) || takesNull(shown.get(name), document.root));
  return isPlain ? sent.filter((name) => shown.has(name)) : [];
};

/** RES-2: a PATCH with null removes a value, and what a PUT leaves out has its default afterwards. */
export const removesValues: Scenario = async (collection) => {
  const { context, replace, change } = collection;
  const nullable = nullableMembers(collection);
  const defaults = replace === null ? [] : defaultsOf(collection, replace);
  if (nullable.length === 0 && defaults.length === 0) return;
  const created = await createIn(collection);
  const isOwn = ownMembers(created);
  const hasValue = (name: string) => isOwn(name) && (created.sent[name] ?? null) !== null;
  for (const member of nullable.filter(hasValue).slice(0, mostNulls)) {
    const shown = await after(collection, change, created, { [member]: null });
    if (shown === null) continue;
    const got = shown.resource[member];
    if (got !== undefined && got !== null && isSameValue(created.resource[member], got))
      breachValue(collection, 'update', shown.response, { member, expected: null, got }, created);
    else context.passed();
  }
  if (defaults.length > 0) await judgeDefaults(collection, created, defaults);
};

/** The resource after an update with the values; null: it is not updated, or it cannot be read. */
const after = async (
  collection: CollectionUnderTest,
  operation: Operation | null,
  created: Created,
  resource: JsonObject,
) => {
  const exercised = collection.exercisedAs(operation);
  if (exercised === null || resourceBodyOf(collection, exercised.operation)?.accepts(resource) !== true)
    return null;
  const response = await sendTo(collection, exercised, created.found, { resource });
  if (!isDone(response)) return null;
  const isAsSent = (shown: JsonObject | null) =>
    Object.entries(resource).every(([name, value]) => isSameValue(value, shown?.[name]));
  const read = await readUntil(collection, created, ({ json }) => isAsSent(resourceIn(json)));
  const now = shownIn(read);
  return read === null || now === null ? null : { resource: now, response: read };
};

/** The document gives the value of what a replacement leaves out. The server must take over another value there first. */
const judgeDefaults = async (
  collection: CollectionUnderTest,
  created: Created,
  defaults: readonly (readonly [name: string, value: Json])[],
): Promise<void> => {
  const { replace } = collection;
  const exercised = collection.exercisedAs(replace);
  const ordinary = exercised === null ? null : await ordinaryFor(collection, exercised, created.found);
  if (exercised === null || ordinary === null) return;
  const others = otherThan(collection, exercised.operation, ordinary, defaults);
  const given = await after(collection, replace, created, { ...ordinary, ...others });
  if (given === null) return;
  const rest = Object.fromEntries(Object.entries(ordinary).filter(([name]) => !(name in others)));
  const left = await after(collection, replace, created, rest);
  if (left === null) return;
  for (const [member, expected] of defaults) {
    const got = left.resource[member];
    const isTakenOver = member in others && isSameValue(others[member], given.resource[member]);
    if (!isTakenOver || isSameValue(expected, others[member])) continue;
    if (got !== undefined && isSameValue(others[member], got))
      return breachValue(collection, 'replacement', left.response, { member, expected, got }, created);
    collection.context.passed();
  }
};

/** Valid values of the members that are not their defaults. */
const otherThan = (
  collection: CollectionUnderTest,
  operation: Operation,
  ordinary: JsonObject,
  defaults: readonly (readonly [name: string, value: Json])[],
): JsonObject => {
  const body = resourceBodyOf(collection, operation);
  return Object.fromEntries(
    defaults.flatMap(([name, usual]): [string, Json][] => {
      const beside = valuesBeside(usual, memberIn(body, name)?.values ?? null);
      const other = [ordinary[name] ?? null, ...beside].find(
        (value) =>
          value !== null &&
          !isSameValue(usual, value) &&
          body?.accepts({ ...ordinary, [name]: value }) === true,
      );
      return other === undefined ? [] : [[name, other]];
    }),
  );
};
