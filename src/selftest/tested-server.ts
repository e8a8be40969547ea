import type { Level } from '../openapi/requirement.ts';
import type { Outcome, Verdict } from '../run/outcome.ts';
import type { RunResult } from '../run/run.ts';
import type { Task } from './tasks.ts';

/** One failure that a run found, with its request. */
export interface SeenFailure {
  readonly message: string;
  /** `POST /pets {"name":…}`. */
  readonly request: string;
  /** The status, or why no response came. */
  readonly response: string;
  readonly check: string;
  readonly seen: number;
  readonly tries: number;
}

/** What a run found on one requirement. */
export interface RequirementFinding {
  readonly id: string;
  readonly level: Level;
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly evidence: readonly SeenFailure[];
}

/** The result of a run against one server, as plain data that can be sent between threads. */
export interface TestedServer {
  readonly task: Task;
  /** The exit code of `run`: 2 if it rejects the base URL. Null: the suite itself failed. */
  readonly exit: RunResult['exit'] | 2 | null;
  readonly verdict: Outcome['verdict'];
  /** Why the run ended early, else null. */
  readonly ended: string | null;
  readonly findings: readonly RequirementFinding[];
  readonly requests: number;
  /** 429 responses that no check expected. */
  readonly unexpected429s: number;
  /** How the suite itself failed; null: it did not. */
  readonly broken: string | null;
}

/** No requirement was tested. */
export const untested = {
  verdict: 'not-judged',
  ended: null,
  findings: [],
  requests: 0,
  unexpected429s: 0,
} as const;

/** The suite itself failed. */
export const brokenBy = (task: Task, error: unknown): TestedServer => ({
  ...untested,
  task,
  exit: null,
  broken: error instanceof Error ? (error.stack ?? error.message) : String(error),
});
