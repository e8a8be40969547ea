import type { CaseContext } from '../../../src/check/check.ts';
import { getPet } from '../../../src/check/requests.ts';
import type { CreatedPet } from '../../../src/check/run-context.ts';
import type { ParsedResponse } from '../../../src/http/parsed-response.ts';
import type { JsonObject } from '../../../src/json/json.ts';
import { petMembers } from '../../../src/oracle/pet.ts';
import { eventually } from './eventually.ts';

/** Ends the case from the day of the removal on. On that day, working and removed both pass. */
export const skipIfRemoved = (context: CaseContext): void => {
  const removal = context.fixtures.removal();
  if (removal === 'after') context.end({ code: 'after-removal', detail: 'since' });
  if (removal === 'on the day') context.end({ code: 'removal-day' });
};

/** GET-4: 410 says that the operation is removed, before its removal date. */
export const earlyRemoval = (context: CaseContext, reading: ParsedResponse): void =>
  context.breach({
    requirement: 'GET-4',
    problem: { rule: 'removed-too-early', wrongStatus: reading.status },
    exchange: reading.exchange,
  });

export const pick = (pet: JsonObject): JsonObject =>
  Object.fromEntries(
    petMembers.flatMap((member) => (pet[member] === undefined ? [] : [[member, pet[member]]])),
  );

/** Fields of a wrong type fail GEN-3, and are no reference for other responses. */
export const isPet = ({ fixtures }: CaseContext, { name, categoryId, status }: JsonObject): boolean =>
  typeof name === 'string' &&
  typeof categoryId === 'bigint' &&
  (status === undefined || (typeof status === 'string' && fixtures.statuses.includes(status)));

/** GET-1: getPet does not return an animal that is in the store. */
export const notFoundBreach = (
  context: CaseContext,
  { id }: CreatedPet,
  reading: ParsedResponse,
  known: 'created' | 'listed' | 'requested',
  input?: string,
): void => {
  // The Date of the response may show that the removal day has begun since the request.
  skipIfRemoved(context);
  context.breach({
    requirement: 'GET-1',
    problem: {
      rule: 'not-served',
      id,
      known,
      ...(input === undefined ? {} : { input }),
      wrongStatus: reading.status,
    },
    exchange: reading.exchange,
  });
};

/** Gets an animal, again for as long as a replica may lag. */
export const getEventually = async (
  context: CaseContext,
  { id, at }: CreatedPet,
): Promise<ParsedResponse> => {
  let last: ParsedResponse | null = null;
  await eventually(context, 'id', at, async () => {
    last = await context.send(getPet(id.toString()));
    return last.status === 404 ? null : last;
  });
  return last ?? context.end({ code: 'precondition', detail: 'not-requested' });
};
