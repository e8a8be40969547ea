import { isOfServer, type ServerFailure } from '../../run/outcome.ts';
import { nameChangeBetween } from '../name-changes.ts';
import {
  type Context,
  type FailureOf,
  firstReturned,
  type Run,
  returnedAnimals,
  sentObject,
} from './context.ts';

/** Whether animals get ids that others have, although no request has these ids: neither theirs nor that of the other animal. */
const repeatsIds = ({ requirements }: Run): boolean =>
  (requirements.find(({ id }) => id === 'CREATE-3')?.failures ?? []).some((failure) => {
    if (!isOfServer(failure) || failure.problem.rule !== 'id-reused') return false;
    const reused = String(failure.problem.id);
    return [failure, ...(failure.before ?? [])].every((each) => String(sentObject(each).id) !== reused);
  });

/**
 * Whether the animal got the id of its request. The server's own id may be the same one by chance: then a creation that did not send
 * it got it, too, or ids repeat anyway.
 */
export const usesSentId = ({ failure, run }: Context): boolean => {
  const sent = sentObject(failure).id;
  const returned = firstReturned(failure, 'id');
  if (sent === undefined || returned === undefined || String(returned) !== String(sent)) return false;
  return !repeatsIds(run);
};

/** Requirements that give 400 for an invalid body. */
const bodyRequirements: readonly string[] = ['CREATE-5', 'CREATE-6', 'CREATE-7'];

/** The status that invalid bodies get instead of 400. */
export const otherClientError = ({ requirement, failure: { problem, operation } }: Context) => {
  if (!bodyRequirements.includes(requirement) || problem.rule !== 'status') return null;
  const { wrongStatus: status } = problem;
  return status > 400 && status < 500 ? { operation, status } : null;
};

/** Requirements on the status of a valid creation. */
const creationRequirements: readonly string[] = ['CREATE-1', 'GEN-1'];

/** The success status of a valid creation, if it is not 201; otherwise null. */
export const otherSuccess = ({ requirement, failure: { problem, operation } }: FailureOf): number | null => {
  if (!creationRequirements.includes(requirement) || operation !== 'createPet') return null;
  if (problem.rule !== 'status' && problem.rule !== 'undocumented-status') return null;
  const { wrongStatus: status } = problem;
  return status >= 200 && status < 300 ? status : null;
};

/** How the name of a new animal changed, or null if it did not. */
export const nameChange = ({ requirement, failure }: Context): string | null => {
  const { name } = sentObject(failure);
  const returned = firstReturned(failure, 'name');
  if (requirement !== 'CREATE-2' || typeof name !== 'string' || typeof returned !== 'string') return null;
  return nameChangeBetween(name, returned);
};

/** Whether the returned categoryId is the sent one, changed in this way. */
const changedInteger =
  (change: (sent: bigint) => bigint) =>
  ({ failure: { problem } }: Context): boolean =>
    problem.rule === 'member-differs' &&
    (problem.in === 'categoryId' || (problem.in === 'creation' && problem.member === 'categoryId')) &&
    /^-?\d+$/.test(String(problem.sent)) &&
    String(problem.got) === String(change(BigInt(String(problem.sent))));

export const throughDouble = changedInteger((value) => BigInt(Number(value)));
export const cutTo32Bits = changedInteger((value) => BigInt.asIntN(32, value));

/** Whether the problem is about the status of an animal that gave none. */
export const hasNullStatus = ({ failure }: Context): boolean => {
  const { rule, members = [] } = failure;
  const isAboutStatus = rule === 'status-when-omitted' || (rule === 'schema' && members.join() === 'status');
  return isAboutStatus && returnedAnimals(failure).some(({ status }) => status === null);
};

/** getPet does not find an animal, although its creation got 201. */
const isCreatedNotFound = ({ rule, response, before = [] }: ServerFailure): boolean =>
  rule === 'not-served' &&
  response?.status === 404 &&
  before.some(({ request, response }) => request.method === 'POST' && response?.status === 201);

/** Whether getPet does not find an animal right after its creation, in any failure of GET-1. */
export const losesCreated = ({ requirements }: Run): boolean =>
  (requirements.find(({ id }) => id === 'GET-1')?.failures ?? []).some(isCreatedNotFound);
