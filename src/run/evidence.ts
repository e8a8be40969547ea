import type { RequestVariant } from '../check/header-variants.ts';
import { type Breach, causeKey, type Finding } from '../finding/finding.ts';
import { causeOf } from '../finding/problem.ts';
import type { LossCode, Reason } from '../finding/reason.ts';
import type { ApiRequest } from '../http/exchange.ts';
import { onEveryResponse } from '../oracle/oracle.ts';
import { memoizedByValue } from '../util/memoize.ts';
import type { CaseCount, Inconclusive, VerdictEvidence } from './decide-verdict.ts';
import type { Circumstances, FoundFailure, Passed } from './found-outcome.ts';
import { type Observation, observationOf, sortObservations } from './outcome.ts';
import { commonVariant, createPassLog, type PassedCase, type PassLog, scopeOf } from './passing-requests.ts';

/** A failure that its case confirmed. */
type Confirmed = Omit<FoundFailure, 'occurrences' | 'inputs' | 'others' | keyof Circumstances>;

/** Circumstances are known when the run ends. */
export const notYetKnown: Circumstances = {
  passed: { candidates: [], breaching: [] },
  commonVariant: null,
  irrelevantFields: [],
  servesWithoutKey: false,
  crash: null,
  causedBy: null,
  leftBy: null,
};

/** All evidence on one requirement. */
export interface Evidence extends VerdictEvidence {
  /** How long its checks took. */
  readonly ms: number;
  /** One for each cause. */
  readonly failures: readonly FoundFailure[];
}

export type EvidenceLog = ReturnType<typeof createEvidenceLog>;

interface OpenCount {
  total: number;
  readonly lost: Map<LossCode, number>;
}

const createCount = (): OpenCount => ({ total: 0, lost: new Map() });

type OpenEvidence = ReturnType<typeof createEvidence>;

const createEvidence = () => ({
  passed: 0,
  ms: 0,
  failures: new Map<string, FoundFailure>(),
  /** How many cases were recorded of each cause. */
  recorded: new Map<string, number>(),
  inconclusive: new Map<string, Inconclusive>(),
  errors: [] as string[],
  cases: createCount(),
});

interface Observed extends Pick<Observation, 'id' | 'subject'> {
  readonly values: Set<string>;
}

type State = ReturnType<typeof createState>;

const createState = (isSelected: (requirement: string) => boolean, passes: PassLog) => ({
  isSelected,
  passes,
  byRequirement: new Map<string, OpenEvidence>(),
  observed: new Map<string, Observed>(),
  /** Comparable failing requests, by cause. */
  failing: memoizedByValue((_cause: string): ApiRequest[] => []),
  allCases: createCount(),
});

/**
 * All evidence of a run, by requirement. Breaches are kept only of the selected requirements. What passed is kept of all, because others
 * may depend on it.
 */
export const createEvidenceLog = (isSelected: (requirement: string) => boolean, passes = createPassLog()) => {
  const state = createState(isSelected, passes);
  return {
    /**
     * Tells whether the cause of a breach needs no further cases. A flaky cause may be the effect of another request, so it needs some
     * more.
     */
    isKnown: (breach: Breach): boolean => isKnown(state, breach),
    record: (findings: readonly Exclude<Finding, Breach>[]): void => {
      for (const finding of findings) record(state, finding);
    },
    /** Records a cause. Of several cases, it keeps the one that repeats most reliably. */
    recordFailure: (failure: Confirmed): void => recordFailure(state, failure),
    /** One more case has a known cause. */
    recordRecurrence: (breach: Breach): void => recordRecurrence(state, breach),
    recordError: (requirement: string, message: string): void => {
      if (isSelected(requirement)) open(state, requirement).errors.push(message);
    },
    /** A case of one request passed requirements, or failed them. */
    recordPass: passes.add,
    /** A check of the requirement took so long. */
    addTime: (requirement: string, ms: number): void => {
      open(state, requirement).ms += ms;
    },
    /** One more case of a check of the requirement. */
    countCase: (requirement: string, lostTo: LossCode | null): void => countCase(state, requirement, lostTo),
    evidenceOn: (requirement: string): Evidence => {
      const evidence = open(state, requirement);
      return { ...evidence, failures: [...evidence.failures.values()] };
    },
    /** The cases that could have failed a requirement. If every response tests it: all cases. */
    casesOf: (requirement: string): CaseCount => casesOf(state, requirement),
    /** Passing requests to compare a breach with: of the same operation, or the ones that the breach names. */
    similarPassing: (breach: Breach): Passed => similarPassing(state, breach),
    /** The header variant that all requests with the cause of a breach have, and no passing request has; null: none. */
    commonVariant: (breach: Breach): RequestVariant | null =>
      commonVariant(
        failingWith(state, breach),
        passes.passing(breach.requirement, breach.exchange.request).map(({ request }) => request),
      ),
    observations: (): readonly Observation[] =>
      sortObservations(
        [...state.observed.values()].map(({ values, ...subject }) => observationOf(subject, values)),
      ),
    get causes() {
      return [...state.byRequirement.values()].reduce((sum, { failures }) => sum + failures.size, 0);
    },
  };
};

const open = ({ byRequirement }: State, requirement: string): OpenEvidence => {
  const evidence = byRequirement.get(requirement) ?? createEvidence();
  byRequirement.set(requirement, evidence);
  return evidence;
};

/** The number of cases of a cause that are tried to find one that repeats each time. */
const maxFlakyTries = 5;

/** The failure did not repeat each time that the case was sent. */
export const isFlaky = ({ seen, tries }: Pick<FoundFailure, 'seen' | 'tries'>): boolean => seen < tries;

const isKnown = (state: State, breach: Breach): boolean => {
  if (!state.isSelected(breach.requirement)) return true;
  const { failures, recorded } = open(state, breach.requirement);
  const key = causeKey(breach);
  const found = failures.get(key);
  return (found !== undefined && !isFlaky(found)) || (recorded.get(key) ?? 0) >= maxFlakyTries;
};

const record = (state: State, finding: Exclude<Finding, Breach>): void => {
  const evidence = open(state, finding.requirement);
  if (finding.kind === 'observation') addObservation(state, finding);
  if (finding.kind === 'inconclusive') addInconclusive(evidence, finding.reason);
  else evidence.passed += 1;
};

const addInconclusive = ({ inconclusive }: OpenEvidence, reason: Reason): void => {
  const facts = JSON.stringify(reason);
  inconclusive.set(facts, { reason, count: (inconclusive.get(facts)?.count ?? 0) + 1 });
};

/** The number of values that are kept of one subject. */
const maxValues = 12;

const addObservation = (
  { observed }: State,
  { requirement, subject, value }: Extract<Finding, { kind: 'observation' }>,
): void => {
  const key = `${requirement} ${subject}`;
  const known = observed.get(key) ?? { id: requirement, subject, values: new Set<string>() };
  observed.set(key, known);
  if (known.values.size < maxValues) known.values.add(value);
};

const recordFailure = (state: State, failure: Confirmed): void => {
  const { breach } = failure;
  if (!state.isSelected(breach.requirement)) return;
  const key = causeKey(breach);
  const evidence = open(state, breach.requirement);
  const known = evidence.failures.get(key);
  evidence.recorded.set(key, (evidence.recorded.get(key) ?? 0) + 1);
  const doubt = doubtAbout(failure);
  if (doubt !== null) {
    addInconclusive(evidence, doubt);
    return;
  }
  noteFailing(state, breach);
  if (known !== undefined && !isFlaky(known)) return;
  evidence.failures.set(key, {
    ...notYetKnown,
    ...(known === undefined ? failure : moreStable(known, failure)),
    occurrences: (known?.occurrences ?? 0) + 1,
    inputs: withInput(known?.inputs ?? [], breach),
    others: known?.others ?? [],
  });
};

/** The number of inputs that are kept of one cause. */
const maxInputs = 20;

const withInput = (inputs: readonly string[], { probe }: Breach): readonly string[] =>
  probe === undefined || inputs.includes(probe.label) || inputs.length >= maxInputs
    ? inputs
    : [...inputs, probe.label];

/** Requirements on server errors: any request may fail them. */
const onServerErrors: readonly string[] = ['GEN-1', 'GEN-4'];

/** Why a case decides nothing although it failed; null: it decides. */
const doubtAbout = ({ breach, seen, tries }: Confirmed): Reason | null => {
  const status = breach.exchange.response?.status ?? 0;
  // The document allows changes, which look like this failure but do not repeat each time.
  if (breach.mustRecur === 'always' && (seen < tries || tries < 2)) return { code: 'not-repeatable' };
  const isTransient5xx = seen < tries && status >= 500 && !onServerErrors.includes(breach.requirement);
  return isTransient5xx ? { code: 'server-error', detail: 'once', status } : null;
};

const moreStable = (kept: Confirmed, other: Confirmed): Confirmed =>
  other.seen * kept.tries > kept.seen * other.tries ? other : kept;

/** Which recurrences are kept: neighbors are much alike, and a reader wants to see how far a cause goes. */
const keptRecurrences: readonly number[] = [1, 2, 3, 5, 9, 17, 33];

const recordRecurrence = (state: State, breach: Breach): void => {
  const { failures } = open(state, breach.requirement);
  const known = failures.get(causeKey(breach));
  if (known === undefined) return;
  noteFailing(state, breach);
  const isKept = breach.about !== undefined && keptRecurrences.includes(known.occurrences);
  failures.set(causeKey(breach), {
    ...known,
    occurrences: known.occurrences + 1,
    inputs: withInput(known.inputs, breach),
    others: isKept ? [...known.others, breach] : known.others,
  });
};

/** The number of failing requests of one cause that are compared with passing ones. */
const maxFailing = 200;

const failingWith = ({ failing }: State, breach: Breach): ApiRequest[] =>
  failing(`${causeKey(breach)} | ${scopeOf(breach.exchange.request)}`);

const noteFailing = (state: State, breach: Breach): void => {
  const known = failingWith(state, breach);
  if (known.length < maxFailing) known.push(breach.exchange.request);
};

const similarPassing = (state: State, breach: Breach): Passed => {
  const { requirement, exchange, beside } = breach;
  if (beside !== undefined)
    return { candidates: beside.map((each) => ({ kind: 'creation', exchange: each })), breaching: [] };
  const candidates = state.passes
    .passing(requirement, exchange.request)
    .filter(isComparable(breach))
    .map((passed) => passed.about());
  const breaching = [...open(state, requirement).failures.values()]
    .flatMap(({ breach: known, others }) => [known, ...others])
    .flatMap(({ about }) => about ?? []);
  return { candidates, breaching };
};

const classOf = (status: number): number => Math.floor(status / 100);

/**
 * A wrong response is compared with responses of its class. If the status is wrong, it is compared with other statuses: the same one
 * may be right for another request, but it shows nothing.
 */
const isComparable =
  ({ problem, exchange: { response } }: Breach) =>
  ({ status }: PassedCase): boolean => {
    const { wrongStatus } = causeOf(problem);
    if (wrongStatus !== undefined) return status !== wrongStatus;
    return response === null || classOf(status) === classOf(response.status);
  };

const countCase = (state: State, requirement: string, lostTo: LossCode | null): void => {
  for (const count of [open(state, requirement).cases, state.allCases]) {
    count.total += 1;
    if (lostTo !== null) count.lost.set(lostTo, (count.lost.get(lostTo) ?? 0) + 1);
  }
};

/** Any request tests them: a request that was not sent is no loss to them. */
const onAnyRequest: readonly string[] = ['RATE-1', 'RATE-2', 'RATE-3'];

const casesOf = (state: State, requirement: string): CaseCount => {
  if (onEveryResponse.includes(requirement)) return state.allCases;
  if (onAnyRequest.includes(requirement)) return createCount();
  const { cases } = open(state, requirement);
  // Any request for an animal can show that getPet was removed too early.
  return requirement === 'GET-4' ? sumOf(cases, open(state, 'GET-1').cases) : cases;
};

const sumOf = (one: CaseCount, other: CaseCount): CaseCount => {
  const codes = new Set([...one.lost.keys(), ...other.lost.keys()]);
  return {
    total: one.total + other.total,
    lost: new Map([...codes].map((code) => [code, (one.lost.get(code) ?? 0) + (other.lost.get(code) ?? 0)])),
  };
};
