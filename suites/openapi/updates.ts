import type { ApiResponse, CheckContext, Json, JsonObject } from '../../src/check/index.ts';
import { compileSchema } from '../../src/check/schemas.ts';
import { claimsOf } from './claims.ts';
import { invalidObjects } from './invalid.ts';
import type { OperationUnderTest } from './operations.ts';
import { isReference, usualAlternative } from './ordinary.ts';
import { isPart, lettersOf } from './own-values.ts';
import { type Collection, differences, idOf, isSameValue, resourceIn } from './relations.ts';
import {
  type Created,
  createIn,
  isSuccess,
  ordinaryFor,
  parentOf,
  readNow,
  sendTo,
  type Workshop,
} from './resources.ts';
import { breachValue, type Scenario, settled } from './scenario.ts';
import { knownValuesOf } from './values.ts';

/** RES-2: a replacement, and a change of one member, show afterwards. */
export const showsUpdates: Scenario = async (workshop, collection, context) => {
  const found = await parentOf(workshop, collection, context);
  const other = await createIn(workshop, collection, context, { found });
  for (const operation of [collection.replace, collection.change]) {
    const exercised = workshop.exercisedAs(operation);
    if (exercised === null || operation === null) continue;
    const created = await createIn(workshop, collection, context, { found });
    const ordinary = await ordinaryFor(workshop, exercised, created.found, context);
    if (ordinary === null) continue;
    const isChange = operation.method === 'PATCH';
    let sent = isChange
      ? oneMember(workshop, collection, ordinary, created)
      : withOtherValues(exercised, withServerValues(exercised, ordinary, created), created);
    if (sent === null) continue;
    let response = await sendTo(exercised, created.found, { body: { json: sent } }, context);
    if (!isChange && !isSuccess(response)) {
      sent = withServerValues(exercised, ordinary, created);
      response = await sendTo(exercised, created.found, { body: { json: sent } }, context);
    }
    if (!isSuccess(response) || response.status === 202) continue;
    const own = differencesFrom(created.sent, created.resource);
    // The response to an update may be only a message.
    const isRead = workshop.helperAs(collection.read) !== null;
    const wrong = (shown: JsonObject | null): readonly string[] =>
      shown === null
        ? []
        : [
            ...differences(sent, shown).filter(
              (name) =>
                own(name) &&
                (isRead || name in shown) &&
                !isRewritten(sent[name], shown[name], created.resource[name]),
            ),
            ...(isChange
              ? differences(created.resource, shown).filter(
                  (name) => name in created.sent && !(name in sent) && own(name) && (isRead || name in shown),
                )
              : []),
          ];
    const read = await settled(
      context,
      () => readNow(workshop, collection, created.found, context),
      (after) => after === null || wrong(resourceIn(after.json)).length === 0,
    );
    const shown = resourceIn((read ?? response).json);
    const [member] = wrong(shown);
    if (member !== undefined && shown !== null && (read === null || isSuccess(read)))
      breachValue(
        context,
        'RES-2',
        'update',
        read ?? response,
        { member, expected: member in sent ? sent[member] : created.resource[member], got: shown[member] },
        created,
      );
    else context.passed('RES-2');
    await judgeOthers(workshop, collection, { response, sent, shown, created, other }, context);
  }
};

/** RES-2: an update changes neither the id nor another resource. */
const judgeOthers = async (
  workshop: Workshop,
  collection: Collection,
  {
    response,
    sent,
    shown,
    created,
    other,
  }: {
    readonly response: ApiResponse;
    readonly sent: JsonObject;
    readonly shown: JsonObject | null;
    readonly created: Created;
    readonly other: Created;
  },
  context: CheckContext,
): Promise<void> => {
  const { root } = workshop.document;
  const id = idOf(shown ?? undefined, collection, root);
  if (id !== null && !isSameValue(created.id, id))
    return breachValue(
      context,
      'RES-2',
      'update',
      response,
      { member: collection.id.name, expected: created.id, got: id },
      created,
    );
  const read = await readNow(workshop, collection, other.found, context);
  const now = read === null || !isSuccess(read) ? null : resourceIn(read.json);
  if (read === null || now === null) return;
  const taken = differencesFrom(other.sent, other.resource);
  const member = Object.keys(sent).find(
    (name) =>
      name in other.sent &&
      taken(name) &&
      !isSameValue(other.resource[name], now[name]) &&
      isSameValue(sent[name], now[name]),
  );
  if (member !== undefined)
    breachValue(
      context,
      'RES-2',
      'update of another',
      read,
      { member, expected: other.resource[member], got: now[member] },
      other,
    );
};

/** A counter of changes, and a text that follows from others, are the server's. */
const serverNames = /^_?(version|revision|rev|slug)$/i;

/** Members whose value is the client's, because the creation took it over. */
const differencesFrom = (sent: JsonObject, resource: JsonObject) => {
  const changed = differences(sent, resource);
  return (name: string): boolean => !changed.includes(name) && !isReference(name) && !serverNames.test(name);
};

/** A text that the update changed, but that the server writes in its own way. */
const isRewritten = (sent: Json | undefined, shown: Json | undefined, before: Json | undefined): boolean =>
  typeof sent === 'string' &&
  typeof shown === 'string' &&
  !/^\d{4}-\d\d-\d\d/.test(sent) &&
  !isSameValue(shown, before) &&
  !isPart(sent, shown) &&
  (lettersOf(sent) === lettersOf(shown) || !/^[\p{L}\p{N} ]+$/u.test(sent));

/** What a resource is, or whether it is the usual one, may be fixed at its creation. */
const fixedNames = /^(type|kind)$|default|primary/i;

/** The value with another one of its kind: the opposite, the next listed text, or a number beside it. */
const otherValue = (value: Json, listed: readonly Json[] | null): readonly Json[] => {
  if (listed !== null)
    return listed.filter((each) => typeof each === typeof value && each !== value).slice(0, 1);
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'bigint') return [value + 1n, value - 1n];
  return typeof value === 'number' ? [value + 1, value - 1] : [];
};

/** Other numbers, booleans, and listed texts than those of the creation: otherwise an update that loses them would not show. */
const withOtherValues = (
  { document, operation }: OperationUnderTest,
  ordinary: JsonObject,
  { sent, resource }: Created,
): JsonObject => {
  const { schema } = knownValuesOf({ document, operation });
  if (schema === null) return ordinary;
  const flat = usualAlternative(schema.schema, schema.root);
  const accepts = compileSchema(schema.schema, schema.root);
  const isOwn = differencesFrom(sent, resource);
  let body = ordinary;
  for (const [name, value] of Object.entries(ordinary)) {
    if (!(name in sent) || !isOwn(name) || fixedNames.test(name)) continue;
    const { values = null } = usualAlternative(flat?.properties.get(name) ?? true, schema.root) ?? {};
    const before = body;
    body =
      otherValue(value, values)
        .map((other) => ({ ...before, [name]: other }))
        .find((other) => accepts(other).length === 0) ?? before;
  }
  return body;
};

/** The values that the server set itself stay as they are: a state, or the version that the update is based on. */
const withServerValues = (
  { document, operation }: OperationUnderTest,
  ordinary: JsonObject,
  { sent, resource }: Created,
): JsonObject => {
  const { schema } = knownValuesOf({ document, operation });
  const isOwn = differencesFrom(sent, resource);
  const kept = Object.keys(ordinary).filter(
    (name) => name in sent && resource[name] !== undefined && !isOwn(name) && !isReference(name),
  );
  const all = { ...ordinary, ...Object.fromEntries(kept.map((name) => [name, resource[name] ?? null])) };
  return schema !== null && compileSchema(schema.schema, schema.root)(all).length === 0 ? all : ordinary;
};

/** One member with another value than the resource has: a text, otherwise a value that the document names. */
const oneMember = (
  { document }: Workshop,
  { change }: Collection,
  ordinary: JsonObject,
  { resource }: Created,
): JsonObject | null => {
  const isOther = (name: string, value: Json | undefined) =>
    !isReference(name) &&
    value !== undefined &&
    value !== null &&
    typeof value !== 'object' &&
    name in resource &&
    !isSameValue(value, resource[name]);
  const text = Object.entries(ordinary).find(
    ([name, value]) => typeof value === 'string' && isOther(name, value),
  );
  if (text !== undefined) return { [text[0]]: text[1] };
  const known = change === null ? null : knownValuesOf({ document, operation: change });
  const [body] = known?.body?.ordinary ?? [];
  if (body === undefined || known?.schema === null || known === null) return null;
  const claim = claimsOf(body, known.schema.schema, known.schema.root).find(
    ({ steps, value }) => steps.length === 1 && isOther(steps[0] ?? '', value),
  );
  const [name] = claim?.steps ?? [];
  return name === undefined || claim?.value === undefined ? null : { [name]: claim.value };
};

/** RES-8: a refused update leaves the resource as it was. */
export const refusesWithoutEffect: Scenario = async (workshop, collection, context) => {
  const found = await parentOf(workshop, collection, context);
  for (const operation of [collection.replace, collection.change]) {
    const exercised = workshop.exercisedAs(operation);
    if (exercised === null) continue;
    const created = await createIn(workshop, collection, context, { found });
    const before = await readNow(workshop, collection, created.found, context);
    const was = resourceIn(before?.json);
    if (before === null || !isSuccess(before) || was === null) return;
    for (const { json, label } of invalidObjects(exercised).slice(0, mostRefused)) {
      const response = await sendTo(
        exercised,
        created.found,
        { body: { json }, label },
        context,
        'undocumented',
      );
      if (response.status !== 400 && response.status !== 422) continue;
      const after = await readNow(workshop, collection, created.found, context);
      const shown = resourceIn(after?.json);
      const [member] = shown === null ? [] : differences(was, shown).filter((name) => name in created.sent);
      if (after !== null && isSuccess(after) && shown !== null && member !== undefined)
        return breachValue(
          context,
          'RES-8',
          'refusal',
          after,
          { member, expected: was[member], got: shown[member] },
          created,
        );
      context.passed('RES-8');
    }
  }
};

const mostRefused = 3;
