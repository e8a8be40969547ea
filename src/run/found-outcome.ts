import type { RequestVariant } from '../check/header-variants.ts';
import type { RunSettings } from '../config/settings.ts';
import type { CheckName } from '../finding/check-name.ts';
import type { Breach } from '../finding/finding.ts';
import type { About, Probe } from '../finding/probe.ts';
import type { EndReason, Reason } from '../finding/reason.ts';
import type { Exchange, FailureDetail, KeySlot } from '../http/exchange.ts';
import type { WaitReason } from '../http/pacing-types.ts';
import type { Redactors } from '../http/redact.ts';
import type { Timeline } from '../rate-limit/timeline.ts';
import type { OperationCount, Outcome, RecordedExchange, RequirementResult } from './outcome.ts';

/** An exchange kept for the reports, with facts on why no response came. */
export interface FoundExchange extends Omit<RecordedExchange, 'failure'> {
  readonly failure: FailureDetail | null;
}

/** Requests that passed a requirement, to compare with one that failed it. */
export interface Passed {
  readonly candidates: readonly About[];
  /** Requests that failed the requirement: equal requests passed it by chance. */
  readonly breaching: readonly About[];
}

/** What was sent when a target went down. */
export interface Crash {
  /** The requests that got no response, the unusual ones first. Empty: it went down between two requests. */
  readonly inFlight: readonly Probe[];
  /** Only the request of the failure was in flight. */
  readonly isAlone: boolean;
  readonly last: readonly { readonly probe: Probe; readonly status: number }[];
}

/** What the rest of a run shows about a failure. */
export interface Circumstances {
  readonly passed: Passed;
  /** All requests that failed this way, and no others, have these headers. */
  readonly commonVariant: RequestVariant | null;
  /** Header fields of the request that do not matter, because requests with others failed as well. */
  readonly irrelevantFields: readonly string[];
  /** The same request also succeeds without a key (AUTH-1). */
  readonly servesWithoutKey: boolean;
  /** The target went down; null: it did not. */
  readonly crash: Crash | null;
  /** The creation since which lists fail; null: nothing shows that the failure follows from an earlier request. */
  readonly causedBy: Exchange | null;
  /** How the names of the run begin that left all animals which fail; null: others fail, too. */
  readonly leftBy: string | null;
}

/** A failure as facts, from its confirmation to the report, which makes the texts of a `Failure` from them. Not redacted. */
export interface FoundFailure extends Circumstances {
  readonly breach: Breach;
  /** The check that found it. */
  readonly check: CheckName;
  /** Null: the case depends on earlier ones. */
  readonly path: string | null;
  /** It was sent `tries` times, and failed `seen` times. */
  readonly seen: number;
  readonly tries: number;
  readonly occurrences: number;
  /** What is unusual about the requests of its cases; the first few. */
  readonly inputs: readonly string[];
  /** Breaches of other cases with this cause: of the next few, and of some later ones. */
  readonly others: readonly Breach[];
}

/** What a run found out about one requirement, as facts. Not redacted. */
export interface FoundResult
  extends Omit<RequirementResult, 'reason' | 'reasonCode' | 'blockedBy' | 'failures'> {
  readonly reason: Reason | null;
  readonly failures: readonly FoundFailure[];
}

/** What a run found out, as facts. */
export interface FoundOutcome
  extends Omit<
    Outcome,
    | 'ended'
    | 'endedCode'
    | 'usedUp'
    | 'requirements'
    | 'operations'
    | 'exchanges'
    | 'timeline'
    | 'command'
    | 'settings'
  > {
  readonly exchanges: readonly FoundExchange[];
  readonly ended: EndReason | null;
  readonly requirements: readonly FoundResult[];
  /** Null: the animal store. */
  readonly operations:
    | (Required<Omit<OperationCount, 'notRequested'>> & { readonly reasons: readonly Reason[] })
    | null;
  readonly timeline: Timeline<WaitReason>;
  /** The keys that others were seen to use. */
  readonly sharedKeys: readonly KeySlot[];
  /** Why the API key was used no further; null: it was not used up. */
  readonly usedUp: Reason | null;
}

/** What reports need to know of a run to write its commands. Has the keys, so that reports can leave them out. */
export interface ReportContext extends Redactors {
  readonly settings: RunSettings;
  readonly target: {
    readonly baseUrl: string;
    readonly reference: boolean;
    readonly keys: Readonly<Record<KeySlot, string | null>>;
  };
  readonly seed: number;
  /** The words that start a run, for commands that repeat a failure: `npx animal-store-conformance run`. Absent: without npx. */
  readonly command?: string;
  /** The commands that repeat a judgement of a client, in whole; absent: a server was tested. */
  readonly judged?: {
    readonly command: string;
    replay(found: Pick<FoundFailure, 'breach'>): string;
    /** The client's key in an exchange; null: not known. */
    keyIn(exchange: Exchange): string | null;
  };
}
