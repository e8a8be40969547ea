import type { RunSettings } from '../config/settings.ts';
import type { Side } from '../finding/finding.ts';
import type { EndReason, LossCode, ReasonCode } from '../finding/reason.ts';
import type { ReportedProblem } from '../finding/reported.ts';
import type { ClientTraffic } from '../http/client-types.ts';
import type { RequestView, ResponseView } from '../http/request-view.ts';
import type { Level } from '../openapi/requirement.ts';
import type { Timeline } from '../rate-limit/timeline.ts';

export type { Timeline, TimelinePoint, TimelineWait } from '../rate-limit/timeline.ts';

/** The result of one requirement; computed from evidence, never set by hand. */
export type Verdict = 'passed' | 'failed' | 'warned' | 'observed' | 'inconclusive' | 'skipped' | 'error';

/** A request and its response, shown with a failure that follows from them. */
export interface Step {
  readonly request: RequestView;
  /** Null: no response came. */
  readonly response: ResponseView | null;
}

/** An earlier request that a failure follows from, although its own response is fine. */
export interface Culprit extends Step {
  /** In `exchanges` and the HAR. */
  readonly exchange: number;
  /** A shell command that sends the same request, with the key as `$ANIMAL_STORE_API_KEY`. */
  readonly curl: string;
}

/** Requests of a client with one key, in milliseconds since the first one. */
export interface ClientLine {
  /** The scenario. */
  readonly name: string;
  readonly durationMs: number;
  /** `isWrong`: a requirement fails by it. */
  readonly requests: readonly {
    readonly at: number;
    readonly status: number | null;
    readonly isWrong: boolean;
  }[];
  /** The times in which no request may come. */
  readonly waits: readonly { readonly from: number; readonly until: number }[];
}

/** What a failure of any side of the document has. */
export interface FailureFacts<S extends Side = Side> {
  readonly side: S;
  /** What is wrong, as a permanent code: `header-missing`. */
  readonly rule: string;
  /** What is wrong, as facts: all decisions about a failure are made with them. */
  readonly problem: ReportedProblem;
  /** One sentence for the author of what is tested. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** Distinguishes failures of one rule and subject, for comparison only; absent: nothing does. */
  readonly variant?: string;
  /** Failures of several subjects with the same value are probably one bug; for comparison only. */
  readonly alike: string;
  /** The check that found it. */
  readonly check: string;
  /** How often it failed for the same cause. */
  readonly occurrences: number;
}

/** A failure of a server, which an exchange shows. */
export interface ServerFailure extends FailureFacts<'server'> {
  readonly operation: string;
  readonly request: RequestView;
  /** Null: no response came; `actual` says why. */
  readonly response: ResponseView | null;
  /** A shell command that sends the same request, with the key as `$ANIMAL_STORE_API_KEY`. */
  readonly curl: string;
  /** The same command with the body in a file of the report folder; absent: `curl` is short, or the reports are merged. */
  readonly shortCurl?: { readonly command: string; readonly file: string; readonly body: Uint8Array };
  readonly seed: number;
  /** fast-check's path of the case; null if the case depends on earlier ones. */
  readonly path: string | null;
  /** The command that repeats only this case; if `path` is null, the run. */
  readonly replay: string;
  /** How often it failed when it was sent: `seen` of `tries` times. Stable if the two are equal. */
  readonly seen: number;
  readonly tries: number;
  /** The exchange it was seen in, in `exchanges` and the HAR. */
  readonly exchange: number;
  /** The headers that are wrong; absent: none. */
  readonly headers?: readonly string[];
  /** The JSON members that are wrong; absent: none, or the whole body. */
  readonly members?: readonly string[];
  /** What was sent before, and is part of the case, in the order of sending; absent: nothing. */
  readonly before?: readonly Step[];
  /** The creation since which lists fail; absent: nothing shows that the failure follows from an earlier request. */
  readonly causedBy?: Culprit;
  /** How the names of the earlier run begin that left all animals which fail; absent: others fail, too. */
  readonly leftBy?: string;
  /** What is unusual about the requests of the cases that failed for this cause, the first 20. Absent: the suite did not send them. */
  readonly inputs?: readonly string[];
  /** Other requests that failed for the same cause, in words; not all if there are many. Absent: none. */
  readonly others?: readonly string[];
  /** The most similar requests of the operation that passed the requirement, in words; absent: none. */
  readonly passed?: readonly string[];
}

/** The failures of each side of the document that the reports of a run show. */
interface Failures {
  readonly server: ServerFailure;
}

/** One cause for which a requirement fails, or warns. */
export type Failure = Failures[keyof Failures];

/** Something about failures, for each side of the document. */
export type BySide<Result> = { readonly [S in keyof Failures]: (failure: Failures[S]) => Result };

const ofSide = <Result, S extends keyof Failures>(
  table: BySide<Result>,
  side: S,
  failure: Failures[S],
): Result => table[side](failure);

/** Returns what the table has for a failure. */
export const bySide = <Result>(table: BySide<Result>, failure: Failure): Result =>
  ofSide(table, failure.side, failure);

export const isOfServer = (failure: Failure): failure is ServerFailure => failure.side === 'server';

/** How often a requirement passed, how many cases could have failed it, and how many of them were lost to what. */
export interface PartialEvidence {
  readonly passed: number;
  readonly cases: number;
  readonly lost: Readonly<Partial<Record<LossCode, number>>>;
}

export interface RequirementResult<F extends FailureFacts = Failure> {
  readonly id: string;
  readonly level: Level;
  readonly statement: string;
  readonly section: string;
  readonly verdict: Verdict;
  /** The reason from --known-failures, else null. */
  readonly known: string | null;
  /** Why inconclusive or skipped, else null. */
  readonly reason: string | null;
  /** The reason for programs, else null. */
  readonly reasonCode: ReasonCode | null;
  /** The failed requirement that this one depends on; absent: `reasonCode` is not `blocked`. */
  readonly blockedBy?: string;
  /** How many times it was tested. */
  readonly checks: number;
  /** What the verdict follows from, for merging. Absent: the report is a claim. */
  readonly evidence?: PartialEvidence;
  /** How long its checks took, waits included; some ran at the same time. */
  readonly durationMs: number;
  readonly failures: readonly F[];
}

/** The result of one requirement on any side of the document. */
export type AnyResult = RequirementResult<FailureFacts>;

/** A known failure passed: the list of known failures is out of date, and the run fails. */
export const isUnexpectedPass = ({ known, verdict }: Pick<RequirementResult, 'known' | 'verdict'>): boolean =>
  known !== null && verdict === 'passed';

/** It was tested with a clear result. */
export const isDecided = ({ verdict }: Pick<RequirementResult, 'verdict'>): boolean =>
  ['passed', 'failed', 'warned', 'observed'].includes(verdict);

export const isInterrupted = ({ endedCode }: Pick<Outcome, 'endedCode'>): boolean =>
  endedCode === 'interrupted';

/** Nothing could be tested on the target, which ended the run. */
export const isUnjudgeable = (run: Pick<Outcome, 'verdict' | 'ended' | 'endedCode'>): boolean =>
  run.verdict === 'not-judged' && run.ended !== null && !isInterrupted(run);

/** What the target does that the document does not specify. */
export interface Observation {
  readonly id: string;
  readonly subject: string;
  /** All values, joined for people. */
  readonly value: string;
  /** Each value once. */
  readonly values: readonly string[];
}

/** An animal that the run created: there is no delete, so an operator may want to find it. `id` keeps its digits. */
export interface CreatedAnimal {
  readonly id: string;
  readonly name: string;
}

export interface Traffic extends ClientTraffic {
  /** Possible creations: every 2xx of a POST, and every POST without a response. */
  readonly created: number;
}

export type Latency = ClientTraffic['latency'][string];

/** The headers that came with a status of an operation, with counts. A documented status that was not `seen` is untested. */
export interface CoverageCell {
  readonly operation: string;
  readonly status: string;
  readonly seen: number;
  /** How many of them could not be read to their end. Absent: none. */
  readonly cut?: number;
  /** How many of them are 429s that a check asked for. Absent: none. */
  readonly expected?: number;
  /** Response header names in lower case, with the number of responses that carried them. */
  readonly headers: Readonly<Record<string, number>>;
  /** The document has this status for the operation. */
  readonly documented: boolean;
}

/** An exchange kept for the reports: every exchange of failed cases, a sample of the others. */
export interface RecordedExchange {
  readonly id: number;
  readonly check: string;
  readonly operation: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly request: RequestView;
  readonly response: ResponseView | null;
  /** Why no response came, else null. */
  readonly failure: string | null;
  /** Ids of the requirements that this exchange breaches. */
  readonly breaches: readonly string[];
}

/** How many operations of a document got a request, and why the others did not. */
export interface OperationCount {
  readonly all: number;
  readonly requested: number;
  /** How many the user left out of the others. */
  readonly leftOut: number;
  /** One sentence each, with the operation. */
  readonly notRequested: readonly string[];
}

/** How many operations the run missed, although the user did not leave them out. */
export const missedOperations = ({ all, requested, leftOut }: Omit<OperationCount, 'notRequested'>): number =>
  all - requested - leftOut;

/** Whether a run says more about what it missed than about the API. */
export const missesMost = (operations: Omit<OperationCount, 'notRequested'> | null | undefined): boolean =>
  operations != null && missedOperations(operations) > operations.requested;

/** The result of a run, which every report shows. Contains no key. */
export interface Outcome<F extends FailureFacts = Failure> {
  readonly tool: { readonly name: string; readonly version: string };
  readonly interface: {
    readonly version: string;
    /** Absent: the animal store. */
    readonly title?: string;
  };
  readonly target: { readonly baseUrl: string; readonly reference: boolean; readonly plan: string | null };
  /** RFC 3339. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  /** Which part of a run this is; absent: it is the whole. */
  readonly shard?: RunSettings['shard'];
  readonly verdict: 'conformant' | 'nonconformant' | 'not-judged';
  /** Why the run ended early (interrupted, target gone), or why it could not judge; else null. */
  readonly ended: string | null;
  /** `ended` for programs: interrupted, or ended by the target. Absent: it did not end early. */
  readonly endedCode?: EndReason['code'];
  /** Why no request got a response, in a clause. Absent: a response came, or the run was ended for another reason. */
  readonly silence?: string;
  /** Until when the limit of the API key is used up, in a clause. Absent: it is not, or the report is merged. */
  readonly usedUp?: string;
  readonly requirements: readonly RequirementResult<F>[];
  readonly observations: readonly Observation[];
  readonly traffic: Traffic;
  readonly created: readonly CreatedAnimal[];
  readonly coverage: readonly CoverageCell[];
  /** Absent: the animal store. */
  readonly operations?: OperationCount;
  readonly exchanges: readonly RecordedExchange[];
  /** The run over time. Absent: the report is merged. */
  readonly timeline?: Timeline;
  /** The requests of a client over time. Absent: a server was tested. */
  readonly clients?: readonly ClientLine[];
  /** The command that repeats the run; keys come from the environment. Absent: the report is merged. */
  readonly command?: string;
  /** Settings that are not the default ones, by their names in a configuration file. Absent as `command`. */
  readonly settings?: Readonly<Record<string, SettingValue>>;
}

export type SettingValue = string | number | boolean | readonly string[];

const byNumber = new Intl.Collator('en', { numeric: true });
const byLetter = new Intl.Collator();

/** One observation out of the values seen of its subject, each value once. */
export const observationOf = (
  { id, subject }: Pick<Observation, 'id' | 'subject'>,
  seen: Iterable<string>,
): Observation => {
  const values = [...new Set(seen)].sort();
  return { id, subject, value: values.join(', '), values };
};

/** Observations in the order of reports: by requirement, then by subject. */
export const sortObservations = (observations: readonly Observation[]): readonly Observation[] =>
  observations.toSorted((a, b) => byNumber.compare(a.id, b.id) || byLetter.compare(a.subject, b.subject));
