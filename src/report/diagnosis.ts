import { isOfServer, type Outcome, type RequirementResult, type ServerFailure } from '../run/outcome.ts';
import { rootCauses } from './root-causes.ts';
import { blockedBy } from './sort-failures.ts';
import { isOfSuite } from './text/shown-verdicts.ts';
import { hasNoFailure, selected } from './verdicts.ts';
import { isAboutLost } from './wrong-animals.ts';

interface ConstantResponse {
  readonly status: string;
  /** Requests without a valid key got other responses. */
  readonly onlyWithKey: boolean;
  /** Where a redirect leads; null: unknown. */
  readonly location: string | null;
  readonly baseUrl: string;
}

interface SameStatus {
  readonly status: number;
  readonly requirements: number;
  readonly firstExchange: number;
}

interface ConstantOperation {
  readonly operation: string;
  readonly status: string;
}

/** The likely causes of the whole result of a run, each in a sentence. */
const diagnoses = {
  constantResponse: ({ status, onlyWithKey, location, baseUrl }: ConstantResponse): string => {
    const advice = status.startsWith('3')
      ? `, a redirect${location === null ? '' : ` to ${location}`} (not followed). Check that the API is at ${baseUrl}`
      : `. Check that the API is at ${baseUrl}, and that no other server listens there`;
    return `Every response${onlyWithKey ? ' with a valid key' : ''} is ${status}${advice}.`;
  },
  operationsNeverWork: (operations: readonly ConstantOperation[]): string =>
    `With a valid key, ${operations
      .map(({ operation, status }) => `${operation} always returns ${status}`)
      .join(', ')}. Fix this first: other failures may follow from it.`,
  nothingRejected: (statuses: readonly string[]): string =>
    `Errors never use 400, 401, or 404 (only ${statuses.join(', ')} seen): fix error handling first.`,
  restartsEmpty: (lostAnimals: readonly string[]): string =>
    `The server crashes (GEN-4), and animals from before are lost (${lostAnimals.join(', ')}), as if it keeps them in memory: fix GEN-4 first.`,
  sameStatus: ({ status, requirements, firstExchange }: SameStatus): string => {
    const advice = status === 401 ? 'Check whether the server loses or locks the key.' : 'Probably one bug.';
    return `All ${requirements} requirements fail because of unexpected ${status} responses, from about request ${firstExchange} on. ${advice}`;
  },
  cannotCreate: (reason: string | null): string => `No animal could be created: ${reason}.`,
};

/** With fewer responses, a single status may be a coincidence. */
const fewestResponses = 20;
/** The same limit for the responses of one operation. */
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

const failuresOf = (results: readonly RequirementResult[]): readonly ServerFailure[] =>
  results.flatMap(({ failures }) => failures).filter(isOfServer);

/** The Location of a response that a failure shows. */
const locationIn = ({ requirements }: Outcome): string | null => {
  const responses = failuresOf(requirements).map(({ response }) => response);
  const headers = responses.flatMap((response) => Object.entries(response?.headers ?? {}));
  return headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null;
};

const constantResponse = (outcome: Outcome): string | null => {
  const statuses = statusCounts(outcome);
  const status = onlyStatus(statuses, fewestResponses);
  const onlyWithKey = statuses.length > 1;
  if (status === null || (onlyWithKey && status.startsWith('2'))) return null;
  // A check of the user's own may send the same request again and again.
  if (!selected(outcome.requirements).some(({ id }) => isOfSuite(id))) return null;
  const { baseUrl } = outcome.target;
  return diagnoses.constantResponse({ status, onlyWithKey, location: locationIn(outcome), baseUrl });
};

/** Requirements that demand 401, 400, and 404. */
const rejectionRequirements = ['AUTH-1', 'CREATE-5', 'GET-2'];

/** All of them fail, and no response has a 4xx status. */
const nothingRejected = (outcome: Outcome): string | null => {
  const statuses = statusCounts(outcome).map(([status]) => status);
  const failed = outcome.requirements.filter(
    ({ id, verdict }) => rejectionRequirements.includes(id) && verdict === 'failed',
  );
  return failed.length < rejectionRequirements.length || statuses.some((status) => status.startsWith('4'))
    ? null
    : diagnoses.nothingRejected(statuses);
};

/** Requirements that fail if an operation does not work at all. */
const basicRequirements = ['LIST-1', 'CREATE-1', 'GET-1', 'GET-4', 'ORDERS-1'];

/** Operations that never succeed with a valid key, so that other requirements cannot be tested. */
const neverWorking = ({ coverage, requirements }: Outcome): readonly ConstantOperation[] => {
  const failures = failuresOf(
    requirements.filter(({ id }) => basicRequirements.includes(id) && blockedBy(id, requirements).length > 0),
  );
  return [...Map.groupBy(coverage, ({ operation }) => operation)].flatMap(([operation, cells]) => {
    const seen = cells.map((cell) => [cell.status, cell.seen] as const);
    const status = onlyStatus(seen, fewestOfOperation);
    const fails = failures.some(
      (failure) => failure.operation === operation && String(failure.response?.status) === status,
    );
    return fails && status?.startsWith('2') === false ? [{ operation, status }] : [];
  });
};

const operationsNeverWork = (outcome: Outcome): string | null => {
  const operations = neverWorking(outcome);
  return operations.length === 0 ? null : diagnoses.operationsNeverWork(operations);
};

/** Nothing fails, but every creation was rejected. */
const cannotCreate = ({ coverage, requirements }: Outcome): string | null => {
  const seen = (status: string) =>
    coverage.find((cell) => cell.operation === 'createPet' && cell.status === status)?.seen ?? 0;
  const creation = requirements.find(({ id }) => id === 'CREATE-1');
  return seen('400') >= fewestResponses && seen('201') === 0 && creation?.verdict === 'inconclusive'
    ? diagnoses.cannotCreate(creation.reason)
    : null;
};

const failedOf = ({ requirements }: Outcome): readonly RequirementResult[] =>
  requirements.filter(({ verdict }) => verdict === 'failed');

/** The server crashes, and animals that the run created before are lost. */
const restartsEmpty = (outcome: Outcome): string | null => {
  const lost = rootCauses(outcome).flatMap((cause) =>
    cause.kind === 'failure' && cause.failure.rule === 'no-response'
      ? cause.explains.filter(({ failure }) => isAboutLost(failure)).map(({ requirement }) => requirement)
      : [],
  );
  return lost.length === 0 ? null : diagnoses.restartsEmpty([...new Set(lost)]);
};

/** With fewer failed requirements, one status for all may be a coincidence. */
const fewestOfStatus = 3;

/** The status of a failure, if the failure is about the status. */
const wrongStatusOf = ({ problem }: ServerFailure): number | null =>
  'wrongStatus' in problem ? problem.wrongStatus : null;

/** All failures have the same unexpected 4xx. */
const sameStatus = (outcome: Outcome): string | null => {
  const failed = failedOf(outcome);
  const failures = failuresOf(failed);
  const [status = null, ...others] = new Set(failures.map(wrongStatusOf));
  if (status === null || status < 400 || status >= 500) return null;
  if (others.length > 0 || failed.length < fewestOfStatus) return null;
  const firstExchange = Math.min(...failures.map(({ exchange }) => exchange));
  return diagnoses.sameStatus({ status, requirements: failed.length, firstExchange });
};

const failureDiagnoses = [constantResponse, operationsNeverWork, nothingRejected, restartsEmpty, sameStatus];

/** Returns a likely cause of the whole result of a run, in a sentence; null: none is recognized. */
export const diagnosis = (outcome: Outcome): string | null => {
  if (outcome.verdict !== 'nonconformant') return hasNoFailure(outcome) ? cannotCreate(outcome) : null;
  return failureDiagnoses.map((diagnose) => diagnose(outcome)).find((found) => found !== null) ?? null;
};
