import type { Operation } from '../../src/check/document.ts';
import type { CheckContext, Json, JsonObject } from '../../src/check/index.ts';
import { compileSchema } from '../../src/check/schemas.ts';
import { differencesFrom } from './bystanders.ts';
import { defaultsOf } from './kept-values.ts';
import { type Collection, isSameValue } from './relations.ts';
import { memberIn, membersShown, resourceBodyOf } from './resource-bodies.ts';
import { resourceIn } from './resource-shapes.ts';
import {
  type Created,
  createIn,
  isSuccess,
  ordinaryFor,
  parentOf,
  readNow,
  sendResource,
  type Workshop,
} from './resources.ts';
import { breachValue, type Scenario, settled } from './scenario.ts';

/** How many members are set to null. */
const mostNulls = 2;

/** JSON Merge Patch: null removes a member (RFC 7396, 2). */
const isMergePatch = ({ requestBody }: Operation): boolean =>
  /^application\/merge-patch\+json\b/i.test(requestBody?.mediaType ?? '');

/**
 * The members that a change may set to null, and that a resource shows as null. If a change accepts null for a member that is never null in a
 * resource, null may mean in it that the member is not sent, unless it is a merge patch.
 */
const nullableMembers = (workshop: Workshop, { change, read }: Collection): readonly string[] => {
  const body = change === null ? null : resourceBodyOf(workshop, change);
  const shown = read === null ? null : membersShown(workshop, read);
  if (change === null || body === null || shown === null) return [];
  const takesNull = (schema: Parameters<typeof compileSchema>[0] | undefined, root: unknown) =>
    schema !== undefined && compileSchema(schema, root)(null).length === 0;
  const sent = [...body.members].flatMap(([name, schema]) => (takesNull(schema, body.root) ? [name] : []));
  const isPlain =
    isMergePatch(change) ||
    sent.every((name) => !shown.has(name) || takesNull(shown.get(name), workshop.document.root));
  return isPlain ? sent.filter((name) => shown.has(name)) : [];
};

/** RES-2: a PATCH with null removes a value, and what a PUT leaves out has its default afterwards. */
export const removesValues: Scenario = async (workshop, collection, context) => {
  const nullable = nullableMembers(workshop, collection);
  const defaults = collection.replace === null ? [] : defaultsOf(workshop, collection.replace);
  if (nullable.length === 0 && defaults.length === 0) return;
  const found = await parentOf(workshop, collection, context);
  const created = await createIn(workshop, collection, context, { found });
  const isOwn = differencesFrom(created.sent, created.resource);
  const hasValue = (name: string) => isOwn(name) && (created.sent[name] ?? null) !== null;
  for (const member of nullable.filter(hasValue).slice(0, mostNulls)) {
    const shown = await after(workshop, collection, collection.change, created, { [member]: null }, context);
    if (shown === null) continue;
    const got = shown.resource[member];
    if (got !== undefined && got !== null && isSameValue(created.resource[member], got))
      breachValue(context, 'RES-2', 'update', shown.response, { member, expected: null, got }, created);
    else context.passed('RES-2');
  }
  await judgeDefaults(workshop, collection, created, defaults, context);
};

/** The resource after an update with the values; null: it is not updated, or it cannot be read. */
const after = async (
  workshop: Workshop,
  collection: Collection,
  operation: Operation | null,
  created: Created,
  values: JsonObject,
  context: CheckContext,
) => {
  const exercised = workshop.exercisedAs(operation);
  if (exercised === null || operation === null) return null;
  if (resourceBodyOf(workshop, operation)?.accepts(values) !== true) return null;
  const response = await sendResource(workshop, exercised, created.found, values, context);
  if (!isSuccess(response) || response.status === 202) return null;
  const isAsSent = (resource: JsonObject | null) =>
    Object.entries(values).every(([name, value]) => isSameValue(value, resource?.[name]));
  const read = await settled(
    context,
    () => readNow(workshop, collection, created.found, context),
    (now) => now === null || isAsSent(resourceIn(now.json)),
  );
  const resource = read !== null && isSuccess(read) ? resourceIn(read.json) : null;
  return read === null || resource === null ? null : { resource, response: read };
};

/** The document gives the value of what a replacement leaves out. The server must take over another value there first. */
const judgeDefaults = async (
  workshop: Workshop,
  collection: Collection,
  created: Created,
  defaults: readonly (readonly [name: string, value: Json])[],
  context: CheckContext,
): Promise<void> => {
  const { replace } = collection;
  const exercised = workshop.exercisedAs(replace);
  if (exercised === null || replace === null || defaults.length === 0) return;
  const ordinary = await ordinaryFor(workshop, exercised, created.found, context);
  if (ordinary === null) return;
  const others = otherThan(workshop, replace, ordinary, defaults);
  const given = await after(workshop, collection, replace, created, { ...ordinary, ...others }, context);
  if (given === null) return;
  const names = Object.keys(others);
  const rest = Object.fromEntries(Object.entries(ordinary).filter(([name]) => !names.includes(name)));
  const left = await after(workshop, collection, replace, created, rest, context);
  if (left === null) return;
  for (const [member, expected] of defaults) {
    const got = left.resource[member];
    const isTakenOver = member in others && isSameValue(others[member], given.resource[member]);
    if (!isTakenOver || isSameValue(expected, others[member])) continue;
    if (got !== undefined && isSameValue(others[member], got))
      return breachValue(context, 'RES-2', 'replacement', left.response, { member, expected, got }, created);
    context.passed('RES-2');
  }
};

/** Valid values of the members that are not their defaults. */
const otherThan = (
  workshop: Workshop,
  operation: Operation,
  ordinary: JsonObject,
  defaults: readonly (readonly [name: string, value: Json])[],
): JsonObject => {
  const body = resourceBodyOf(workshop, operation);
  return Object.fromEntries(
    defaults.flatMap(([name, usual]): [string, Json][] => {
      const listed = memberIn(body, name)?.values ?? [];
      const numbers = typeof usual === 'bigint' ? [usual + 1n, usual - 1n] : [];
      const candidates = [
        ordinary[name] ?? null,
        ...(typeof usual === 'boolean' ? [!usual] : []),
        ...listed,
        ...numbers,
      ];
      const other = candidates.find(
        (value) =>
          !isSameValue(usual, value) &&
          body?.accepts({ ...ordinary, [name]: value }) === true &&
          value !== null,
      );
      return other === undefined ? [] : [[name, other]];
    }),
  );
};
