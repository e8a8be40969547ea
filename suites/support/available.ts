import type { JsonObject } from '../../src/json/json.ts';
import { petMembers } from '../../src/oracle/pet.ts';
import type { Reading } from '../../src/oracle/reading.ts';
import { shownStatus } from '../../src/oracle/rules/status.ts';
import type { CaseContext } from '../../src/run/check.ts';
import type { CreatedPet } from '../../src/run/fixtures.ts';
import { getPet } from '../../src/run/probes.ts';
import { eventually } from './eventually.ts';

/** Ends the case from the day of the removal on: working and removed both pass on that day. */
export const skipIfRemoved = (context: CaseContext): void => {
  const removal = context.fixtures.removal();
  if (removal === 'after') context.end('getPet is removed');
  if (removal === 'on the day')
    context.end('today is the day of the removal in some time zone: working and removed both pass');
};

/** GET-4: 410 says that the operation is gone, though it is not to be until its removal. */
export const earlyRemoval = (context: CaseContext, reading: Reading): void =>
  context.breach({
    requirement: 'GET-4',
    rule: 'gone too early',
    message: 'GET /pets/{petId} says that it is gone, although its removal is still ahead.',
    expected: 'status 200 for an existing id, until 5 December 2030',
    actual: `status ${reading.status}`,
    exchange: reading.exchange,
  });

export const pick = (pet: JsonObject): JsonObject =>
  Object.fromEntries(
    petMembers.flatMap((member) => (pet[member] === undefined ? [] : [[member, pet[member]]])),
  );

/** Members of another type are breaches of their own (GEN-3), and what shows them no measure of other answers. */
export const isPet = ({ fixtures }: CaseContext, { name, categoryId, status }: JsonObject): boolean =>
  typeof name === 'string' &&
  typeof categoryId === 'bigint' &&
  (status === undefined || (typeof status === 'string' && fixtures.statuses.includes(status)));

/** GET-1: an animal that stands in the store is not served. */
export const notFoundBreach = (
  context: CaseContext,
  { id }: CreatedPet,
  reading: Reading,
  whence: string,
): void => {
  // The answer itself may tell that the day has come since the request was sent.
  skipIfRemoved(context);
  context.breach({
    requirement: 'GET-1',
    rule: 'not served',
    message: `The animal ${id}, which was ${whence}, is not served by GET /pets/${id}.`,
    expected: 'status 200 with that animal',
    actual: shownStatus(reading),
    exchange: reading.exchange,
  });
};

/** Gets an animal, and for as long as a replica may lag, again. */
export const getEventually = async (context: CaseContext, { id, at }: CreatedPet): Promise<Reading> => {
  let last: Reading | null = null;
  await eventually(context, 'id', at, async () => {
    last = await context.send(getPet(id.toString()));
    return last.status === 404 ? null : last;
  });
  return last ?? context.end('the animal could not be asked for');
};
