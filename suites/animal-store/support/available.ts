import { type ApiResponse, type CheckContext, getPet, type JsonObject } from '../../../src/check/index.ts';
import { type CreatedPet, petMembers } from '../../../src/check/pets.ts';
import { eventually, isTooEarly, mayWait, missingBreach, untilKnown } from './eventually.ts';

/** Ends the case from the day of the removal on. On that day, working and removed both pass. */
export const skipIfRemoved = (context: CheckContext): void => {
  const removal = context.run.removalState();
  if (removal === 'after') context.skipCase({ code: 'after-removal', detail: 'since' });
  if (removal === 'removal-day') context.skipCase({ code: 'removal-day' });
};

/** GET-4: 410 says that the operation is removed, before its removal date. */
export const earlyRemoval = (context: CheckContext, response: ApiResponse): void =>
  context.breach({
    requirement: 'GET-4',
    problem: { rule: 'removed-too-early', wrongStatus: response.status },
    response,
  });

export const pick = (pet: JsonObject): JsonObject =>
  Object.fromEntries(
    petMembers.flatMap((member) => (pet[member] === undefined ? [] : [[member, pet[member]]])),
  );

/** Fields of a wrong type fail GEN-3, and are no reference for other responses. */
export const isPet = ({ run }: CheckContext, { name, categoryId, status }: JsonObject): boolean =>
  typeof name === 'string' &&
  typeof categoryId === 'bigint' &&
  (status === undefined || (typeof status === 'string' && run.statuses.includes(status)));

/** GET-1: getPet does not return an animal that is in the store. */
export const notFoundBreach = (
  context: CheckContext,
  { id, at }: CreatedPet,
  response: ApiResponse,
  known: 'created' | 'listed' | 'requested',
  input?: string,
): void => {
  // The Date of the response may show that the removal day has begun since the request.
  skipIfRemoved(context);
  missingBreach(context, response.status === 404 ? at : Number.NEGATIVE_INFINITY, {
    requirement: 'GET-1',
    problem: {
      rule: 'not-served',
      id,
      known,
      ...(input === undefined ? {} : { input }),
      wrongStatus: response.status,
    },
    response,
  });
};

/** Gets an animal, again for as long as a replica may lag. */
export const getEventually = async (
  context: CheckContext,
  { id, at }: Pick<CreatedPet, 'id' | 'at'>,
  requirement = 'GET-1',
): Promise<ApiResponse> => {
  let last = await context.send(getPet(id));
  if (last.status !== 404 || !isTooEarly(last, at)) return last;
  await eventually(context, requirement, at, async () => {
    last = await context.send(getPet(id));
    return last.status === 404 ? null : last;
  });
  return last;
};

/** Gets an animal; if it is not found, again when a replica can no longer lack anything that the run has created. */
export const getSettled = async (context: CheckContext, { id }: CreatedPet): Promise<ApiResponse> => {
  const get = () => context.send(getPet(id));
  const response = await get();
  if (response.status !== 404 || !mayWait(context, 'GET-1')) return response;
  const mayLag = await untilKnown(context, context.run.created(), response.exchange.startedAt);
  return mayLag ? get() : response;
};
