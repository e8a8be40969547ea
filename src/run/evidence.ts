import type { CheckName } from '../check/check-name.ts';
import type { RequestVariant } from '../check/header-variants.ts';
import type { ApiRequest } from '../http/exchange.ts';
import { causeKey, causeOf } from '../oracle/cause.ts';
import type { Breach, Finding } from '../oracle/finding.ts';
import { onEveryResponse } from '../oracle/oracle.ts';
import type { LossCode, Reason } from '../oracle/reason.ts';
import { type Observation, observationOf, type Passed, sortObservations } from './outcome.ts';
import { commonVariant, createPassLog, type Pass, placeOf } from './passing-requests.ts';

/** A breach as it is reported: once a cause, with how firmly it stands. */
export interface Cause {
  readonly breach: Breach;
  readonly check: CheckName;
  readonly path: string | null;
  /** It came back `seen` times of the `tries` it was sent. */
  readonly seen: number;
  readonly tries: number;
  readonly occurrences: number;
  /** Some of the other cases that met it, near ones and far ones. */
  readonly others: readonly Breach[];
}

interface Undecided {
  readonly reason: Reason;
  /** How many cases. */
  readonly count: number;
}

export interface Entry {
  readonly met: number;
  readonly causes: readonly Cause[];
  /** Why cases gave no clear result, each reason once, by its facts. */
  readonly undecided: ReadonlyMap<string, Undecided>;
  /** Messages of faults of the suite itself. */
  readonly errors: readonly string[];
}

/** All evidence of a run, by requirement. */
export interface EvidenceLog {
  /**
   * Tells whether the cause of a breach was recorded before. What did not come back each time it was sent again may be another request's
   * doing: of such a cause further cases are wanted.
   */
  knows(breach: Breach): boolean;
  record(findings: readonly Exclude<Finding, Breach>[]): void;
  /** Of several cases of one cause the one is kept that came back most reliably. */
  recordCause(cause: Omit<Cause, 'occurrences' | 'others'>): void;
  /** One more case met a known cause. */
  recur(breach: Breach): void;
  recordError(requirement: string, message: string): void;
  /** A case of a check met requirements, or breached them, by one request alone. */
  pass(check: string, pass: Pass): void;
  /** What is like a breach, and is well: requests of the operation, or what the breach names itself. */
  passedBeside(breach: Breach): Passed;
  /** The way of all requests that met the cause of a breach, and of none that passed; null: there is none. */
  commonVariant(breach: Breach): RequestVariant | null;
  entry(requirement: string): Entry;
  /** One more case of a check that is named for the requirement. */
  countCase(requirement: string, lostTo: LossCode | null): void;
  /** The cases that could have failed a requirement; of requirements on every response, the cases of all checks. */
  casesOf(requirement: string): CaseCount;
  observations(): readonly Observation[];
  readonly causes: number;
}

/** So many cases of a cause are looked at for one that comes back each time. */
const mostDoubtful = 5;

export const isFlaky = ({ seen, tries }: Pick<Cause, 'seen' | 'tries'>): boolean => seen < tries;

/** What a server owes that fails, whatever it was asked for. */
const ofFailures: readonly string[] = ['GEN-1', 'GEN-4'];

/** The server failed, and did not where the same was asked again: that says nothing of what it was asked for. */
const isTransient5xx = ({ breach, seen, tries }: Pick<Cause, 'breach' | 'seen' | 'tries'>): boolean =>
  seen < tries && (breach.exchange.response?.status ?? 0) >= 500 && !ofFailures.includes(breach.requirement);

/** A change that the document allows looks like this failure, but does not come back each time. */
const isChange = ({ breach, seen, tries }: Pick<Cause, 'breach' | 'seen' | 'tries'>): boolean =>
  breach.mustRecur === 'always' && (seen < tries || tries < 2);

/** Why a case decides nothing although it found a failure; null: it does decide. */
const doubtAbout = (cause: Pick<Cause, 'breach' | 'seen' | 'tries'>): Reason | null => {
  if (isChange(cause)) return { code: 'not-repeatable' };
  if (!isTransient5xx(cause)) return null;

  return { code: 'server-error', detail: 'once', status: cause.breach.exchange.response?.status ?? 0 };
};

const moreStable = <Case extends Pick<Cause, 'seen' | 'tries'>>(kept: Case, other: Case): Case =>
  other.seen * kept.tries > kept.seen * other.tries ? other : kept;

interface OpenEntry {
  met: number;
  readonly causes: Map<string, Cause>;
  /** How many cases were recorded of a cause. */
  readonly recorded: Map<string, number>;
  readonly undecided: Map<string, Undecided>;
  readonly errors: string[];
}

const addUndecided = ({ undecided }: OpenEntry, reason: Reason): void => {
  const facts = JSON.stringify(reason);
  undecided.set(facts, { reason, count: (undecided.get(facts)?.count ?? 0) + 1 });
};

const mostValues = 12;
/** Of all that recur these are named: neighbours are much alike, and a reader wants to see how far a cause goes. */
const namedOnes: readonly number[] = [1, 2, 3, 5, 9, 17, 33];

/** So many requests that met one cause are compared with those that did not. */
const mostBreaching = 200;

const withOther = ({ others, occurrences }: Cause, breach: Breach): readonly Breach[] =>
  breach.about === undefined || !namedOnes.includes(occurrences) ? others : [...others, breach];

const classOf = (status: number): number => Math.floor(status / 100);

/** A wrong response is compared with responses of its class, unless it is the status that is wrong. */
const isLike =
  ({ problem, exchange: { response } }: Breach) =>
  ({ status }: Pass): boolean =>
    causeOf(problem).wrongStatus !== undefined ||
    response === null ||
    classOf(status) === classOf(response.status);

/** An empty evidence log. Breaches are kept of the chosen requirements only; what was met is kept of all, as others may depend on it. */
export const createEvidenceLog = (
  isChosen: (requirement: string) => boolean,
  passes = createPassLog(),
): EvidenceLog => {
  const entries = new Map<string, OpenEntry>();
  const observed = new Map<string, Pick<Observation, 'id' | 'subject'> & { readonly values: Set<string> }>();
  const breaching = new Map<string, ApiRequest[]>();
  const cases = createCaseCounts();
  let causes = 0;

  const open = (requirement: string): OpenEntry => {
    const entry = entries.get(requirement) ?? {
      met: 0,
      causes: new Map(),
      recorded: new Map(),
      undecided: new Map(),
      errors: [],
    };
    entries.set(requirement, entry);
    return entry;
  };

  /** The requests that met a cause, of those that can be compared. */
  const breachingOf = (breach: Breach): ApiRequest[] => {
    const key = `${causeKey(breach)} | ${placeOf(breach.exchange.request)}`;
    const known = breaching.get(key) ?? [];
    breaching.set(key, known);
    return known;
  };

  const noteBreaching = (breach: Breach) => {
    const known = breachingOf(breach);
    if (known.length < mostBreaching) known.push(breach.exchange.request);
  };

  const observe = (finding: Extract<Finding, { kind: 'observation' }>) => {
    const key = `${finding.requirement} ${finding.subject}`;
    const known = observed.get(key) ?? {
      id: finding.requirement,
      subject: finding.subject,
      values: new Set<string>(),
    };
    observed.set(key, known);
    if (known.values.size < mostValues) known.values.add(finding.value);
    open(finding.requirement).met += 1;
  };

  const recordOne = (finding: Exclude<Finding, Breach>) => {
    if (finding.kind === 'observation') return observe(finding);
    const entry = open(finding.requirement);
    if (finding.kind === 'passed') entry.met += 1;
    else addUndecided(entry, finding.reason);
  };

  const knows = (breach: Breach): boolean => {
    const { causes: known, recorded } = open(breach.requirement);
    const key = causeKey(breach);
    const cause = known.get(key);
    const needsCaution = cause === undefined || isFlaky(cause);
    return !(needsCaution && (recorded.get(key) ?? 0) < mostDoubtful);
  };

  return {
    knows: (breach) => !isChosen(breach.requirement) || knows(breach),
    record: (findings) => findings.forEach(recordOne),
    recordCause: (cause) => {
      const { breach } = cause;
      if (!isChosen(breach.requirement)) return;
      const key = causeKey(breach);
      const entry = open(breach.requirement);
      const known = entry.causes.get(key);
      entry.recorded.set(key, (entry.recorded.get(key) ?? 0) + 1);
      const doubt = doubtAbout(cause);
      if (doubt !== null) {
        addUndecided(entry, doubt);
        return;
      }
      noteBreaching(breach);
      if (known === undefined) causes += 1;
      else if (!isFlaky(known)) return;
      const kept =
        known === undefined ? cause : moreStable<Omit<Cause, 'occurrences' | 'others'>>(known, cause);
      entry.causes.set(key, {
        ...kept,
        occurrences: (known?.occurrences ?? 0) + 1,
        others: known?.others ?? [],
      });
    },
    recur: (breach) => {
      const entry = open(breach.requirement);
      const known = entry.causes.get(causeKey(breach));
      if (known === undefined) return;
      noteBreaching(breach);
      entry.causes.set(causeKey(breach), {
        ...known,
        occurrences: known.occurrences + 1,
        others: withOther(known, breach),
      });
    },
    recordError: (requirement, message) => {
      if (isChosen(requirement)) open(requirement).errors.push(message);
    },
    pass: passes.add,
    passedBeside: (breach) => {
      const { requirement, exchange, beside } = breach;
      if (beside !== undefined)
        return { candidates: beside.map((each) => ({ kind: 'creation', exchange: each })), breaching: [] };
      const candidates = passes
        .meeting(requirement, exchange.request)
        .filter(isLike(breach))
        .map((pass) => pass.about());
      const breaching = [...open(requirement).causes.values()]
        .flatMap(({ breach: known, others }) => [known, ...others])
        .flatMap(({ about }) => about ?? []);
      return { candidates, breaching };
    },
    commonVariant: (breach) =>
      commonVariant(
        breachingOf(breach),
        passes.meeting(breach.requirement, breach.exchange.request).map(({ request }) => request),
      ),
    entry: (requirement) => {
      const entry = open(requirement);
      return { ...entry, causes: [...entry.causes.values()] };
    },
    countCase: cases.add,
    casesOf: (requirement) => (onEveryResponse.includes(requirement) ? cases.all : cases.of(requirement)),
    observations: () =>
      sortObservations(
        [...observed.values()].map(({ values, ...subject }) => observationOf(subject, values)),
      ),
    get causes() {
      return causes;
    },
  };
};

/** How many cases there were, and how many of them were lost to what. */
export interface CaseCount {
  readonly total: number;
  readonly lost: ReadonlyMap<LossCode, number>;
}

/** Tested on whatever is sent: what was not sent is no loss to them. */
const onWhateverIsSent: readonly string[] = ['RATE-1', 'RATE-2', 'RATE-3'];

const none: CaseCount = { total: 0, lost: new Map() };

/** Counts cases by requirement, and all of them together. */
const createCaseCounts = () => {
  const counts = new Map<string, { total: number; lost: Map<LossCode, number> }>();
  const all = { total: 0, lost: new Map<LossCode, number>() };
  return {
    /** One more case of a check that is named for this requirement. */
    add: (requirement: string, lostTo: LossCode | null): void => {
      const own = counts.get(requirement) ?? { total: 0, lost: new Map<LossCode, number>() };
      counts.set(requirement, own);
      for (const count of [own, all]) {
        count.total += 1;
        if (lostTo !== null) count.lost.set(lostTo, (count.lost.get(lostTo) ?? 0) + 1);
      }
    },
    of: (requirement: string): CaseCount =>
      onWhateverIsSent.includes(requirement) ? none : (counts.get(requirement) ?? none),
    all: all as CaseCount,
  };
};
