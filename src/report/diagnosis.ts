import { isAboutStatus } from '../oracle/cause.ts';
import type { Failure, Outcome, RequirementResult } from '../run/outcome.ts';
import { blockedBy } from './sort-failures.ts';
import { type ConstantOperation, type Diagnosis, diagnosisText } from './text/diagnosis.ts';
import { hasNoFailure } from './verdicts.ts';

/** So many responses are no accident. */
const fewestResponses = 20;
/** Of one operation, so many are enough. */
const fewestOfOperation = 3;

type StatusCount = readonly [status: string, responses: number];

/** The statuses that operations of the document returned, and how often. */
const statusCounts = ({ coverage }: Outcome): readonly StatusCount[] =>
  [...Map.groupBy(coverage, ({ status }) => status)]
    .map(([status, cells]) => [status, cells.reduce((sum, { seen }) => sum + seen, 0)] as const)
    .filter(([, responses]) => responses > 0);

/** The only status beside 401 and 429; null: there is none, or more than one. */
const onlyStatus = (seen: readonly StatusCount[], fewest: number): string | null => {
  const others = seen.filter(([status, responses]) => responses > 0 && status !== '401' && status !== '429');
  const [first] = others;
  return others.length === 1 && first !== undefined && first[1] >= fewest ? first[0] : null;
};

/** The Location of a response that a failure shows. */
const locationIn = ({ requirements }: Outcome): string | null => {
  const responses = requirements.flatMap(({ failures }) => failures).map(({ response }) => response);
  const headers = responses.flatMap((response) => Object.entries(response?.headers ?? {}));
  return headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null;
};

const constantResponse = (outcome: Outcome): Diagnosis | null => {
  const statuses = statusCounts(outcome);
  const status = onlyStatus(statuses, fewestResponses);
  const onlyWithKey = statuses.length > 1;
  if (status === null || (onlyWithKey && status.startsWith('2'))) return null;
  const { baseUrl } = outcome.target;
  return { cause: 'constant-response', status, onlyWithKey, location: locationIn(outcome), baseUrl };
};

/** Requirements that ask for 401, 400, and 404. */
const rejecting = ['AUTH-1', 'CREATE-5', 'GET-2'];

/** Each of them fails if no request gets a 4xx. */
const nothingRejected = (outcome: Outcome): Diagnosis | null => {
  const statuses = statusCounts(outcome).map(([status]) => status);
  const failed = outcome.requirements.filter(
    ({ id, verdict }) => rejecting.includes(id) && verdict === 'failed',
  );
  return failed.length < rejecting.length || statuses.some((status) => status.startsWith('4'))
    ? null
    : { cause: 'nothing-rejected', statuses };
};

/** Requirements that fail if an operation does not work at all. */
const working = ['LIST-1', 'CREATE-1', 'GET-1', 'GET-4', 'ORDERS-1'];

/** Operations that never succeed with a valid key, so that other requirements cannot be tested. */
const idleOperations = ({ coverage, requirements }: Outcome): readonly ConstantOperation[] => {
  const failures = requirements
    .filter(({ id }) => working.includes(id) && blockedBy(id, requirements).length > 0)
    .flatMap((result) => result.failures);
  return [...Map.groupBy(coverage, ({ operation }) => operation)].flatMap(([operation, cells]) => {
    const seen = cells.map((cell) => [cell.status, cell.seen] as const);
    const status = onlyStatus(seen, fewestOfOperation);
    const fails = failures.some(
      (failure) => failure.operation === operation && String(failure.response?.status) === status,
    );
    return fails && status?.startsWith('2') === false ? [{ operation, status }] : [];
  });
};

const operationsNeverWork = (outcome: Outcome): Diagnosis | null => {
  const operations = idleOperations(outcome);
  return operations.length === 0 ? null : { cause: 'operations-never-work', operations };
};

/** Nothing fails, but every creation was rejected. */
const cannotCreate = ({ coverage, requirements }: Outcome): Diagnosis | null => {
  const rejected = coverage.some(
    ({ operation, status, seen }) => operation === 'createPet' && status === '400' && seen >= fewestResponses,
  );
  const creation = requirements.find(({ id }) => id === 'CREATE-1');
  return rejected && creation?.verdict === 'inconclusive'
    ? { cause: 'cannot-create', reason: creation.reason }
    : null;
};

/** Requirements that fail if the server loses its animals. */
const storing: readonly string[] = ['LIST-8', 'CREATE-3', 'GET-1'];

const failedOf = ({ requirements }: Outcome): readonly RequirementResult[] =>
  requirements.filter(({ verdict }) => verdict === 'failed');

/** Connections are dropped, and the server goes on with the animals that it had at its start. */
const restartsEmpty = (outcome: Outcome): Diagnosis | null => {
  const failed = failedOf(outcome);
  const dropped = failed.find(({ id }) => id === 'GEN-4')?.failures.some(({ response }) => response === null);
  const forgotten = failed.map(({ id }) => id).filter((id) => storing.includes(id));
  return dropped && forgotten.length >= 2 ? { cause: 'restarts-empty', forgotten } : null;
};

/** So many requirements that one status breaks are no accident. */
const fewestOfStatus = 3;

/** The status of a failure, if it is what is wrong. */
const wrongStatusOf = ({ rule, response }: Failure): number | null =>
  isAboutStatus(rule) ? (response?.status ?? null) : null;

/** All failures are for one 4xx, which rejects what other servers accept. */
const sameStatus = (outcome: Outcome): Diagnosis | null => {
  const failed = failedOf(outcome);
  const failures = failed.flatMap((result) => result.failures);
  const [status = null, ...others] = new Set(failures.map(wrongStatusOf));
  if (status === null || status < 400 || status >= 500) return null;
  if (others.length > 0 || failed.length < fewestOfStatus) return null;
  const firstExchange = Math.min(...failures.map(({ exchange }) => exchange));
  return { cause: 'same-status', status, requirements: failed.length, firstExchange };
};

const ofFailures = [constantResponse, operationsNeverWork, nothingRejected, restartsEmpty, sameStatus];

const recognize = (outcome: Outcome): Diagnosis | null => {
  if (outcome.verdict !== 'nonconformant') return hasNoFailure(outcome) ? cannotCreate(outcome) : null;
  return ofFailures.map((diagnose) => diagnose(outcome)).find((found) => found !== null) ?? null;
};

/** One cause that may explain the whole result of a run, in a sentence; null: none is recognized. */
export const diagnosis = (outcome: Outcome): string | null => {
  const recognized = recognize(outcome);
  return recognized === null ? null : diagnosisText(recognized);
};
