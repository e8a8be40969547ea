import { withoutSlash } from '../../src/check/creations.ts';
import type { Operation } from '../../src/check/document.ts';
import type { ApiResponse, CheckContext, Json, JsonObject } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { normalize } from './names.ts';
import { isSafe, type OperationUnderTest } from './operations.ts';
import { usualAlternative } from './ordinary.ts';
import { type Collection, isSameValue } from './relations.ts';
import { type GeneratedRequest, keyOf } from './request.ts';
import { membersShown } from './resource-bodies.ts';
import { idOf, resourceIn } from './resource-shapes.ts';
import {
  type Created,
  createIn,
  isSuccess,
  ordinaryFor,
  parentOf,
  readNow,
  sendResource,
  sendTo,
  type Workshop,
} from './resources.ts';
import { breachValue, type Scenario, settled } from './scenario.ts';
import { plain } from './valid.ts';

const mostActions = 5;

/** A trial shows what an action would do. */
const isTrial = (name: string): boolean =>
  /preview|dry|simul|valid|check|test|trial|try|estimat|quote|calcul|verif|render|compare|diff/i.test(name);

/** A state that a server leaves by itself, perhaps for the one before. */
const isTransient = (text: string): boolean =>
  /(ing|queued|started|accepted|requested|progress)$/i.test(text);

/** The operations that act on one resource: below its path, or a PATCH without a body. */
const actionsOn = ({ document }: Workshop, { item, change }: Collection): readonly Operation[] => [
  ...document.operations.filter((operation) => {
    const path = withoutSlash(operation.path);
    const below = path.startsWith(`${item}/`) ? path.slice(item.length + 1) : '';
    const isStep = below !== '' && !/[{/]/.test(below) && !isTrial(below);
    return isStep && !isSafe(operation) && operation.method !== 'DELETE';
  }),
  ...(change !== null && change.requestBody === null ? [change] : []),
];

/** RES-2: what an action returns as the new state of a resource can be read. */
export const actionsShow: Scenario = async (workshop, collection, context) => {
  const actions = actionsOn(workshop, collection).filter(
    (operation) => workshop.exercisedAs(operation) !== null,
  );
  if (actions.length === 0 || workshop.helperAs(collection.read) === null) return;
  const found = await parentOf(workshop, collection, context);
  // An action may need the state that the one before it leads to, or the first one.
  const chain = await createIn(workshop, collection, context, { found });
  for (const action of actions.slice(0, mostActions)) {
    const exercised = workshop.exercisedAs(action);
    if (exercised === null) continue;
    const isDone = await act(workshop, collection, exercised, chain, context);
    if (!isDone && action !== actions[0])
      await act(
        workshop,
        collection,
        exercised,
        await createIn(workshop, collection, context, { found }),
        context,
      );
  }
};

/** The query of an action, with another listed value of a member than the resource has. */
const queryOf = (
  { document: { root } }: Workshop,
  exercised: OperationUnderTest,
  before: JsonObject,
): GeneratedRequest['values'] => {
  let { values } = plain(exercised);
  for (const parameter of exercised.operation.parameters) {
    const member = Object.keys(before).find((name) => normalize(name) === normalize(parameter.name));
    const listed = usualAlternative(parameter.schema, root)?.values ?? [];
    const other =
      member === undefined ? undefined : listed.find((each) => !sameJson(each, before[member] ?? null));
    if (parameter.in === 'query' && other !== undefined) values = { ...values, [keyOf(parameter)]: other };
  }
  return values;
};

/** Acts on a resource, and judges what can be read afterwards. False: the resource does not permit it. */
const act = async (
  workshop: Workshop,
  collection: Collection,
  exercised: OperationUnderTest,
  created: Created,
  context: CheckContext,
): Promise<boolean> => {
  const look = () => readNow(workshop, collection, created.found, context);
  const read = await look();
  const before = read !== null && isSuccess(read) ? resourceIn(read.json) : null;
  if (before === null) return false;
  const values = queryOf(workshop, exercised, before);
  const sent = await ordinaryFor(workshop, exercised, created.found, context);
  const response =
    sent === null
      ? await sendTo(exercised, created.found, { body: null, values }, context)
      : await sendResource(workshop, exercised, created.found, sent, context, { values });
  if (!isSuccess(response) || response.status === 202) return false;
  const shown = resourceIn(response.json);
  const id = idOf(shown ?? undefined, collection, workshop.document.root);
  const isWhole = shown !== null && Object.keys(before).every((name) => name in shown);
  if (shown === null || !isWhole || id === null || !isSameValue(created.id, id)) return true;
  const isNew = isNewState(workshop, collection, { before, shown, sent });
  const members = Object.keys(shown).filter(isNew);
  const stale = (now: ApiResponse | null): string | undefined => {
    const resource = now !== null && isSuccess(now) ? resourceIn(now.json) : null;
    return members.find(
      (name) => resource !== null && sameJson(resource[name] ?? null, before[name] ?? null),
    );
  };
  const after = await settled(context, look, (now) => stale(now) === undefined);
  const member = stale(after);
  if (after === null || member === undefined) {
    if (members.length > 0) context.passed('RES-2');
    return true;
  }
  const value = { member, expected: shown[member], got: resourceIn(after.json)?.[member] };
  breachValue(context, 'RES-2', 'action', after, value, { ...created, response });
  return true;
};

/** Whether a member has a new state: another listed text, the opposite, a time that was missing, or the object that was sent. */
const isNewState = (
  workshop: Workshop,
  { read }: Collection,
  {
    before,
    shown,
    sent,
  }: { readonly before: JsonObject; readonly shown: JsonObject; readonly sent: JsonObject | null },
) => {
  const described = read === null ? null : membersShown(workshop, read);
  const isListed = (name: string): boolean =>
    usualAlternative(described?.get(name) ?? true, workshop.document.root)?.values != null;
  const isTime = (value: Json | undefined) => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
  return (name: string): boolean => {
    const [old, now] = [before[name] ?? null, shown[name] ?? null];
    if (isTransient(name) || isSameValue(old, now) || isSameValue(now, old)) return false;
    if (old === null) return isTime(now);
    if (typeof old === 'boolean') return typeof now === 'boolean';
    if (typeof old === 'string') return typeof now === 'string' && !isTransient(now) && isListed(name);
    return sent !== null && Object.keys(sent).length > 1 && isSameValue(sent, now);
  };
};
