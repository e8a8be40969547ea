import type { JsonObject } from '../../src/json/json.ts';
import { petMembers } from '../../src/oracle/pet.ts';
import type { Reading } from '../../src/oracle/reading.ts';
import { shownStatus } from '../../src/oracle/rules/status.ts';
import type { CaseContext } from '../../src/run/check.ts';
import type { CreatedPet } from '../../src/run/fixtures.ts';
import { getPet } from '../../src/run/probes.ts';
import { eventually } from './eventually.ts';

/** Ends the case from the day of the removal on. On that day, working and removed both pass. */
export const skipIfRemoved = (context: CaseContext): void => {
  const removal = context.fixtures.removal();
  if (removal === 'after') context.end({ code: 'after-removal', detail: 'since' });
  if (removal === 'on the day') context.end({ code: 'removal-day' });
};

/** GET-4: 410 says that the operation is removed, before its removal date. */
export const earlyRemoval = (context: CaseContext, reading: Reading): void =>
  context.breach({
    requirement: 'GET-4',
    rule: 'removed-too-early',
    message: `GET /pets/{petId}: expected 200 until 5 December 2030, got ${reading.status}`,
    expected: 'status 200 for an existing id, until 5 December 2030',
    wrongStatus: reading.status,
    actual: `status ${reading.status}`,
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
  reading: Reading,
  origin: string,
): void => {
  // The Date of the response may show that the removal day has begun since the request.
  skipIfRemoved(context);
  context.breach({
    requirement: 'GET-1',
    rule: 'not-served',
    message: `GET /pets/${id}: expected the animal that was ${origin}, got ${reading.status}`,
    expected: 'status 200 with that animal',
    wrongStatus: reading.status,
    actual: shownStatus(reading),
    exchange: reading.exchange,
  });
};

/** Gets an animal, again for as long as a replica may lag. */
export const getEventually = async (context: CaseContext, { id, at }: CreatedPet): Promise<Reading> => {
  let last: Reading | null = null;
  await eventually(context, 'id', at, async () => {
    last = await context.send(getPet(id.toString()));
    return last.status === 404 ? null : last;
  });
  return last ?? context.end({ code: 'precondition', detail: 'not-requested' });
};
