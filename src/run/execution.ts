import type { Check } from '../check/check.ts';
import type { RunContext } from '../check/run-context.ts';
import type { Breach } from '../oracle/finding.ts';
import type { Clock } from '../time/clock.ts';
import type { EvidenceLog } from './evidence.ts';
import type { Attempt, ExchangePipeline } from './exchange-pipeline.ts';

/** All that the execution of checks shares. */
export interface Execution {
  readonly pipeline: ExchangePipeline;
  readonly evidenceLog: EvidenceLog;
  readonly runContext: RunContext;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Requests in all; null: as many as it takes. */
  readonly budget: number | null;
  /** Generated cases per property. */
  readonly runs: number;
  /** fast-check's path of the one case to repeat; null: all cases. */
  readonly path: string | null;
  /** The examples of a check, some marked with a tier: made once, and counted before they are executed. */
  inputsOf(check: Check<unknown>): Promise<readonly unknown[]>;
  /** Which cases this run (a shard, a budget) covers; the index counts systematic cases first. */
  covers(check: Check<unknown>, index: number): boolean;
  /** How often a case is sent again before its breach is reported, at most. */
  readonly repeats: number;
  /** Requests that a failing case may cost beyond its own: it is made small with what sending it again leaves of them. */
  readonly extra: number;
  onCause(breach: Breach): void;
  /** The path leads to no case of a check. */
  onPathNotFound?(check: Check<unknown>): void;
  /** A request of a check has come to its end. */
  onExchange(check: Check<unknown>): void;
  /** All cases of a check that this pass covers were run. */
  onChecked?(check: Check<unknown>): void;
  /** What one case found out, at the cost of how many exchanges. */
  onAttempt?(check: Check<unknown>, index: number, attempt: Attempt): void;
}
