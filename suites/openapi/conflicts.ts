import type { ApiResponse, JsonObject } from '../../src/check/index.ts';
import type { Found } from './existing.ts';
import { parentPlace } from './given-ids.ts';
import type { OperationUnderTest } from './operations.ts';
import {
  type CollectionUnderTest,
  type Created,
  createIn,
  hasReferences,
  ordinaryFor,
  sendTo,
} from './resources.ts';
import { isSuccess } from './responses.ts';
import { breachUndocumented, documents, type Scenario } from './scenario.ts';

/** GEN-1 to GEN-4: a creation that repeats another one. A server may accept it. */
export const repeatsCreation: Scenario = async (collection, [exercised]) => {
  const first = await createIn(collection);
  if (Object.keys(first.sent).length === 0) return;
  await judgeConflict(collection, exercised, first, {
    place: parentPlace(collection, first),
    resource: first.sent,
  });
};

/** GEN-1 to GEN-4: an update with the values of another resource. A server may accept it. */
export const takesOverValues: Scenario = async (collection, updates) => {
  const first = await createIn(collection);
  for (const exercised of updates) {
    const { found: place } = await createIn(collection);
    const ordinary = await ordinaryFor(collection, exercised, place);
    if (ordinary === null) continue;
    const usual = await sendTo(collection, exercised, place, { resource: ordinary });
    const taken = Object.entries(first.sent).filter(([name]) => name in ordinary);
    const resource = { ...ordinary, ...Object.fromEntries(taken) };
    if (isSuccess(usual)) await judgeConflict(collection, exercised, first, { place, resource });
  }
};

/** Statuses of a validator. It has nothing against the values, because the server accepted them before. */
const ofValidators: readonly number[] = [400, 422];

/** If the document has 409, the server returns it for values that must be unique. */
const judgeConflict = async (
  collection: CollectionUnderTest,
  exercised: OperationUnderTest,
  first: Created,
  { place, resource }: { readonly place: Found; readonly resource: JsonObject },
): Promise<void> => {
  const { operation, stateStatuses } = exercised;
  // With any documentation, a server may refuse what conflicts with another resource.
  const tolerant = {
    ...exercised,
    stateStatuses: stateStatuses.length === 0 ? [] : [...stateStatuses, ...ofValidators, 403],
  };
  const send = () =>
    sendTo(collection, tolerant, place, { label: 'the values of another resource', resource });
  const isUndocumented = ({ status }: ApiResponse) =>
    ofValidators.includes(status) && !documents(operation, status) && !documents(operation, 'default');
  const response = await send();
  // Only all of the values are known to go together. What they refer to may be used up, and that need not be the documented conflict.
  const isWhole = Object.keys(first.sent).every((name) => name in resource);
  const isPlain = isWhole && !hasReferences(collection);
  if (!isPlain || !documents(operation, 409) || !isUndocumented(response)) return;
  const again = await send();
  if (isUndocumented(again))
    breachUndocumented(collection.context, operation, again, [first.response.exchange]);
};
