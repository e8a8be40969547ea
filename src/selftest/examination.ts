import type { Level } from '../openapi/requirement.ts';
import type { Outcome, Verdict } from '../run/outcome.ts';
import type { RunResult } from '../run/run.ts';
import type { Task } from './task.ts';

/** One cause that a run found, with the request that shows it. */
export interface Evidence {
  readonly message: string;
  /** `POST /pets {"name":…}`. */
  readonly request: string;
  /** The status, or why no answer came. */
  readonly answer: string;
  readonly check: string;
  readonly seen: number;
  readonly tries: number;
}

/** What a run said of one requirement. */
export interface RequirementFinding {
  readonly id: string;
  readonly level: Level;
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly evidence: readonly Evidence[];
}

/** A server judged, in plain data that can travel between threads; or why it could not be. */
export type Examination =
  | {
      readonly kind: 'judged';
      readonly task: Task;
      /** As `run` exits: 2 where it refuses the base URL. */
      readonly exit: RunResult['exit'] | 2;
      readonly verdict: Outcome['verdict'];
      /** Why the run ended before its time, else null. */
      readonly ended: string | null;
      readonly findings: readonly RequirementFinding[];
      readonly requests: number;
      /** 429s that the run met without asking for them. */
      readonly unasked429: number;
    }
  | { readonly kind: 'broken'; readonly task: Task; readonly message: string };
