import { withoutSlash } from '../../src/check/creations.ts';
import type { Operation } from '../../src/check/document.ts';
import type { ApiResponse, JsonObject } from '../../src/check/index.ts';
import { sameJson } from '../../src/check/json.ts';
import { memberNamed } from './names.ts';
import { isSafe, type OperationUnderTest } from './operations.ts';
import { usualAlternative } from './ordinary.ts';
import { isSameValue, timeOf } from './relations.ts';
import { type GeneratedRequest, keyOf } from './request.ts';
import { membersShown } from './resource-bodies.ts';
import { idOf, resourceIn } from './resource-shapes.ts';
import {
  type CollectionUnderTest,
  type Created,
  createIn,
  ordinaryFor,
  readNow,
  sendTo,
} from './resources.ts';
import { isDone, shownIn } from './responses.ts';
import { breachValue, readUntil, type Scenario } from './scenario.ts';

const mostActions = 5;

/** A trial shows what an action would do. */
const isTrial = (name: string): boolean =>
  /preview|dry|simul|valid|check|test|trial|try|estimat|quote|calcul|verif|render|compare|diff/i.test(name);

/** A state that a server leaves by itself, perhaps for the one before. */
const isTransient = (text: string): boolean =>
  /(ing|queued|started|accepted|requested|progress)$/i.test(text);

/** The operations that act on one resource: below its path, or a PATCH without a body. */
const actionsOn = ({ document, item, change }: CollectionUnderTest): readonly Operation[] => [
  ...document.operations.filter((operation) => {
    const path = withoutSlash(operation.path);
    const below = path.startsWith(`${item}/`) ? path.slice(item.length + 1) : '';
    const isStep = below !== '' && !/[{/]/.test(below) && !isTrial(below);
    return isStep && !isSafe(operation) && operation.method !== 'DELETE';
  }),
  ...(change !== null && change.requestBody === null ? [change] : []),
];

/** RES-2: what an action returns as the new state of a resource can be read. */
export const actionsShow: Scenario = async (collection) => {
  const actions = actionsOn(collection).flatMap((operation) => collection.exercisedAs(operation) ?? []);
  if (actions.length === 0 || collection.helperAs(collection.read) === null) return;
  // An action may need the state that the one before it leads to, or the first one.
  const chain = await createIn(collection);
  for (const action of actions.slice(0, mostActions)) {
    const isDone = await act(collection, action, chain);
    if (!isDone && action !== actions[0]) await act(collection, action, await createIn(collection));
  }
};

/** The query of an action, with another listed value of a member than the resource has. */
const queryOf = (
  { document: { root } }: CollectionUnderTest,
  exercised: OperationUnderTest,
  before: JsonObject,
): GeneratedRequest['values'] => {
  let values: GeneratedRequest['values'] = {};
  for (const parameter of exercised.operation.parameters) {
    const member = memberNamed(before, parameter.name);
    const listed = usualAlternative(parameter.schema, root)?.values ?? [];
    const other =
      member === undefined ? undefined : listed.find((each) => !sameJson(each, before[member] ?? null));
    if (parameter.in === 'query' && other !== undefined) values = { ...values, [keyOf(parameter)]: other };
  }
  return values;
};

/** Acts on a resource, and judges what can be read afterwards. False: the resource does not permit it. */
const act = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
  created: Created,
): Promise<boolean> => {
  const { found, id } = created;
  const before = shownIn(await readNow(collection, found));
  if (before === null) return false;
  const values = queryOf(collection, exercised, before);
  const resource = await ordinaryFor(collection, exercised, found);
  const response = await sendTo(collection, exercised, found, { resource, values });
  if (!isDone(response)) return false;
  const shown = resourceIn(response.json);
  const ownId = idOf(shown, collection);
  const isWhole = shown !== null && Object.keys(before).every((name) => name in shown);
  if (shown === null || !isWhole || ownId === null || !isSameValue(id, ownId)) return true;
  const isNew = isNewState(collection, { before, shown, sent: resource });
  const members = Object.keys(shown).filter(isNew);
  const stale = (now: ApiResponse | null): string | undefined => {
    const after = shownIn(now);
    return members.find((name) => after !== null && sameJson(after[name] ?? null, before[name] ?? null));
  };
  const after = await readUntil(collection, created, (now) => stale(now) === undefined);
  const member = stale(after);
  if (after !== null && member !== undefined) {
    const value = { member, expected: shown[member], got: resourceIn(after.json)?.[member] };
    breachValue(collection, 'action', after, value, { response });
  } else if (members.length > 0) collection.context.passed();
  return true;
};

/** Whether a member has a new state: another listed text, the opposite, a time that was missing, or the object that was sent. */
const isNewState = (
  collection: CollectionUnderTest,
  {
    before,
    shown,
    sent,
  }: { readonly before: JsonObject; readonly shown: JsonObject; readonly sent: JsonObject | null },
) => {
  const { read, document } = collection;
  const described = membersShown(collection, read);
  const isListed = (name: string): boolean =>
    usualAlternative(described?.get(name) ?? true, document.root)?.values != null;
  return (name: string): boolean => {
    const [old, now] = [before[name] ?? null, shown[name] ?? null];
    if (isTransient(name) || isSameValue(old, now) || isSameValue(now, old)) return false;
    if (old === null) return timeOf(now) !== null;
    if (typeof old === 'boolean') return typeof now === 'boolean';
    if (typeof old === 'string') return typeof now === 'string' && !isTransient(now) && isListed(name);
    return sent !== null && Object.keys(sent).length > 1 && isSameValue(sent, now);
  };
};
