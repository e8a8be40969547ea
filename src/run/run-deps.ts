import type { Check } from '../check/check.ts';
import type { Suite } from '../check/suite.ts';
import type { Header, KeySlot, Transport } from '../http/exchange.ts';
import type { EstimateBasis, RunNote, WaitReason } from '../http/pacing-types.ts';
import type { ApiDocument } from '../openapi/document.ts';
import type { Plan } from '../openapi/plans.ts';
import type { Requirement } from '../openapi/requirement.ts';
import type { Clock } from '../time/clock.ts';
import type { Attempt } from './exchange-pipeline.ts';
import type { FoundResult, ReportContext } from './found-outcome.ts';
import type { Observation } from './outcome.ts';
import type { SharedRun } from './shared-run.ts';

/** What a run reports while it is running. */
export type RunEvent =
  /** Before the first check: what is going to be sent, and how long that takes at this limit. */
  | {
      readonly kind: 'planned';
      readonly requests: number;
      /** How many animals they create, if the server refuses what it should. */
      readonly creations: number;
      readonly estimateMs: number;
      /** The same if many requests fail, and are sent again. */
      readonly longestMs: number;
      /** How many requests the limit of the day allows until it resets, which is after the run; null: as many as are planned. */
      readonly leftToday: number | null;
      readonly basis: EstimateBasis;
      /** What the plan allows in a day, if the run takes much of it. */
      readonly day: { readonly plan: Plan; readonly requests: number } | null;
      /**
       * Whether checks use up the limit of the rate limit key. `assumed`: nothing has shown that limit, so that the estimate assumes the
       * minute of the smallest plan.
       */
      readonly usesUpLimit: 'no' | 'known' | 'assumed';
    }
  | {
      readonly kind: 'progress';
      /** Completed requests, out of `planned`. */
      readonly done: number;
      readonly planned: number;
      readonly failures: number;
      readonly remainingMs: number | null;
      /** The current check. */
      readonly check: string;
    }
  | { readonly kind: 'waiting'; readonly reason: WaitReason; readonly untilMs: number }
  /** A requirement fails by now. `blocked`: it no longer does, because another one that it depends on only failed. */
  | { readonly kind: 'failed'; readonly requirement: string }
  | { readonly kind: 'blocked'; readonly requirement: string }
  | { readonly kind: 'note'; readonly note: RunNote };

export type ProgressListener = (event: RunEvent) => void;

/** The server under test, and how to reach it. */
export interface Target {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly keys: Readonly<Record<KeySlot, string | null>>;
  /** Sent with each request; absent: none. */
  readonly headers?: readonly Header[];
  readonly plans: Readonly<Record<KeySlot, Plan | null>>;
  /** The built-in reference server. */
  readonly reference: boolean;
  readonly transport: Transport;
  close(): Promise<void>;
}

/** What a run needs besides its settings. */
export interface RunDeps {
  readonly clock: Clock;
  readonly watch: ProgressListener;
  /** Aborted: the run ends, and its outcome is what was tested so far. */
  readonly signal: AbortSignal;
  /** From 0 up to 1; draws the seed if none is set. */
  readonly random: () => number;
  readonly target: Target;
  readonly suite: Suite;
  /** Why requirements are known failures, by id; absent: none is. */
  readonly known?: ReadonlyMap<string, string>;
  /** The user's own requirements and checks; absent: none. */
  readonly extra?: {
    readonly requirements: readonly Requirement[];
    readonly checks: readonly Check[];
  };
  /** Gets each result once, as soon as it is certain, with the observations for the requirement. */
  readonly onDecided?: (
    result: FoundResult,
    observations: readonly Observation[],
    context: ReportContext,
  ) => void;
  /** Credentials besides the keys of the target that no report may have; absent: none. */
  readonly secrets?: readonly string[];
  /** Whose requirements are tested; absent: only the server's. */
  readonly subjects?: readonly Requirement['subject'][];
  /** Used instead of the document that the settings name. */
  readonly document?: ApiDocument;
  /** Gets what each case found. */
  readonly onAttempt?: (check: Check, index: number, attempt: Attempt) => void;
  /** Which cases of the settings run; absent: all. */
  readonly includesCase?: (check: Check, index: number) => boolean;
  /** Absent: this process runs alone. */
  readonly shared?: SharedRun;
  /** `false`: the outcome has no exchanges, created animals, or passing requests, because nobody reads them. */
  readonly isReported?: false;
}

/** Thrown if `--path` leads to no case: nothing was repeated, so nothing is known about the failure. */
export class ReplayPathNotFound extends Error {
  override name = 'ReplayPathNotFound';
}
