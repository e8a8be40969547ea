import { isAboutStatus } from '../oracle/cause.ts';
import type { Failure, Outcome, RequirementResult } from '../run/outcome.ts';
import { blockedBy } from './sort-failures.ts';
import { hasNoFailure } from './verdicts.ts';

/** So many answers are no accident. */
const fewestAnswers = 20;
/** Of one operation fewer tell. */
const fewestOfOperation = 3;

/** The statuses that operations of the document answered with, and how often. */
const answeredStatuses = ({ coverage }: Outcome): readonly (readonly [status: string, answers: number])[] =>
  [...Map.groupBy(coverage, ({ status }) => status)]
    .map(([status, cells]) => [status, cells.reduce((sum, { seen }) => sum + seen, 0)] as const)
    .filter(([, answers]) => answers > 0);

/** What came beside refusals of a key and of a rate; null: nothing, or more than one status. */
const onlyStatus = (
  seen: readonly (readonly [status: string, answers: number])[],
  fewest: number,
): string | null => {
  const told = seen.filter(([status, answers]) => answers > 0 && status !== '401' && status !== '429');
  const [first] = told;
  return told.length === 1 && first !== undefined && first[1] >= fewest ? first[0] : null;
};

/** Where a redirect leads that a failure shows. */
const locationIn = ({ requirements }: Outcome): string => {
  const responses = requirements.flatMap(({ failures }) => failures).map(({ response }) => response);
  const headers = responses.flatMap((response) => Object.entries(response?.headers ?? {}));
  const location = headers.find(([name]) => name.toLowerCase() === 'location');
  return location === undefined ? '' : ` to ${location[1]}`;
};

const constantResponse = (outcome: Outcome): string | null => {
  const statuses = answeredStatuses(outcome);
  const status = onlyStatus(statuses, fewestAnswers);
  if (status === null || (statuses.length > 1 && status.startsWith('2'))) return null;
  const whose = statuses.length > 1 ? ' with a valid key' : '';
  const advice = status.startsWith('3')
    ? `, a redirect${locationIn(outcome)} (not followed). Check that the API is at ${outcome.target.baseUrl}`
    : `. Check that the API is at ${outcome.target.baseUrl}, and that no other server listens there`;
  return `Every response${whose} is ${status}${advice}.`;
};

/** What is to be refused with 401, 400 and 404. */
const refusing = ['AUTH-1', 'CREATE-5', 'GET-2'];

/** Where all that is refused is answered alike, and not as the document has it, each refusal fails for it. */
const nothingRejected = (outcome: Outcome): string | null => {
  const statuses = answeredStatuses(outcome).map(([status]) => status);
  const failed = outcome.requirements.filter(
    ({ id, verdict }) => refusing.includes(id) && verdict === 'failed',
  );
  return failed.length < refusing.length || statuses.some((status) => status.startsWith('4'))
    ? null
    : `Errors never use 400, 401, or 404 (only ${statuses.join(', ')} seen): fix error handling first.`;
};

/** What an operation does not meet that does not work at all. */
const working = ['LIST-1', 'CREATE-1', 'GET-1', 'GET-4', 'ORDERS-1'];

/** Operations that never succeed with a valid key, so that other requirements cannot be tested. */
const idleOperations = ({ coverage, requirements }: Outcome): readonly string[] => {
  const failures = requirements
    .filter(({ id }) => working.includes(id) && blockedBy(id, requirements).length > 0)
    .flatMap((result) => result.failures);
  return [...Map.groupBy(coverage, ({ operation }) => operation)].flatMap(([operation, cells]) => {
    const seen = cells.map((cell) => [cell.status, cell.seen] as const);
    const status = onlyStatus(seen, fewestOfOperation);
    const fails = failures.some(
      (failure) => failure.operation === operation && String(failure.response?.status) === status,
    );
    return fails && status?.startsWith('2') === false ? [`${operation} always returns ${status}`] : [];
  });
};

const operationNeverWorks = (outcome: Outcome): string | null => {
  const operations = idleOperations(outcome);
  return operations.length === 0
    ? null
    : `With a valid key, ${operations.join(', ')}. Fix this first: other failures may follow from it.`;
};

/** Nothing fails, and yet nobody could create anything. */
const cannotCreate = ({ coverage, requirements }: Outcome): string | null => {
  const refused = coverage.some(
    ({ operation, status, seen }) => operation === 'createPet' && status === '400' && seen >= fewestAnswers,
  );
  const creation = requirements.find(({ id }) => id === 'CREATE-1');
  return refused && creation?.verdict === 'inconclusive'
    ? `No animal could be created: ${creation.reason}.`
    : null;
};

/** What a store that begins anew does not keep to. */
const forgetting: readonly string[] = ['LIST-8', 'CREATE-3', 'GET-1'];

const failedOf = ({ requirements }: Outcome): readonly RequirementResult[] =>
  requirements.filter(({ verdict }) => verdict === 'failed');

/** Connections are dropped, and the target goes on: with the animals that it had at its start. */
const restartsEmpty = (outcome: Outcome): string | null => {
  const failed = failedOf(outcome);
  const dropped = failed.find(({ id }) => id === 'GEN-4')?.failures.some(({ response }) => response === null);
  const forgotten = failed.map(({ id }) => id).filter((id) => forgetting.includes(id));
  return dropped && forgotten.length >= 2
    ? `Connections are dropped (GEN-4) and animals are lost (${forgotten.join(', ')}). If the server crashes, restarts, and keeps animals in memory, one bug causes both: fix GEN-4 first.`
    : null;
};

const allOf = ({ length }: readonly unknown[]): string =>
  `${length === 2 ? 'Both' : `All ${length}`} requirements fail`;

/** Requirements of which it is no accident that one status breaches them all. */
const fewestOfStatus = 3;

/** The status of a failure, if it is what is wrong. */
const wrongStatusOf = ({ rule, response }: Failure): number | null =>
  isAboutStatus(rule) ? (response?.status ?? null) : null;

/** Responses show one mistake if all failures are for one 4xx, which rejects what other servers accept. */
const sameStatusEverywhere = (outcome: Outcome): string | null => {
  const failed = failedOf(outcome);
  const failures = failed.flatMap((result) => result.failures);
  const [status = null, ...others] = new Set(failures.map(wrongStatusOf));
  if (status === null || status < 400 || status >= 500) return null;
  if (others.length > 0 || failed.length < fewestOfStatus) return null;
  const first = Math.min(...failures.map(({ exchange }) => exchange));
  const question = status === 401 ? 'Check whether the server loses or locks the key.' : 'Probably one bug.';
  return `${allOf(failed)} because of unexpected ${status} responses, from about request ${first} on. ${question}`;
};

/** One cause that may explain the whole result of a run, in a sentence; null: none is recognized. */
export const diagnosis = (outcome: Outcome): string | null => {
  if (outcome.verdict === 'nonconformant') {
    const readings = [
      constantResponse,
      operationNeverWorks,
      nothingRejected,
      restartsEmpty,
      sameStatusEverywhere,
    ];
    return readings.map((read) => read(outcome)).find((text) => text !== null) ?? null;
  }
  return hasNoFailure(outcome) ? cannotCreate(outcome) : null;
};
