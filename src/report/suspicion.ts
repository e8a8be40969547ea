import type { Failure, Outcome, RequirementResult } from '../run/outcome.ts';
import { rootCauseLine } from './root-cause.ts';
import { isUncontradicted } from './verdicts.ts';

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

const oneAnswer = (outcome: Outcome): string | null => {
  const statuses = answeredStatuses(outcome);
  const status = onlyStatus(statuses, fewestAnswers);
  if (status === null || (statuses.length > 1 && status.startsWith('2'))) return null;
  const whose = statuses.length > 1 ? ' to a valid key' : '';
  const question = status.startsWith('3')
    ? `, a redirect${locationIn(outcome)}, which is not followed: is the API served elsewhere than under ${outcome.target.baseUrl}?`
    : `, whatever is asked: is the API served under ${outcome.target.baseUrl}, or does another server listen there?`;
  return `Every answer${whose} is ${status}${question}`;
};

/** What is to be refused with 401, 400 and 404. */
const refusing = ['AUTH-1', 'CREATE-5', 'GET-2'];

/** Where all that is refused is answered alike, and not as the document has it, each refusal fails for it. */
const noRefusal = (outcome: Outcome): string | null => {
  const statuses = answeredStatuses(outcome).map(([status]) => status);
  const failed = outcome.requirements.filter(
    ({ id, verdict }) => refusing.includes(id) && verdict === 'failed',
  );
  return failed.length < refusing.length || statuses.some((status) => status.startsWith('4'))
    ? null
    : `Whatever is wrong with a request, no answer is 400, 401 or 404 (only ${statuses.join(', ')} came): begin there.`;
};

/** What an operation does not meet that does not work at all. */
const working = ['LIST-1', 'CREATE-1', 'GET-1', 'GET-4', 'ORDERS-1'];

/** Operations that answer a valid key with one status, which is none of success, and fail for it. */
const idleOperations = ({ coverage, requirements }: Outcome): readonly string[] => {
  const failures = requirements.filter(({ id }) => working.includes(id)).flatMap((result) => result.failures);
  return [...Map.groupBy(coverage, ({ operation }) => operation)].flatMap(([operation, cells]) => {
    const seen = cells.map((cell) => [cell.status, cell.seen] as const);
    const status = onlyStatus(seen, fewestOfOperation);
    const fails = failures.some(
      (failure) => failure.operation === operation && String(failure.response?.status) === status,
    );
    return fails && status?.startsWith('2') === false ? [`of ${operation} is ${status}`] : [];
  });
};

const idle = (outcome: Outcome): string | null => {
  const operations = idleOperations(outcome);
  return operations.length === 0
    ? null
    : `With a valid key the only answer ${operations.join(', ')}: begin there, as other failures may follow from it.`;
};

/** Nothing fails, and yet nobody could create anything. */
const uncreated = ({ coverage, requirements }: Outcome): string | null => {
  const refused = coverage.some(
    ({ operation, status, seen }) => operation === 'createPet' && status === '400' && seen >= fewestAnswers,
  );
  const creation = requirements.find(({ id }) => id === 'CREATE-1');
  return refused && creation?.verdict === 'inconclusive'
    ? `Nothing shows that animals can be created: ${creation.reason}.`
    : null;
};

/** What a store that begins anew does not keep to. */
const forgetting: readonly string[] = ['LIST-8', 'CREATE-3', 'GET-1'];

const failedOf = ({ requirements }: Outcome): readonly RequirementResult[] =>
  requirements.filter(({ verdict }) => verdict === 'failed');

/** Connections are dropped, and the target goes on: with the animals that it had at its start. */
const restarted = (outcome: Outcome): string | null => {
  const failed = failedOf(outcome);
  const dropped = failed.find(({ id }) => id === 'GEN-4')?.failures.some(({ response }) => response === null);
  const forgotten = failed.map(({ id }) => id).filter((id) => forgetting.includes(id));
  return dropped && forgotten.length >= 2
    ? `Connections are dropped (GEN-4), and animals are lost: if the service is started anew each time and keeps its animals in memory, ${forgotten.join(', ')} fail for that. Begin with GEN-4.`
    : null;
};

/** Requests show one mistake where all that fails fails for one of them. */
const oneRequest = (outcome: Outcome): string | null => {
  const failed = failedOf(outcome);
  const [first, ...others] = new Set(failed.flatMap(({ failures }) => failures.map((each) => each.exchange)));
  return failed.length < 2 || first === undefined || others.length > 0
    ? null
    : `${allOf(failed)} for one request: it is probably one mistake.`;
};

const allOf = ({ length }: readonly unknown[]): string =>
  `${length === 2 ? 'Both' : `All ${length}`} requirements fail`;

/** Requirements of which it is no accident that one status breaches them all. */
const fewestOfStatus = 3;

/** Answers show one mistake where all that fails fails for one status, which refuses what others are served. */
const oneRefusal = (outcome: Outcome): string | null => {
  const failed = failedOf(outcome);
  const failures = failed.flatMap((result) => result.failures);
  const [actual, ...others] = new Set(failures.map((each) => each.actual));
  const status = /^status (4\d\d)$/.exec(actual ?? '')?.[1];
  if (status === undefined || others.length > 0 || failed.length < fewestOfStatus) return null;
  const first = Math.min(...failures.map(({ exchange }) => exchange));
  const question =
    status === '401' ? 'does the server lose a valid key, or lock it?' : 'it is probably one mistake.';
  return `${allOf(failed)} for an answer of ${status} where another status is due, from about request ${first} of the run on: ${question}`;
};

/** The member of an answer that a failure is about, in a list or by itself; null: it is about something else. */
const memberOf = ({ expected }: Failure): string | null =>
  /^(?:item \d+ of \d+, )?"?(\w+)"?: |^a member "(\w+)"$/.exec(expected)?.slice(1).find(Boolean) ?? null;

/** Answers show one mistake where all that fails is about one member of them. */
const oneMember = (outcome: Outcome): string | null => {
  const failed = failedOf(outcome);
  const [member, ...others] = new Set(failed.flatMap(({ failures }) => failures.map(memberOf)));
  return failed.length < 2 || member === undefined || member === null || others.length > 0
    ? null
    : `${allOf(failed)} for the member "${member}" of what is answered: it is probably one mistake.`;
};

/** What one thing may be behind all that fails, or behind all that could not be judged; null: nothing tells. */
export const suspicion = (outcome: Outcome): string | null => {
  if (outcome.verdict === 'nonconformant') {
    const readings = [
      oneAnswer,
      idle,
      noRefusal,
      restarted,
      rootCauseLine,
      oneRequest,
      oneRefusal,
      oneMember,
    ];
    return readings.map((read) => read(outcome)).find((text) => text !== null) ?? null;
  }
  return isUncontradicted(outcome) ? uncreated(outcome) : null;
};
