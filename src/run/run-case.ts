import fc from 'fast-check';
import { CaseSkipped } from '../check/case-skipped.ts';
import { type Check, coveredBy, isLate, type Phase } from '../check/check.ts';
import { breachFinding, type CheckContext, reasonOf } from '../check/context.ts';
import type { RunContext } from '../check/run-context.ts';
import type { Breach } from '../finding/finding.ts';
import { withContext } from '../oracle/breach-context.ts';
import { passed } from '../oracle/rule.ts';
import type { Clock } from '../time/clock.ts';
import { memoized } from '../util/memoize.ts';
import type { Attempt, ExchangePipeline } from './exchange-pipeline.ts';
import type { SharedEvidence } from './shared-run.ts';

/** A check with its inputs. */
export interface PreparedCheck {
  readonly check: Check;
  readonly execution: Execution;
  readonly inputs: readonly unknown[];
  readonly arbitrary: fc.Arbitrary<unknown>;
  readonly total: number;
}

/** A case with what an attempt found and sent, and how many exchanges that took. */
export interface TriedCase extends Readonly<Pick<Attempt, 'findings' | 'sent' | 'exchanges'>> {
  readonly value: unknown;
}

/**
 * Runs a case once. `alone`: no other case sends requests meanwhile. `isShrinking`: to make a failing case smaller. `isRetry`: it failed
 * before.
 */
export const runCase = async (
  prepared: PreparedCheck,
  value: unknown,
  how: { readonly alone?: boolean; readonly isShrinking?: boolean; readonly isRetry?: boolean } = {},
): Promise<Attempt> => {
  const { alone = false, isShrinking = false, isRetry = false } = how;
  const isPlanned = !isShrinking && !isRetry;
  const stage = isShrinking ? 'shrinking' : isLate(prepared.check.phase) ? 'late' : 'usual';
  if (!alone) return attempt(prepared, value, { alone, stage, isPlanned });
  const release = await prepared.execution.pipeline.stopOthers();
  try {
    return await attempt(prepared, value, { alone, stage, isPlanned });
  } finally {
    release();
  }
};

const attempt = async (
  prepared: PreparedCheck,
  value: unknown,
  how: Pick<Attempt, 'alone' | 'stage' | 'isPlanned'>,
): Promise<Attempt> => {
  const { check, execution } = prepared;
  const current: Attempt = {
    check,
    findings: [],
    sent: [],
    exchanges: 0,
    lostTo: null,
    ...how,
  };
  const pending = new Set<Promise<unknown>>();
  try {
    await check.run(value, contextOf(prepared, current, pending));
  } catch (error) {
    if (!(error instanceof CaseSkipped)) throw error;
    current.lostTo ??= error.lostTo;
    // Requests that were sent together get their responses too: they count, and so does what they create.
    await Promise.allSettled(pending);
    for (const requirement of coveredBy(check)) {
      current.findings.push({ kind: 'inconclusive', requirement, reason: error.reason });
    }
  }
  if (execution.signal.aborted) {
    current.findings.length = 0;
    current.lostTo = 'interrupted';
  }
  return current;
};

/** How many names with each tag a run has. */
const nameCounters = memoized((_run: RunContext) => new Map<string, number>());

/** Leaves room for a count: with the run's prefix, an ordinary name has at most 40 characters (CREATE-1). */
const longestTag = 14;

/** The requirement, and letters that usually differ between its checks. Checks with the same tag share a counter. */
const nameTag = memoized(({ id, requirement }: Check): string => {
  const sum = [...id].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % 26 ** 2, 0);
  const letters = [Math.floor(sum / 26), sum % 26].map((place) => String.fromCharCode(97 + place)).join('');
  return `${requirement.toLowerCase().slice(0, longestTag - 3)}-${letters}`;
});

/** Sleeps until the run ends at the latest. */
const sleep = async ({ clock, signal }: Execution, ms: number): Promise<void> => {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    throw signal.aborted ? new CaseSkipped({ code: 'interrupted' }, { lostTo: 'interrupted' }) : error;
  }
};

const contextOf = (
  { check, execution }: PreparedCheck,
  current: Attempt,
  pending: Set<Promise<unknown>>,
): CheckContext => {
  const { pipeline, runContext } = execution;
  const given = nameCounters(runContext);
  const tag = nameTag(check);
  const { findings } = current;
  const own = check.requirement;
  return {
    run: runContext,
    state: runContext.state,
    now: () => execution.clock.now(),
    sleep: (ms) => sleep(execution, ms),
    uniqueName: () => {
      const count = (given.get(tag) ?? 0) + 1;
      given.set(tag, count);
      return `${runContext.namePrefix}${tag}-${count}`;
    },
    send: async (probe, options) => {
      const sending = pipeline.send(probe, current, options);
      pending.add(sending);
      try {
        return await sending;
      } catch (error) {
        // A check may go on after a 429 whose wait is too long: that 429 may be what it is for.
        if (error instanceof CaseSkipped && error.lostTo !== 'rate-limit') current.lostTo ??= error.lostTo;
        throw error;
      } finally {
        pending.delete(sending);
        execution.onExchange(check, current.isPlanned !== false);
      }
    },
    skipCase: (reason) => {
      throw new CaseSkipped(reasonOf(reason));
    },
    lose: (code) => {
      current.lostTo ??= code;
    },
    passed: (requirement = own) => findings.push(passed(requirement)),
    breach: (breach) => findings.push(withContext(breachFinding(breach, own), current.sent, runContext)),
    inconclusive: (reason, requirement = own) =>
      findings.push({ kind: 'inconclusive', requirement, reason: reasonOf(reason) }),
    observe: (subject, value, requirement = own) =>
      findings.push({ kind: 'observation', requirement, subject, value }),
  };
};

const parameters = ({ execution, inputs }: PreparedCheck) => ({
  seed: execution.runContext.seed,
  examples: inputs.map((input): [unknown] => [input]),
  verbose: 0 as const,
});

/** Has fast-check draw cases for `judge`. It would take an error of the suite for a counterexample, so errors are thrown after it. */
export const drawCases = async (
  prepared: PreparedCheck,
  judge: (value: unknown) => Promise<boolean>,
  options: { path?: string; numRuns: number; endOnFailure?: true },
): Promise<fc.RunDetails<[unknown]>> => {
  const errors: unknown[] = [];
  const property = fc.asyncProperty(prepared.arbitrary, async (value) => {
    if (errors.length > 0) return true;
    try {
      return await judge(value);
    } catch (error) {
      errors.push(error);
      return false;
    }
  });
  const details = await fc.check(property, { ...parameters(prepared), ...options });
  if (errors.length > 0) throw errors[0];
  return details;
};

/** All that the execution of checks shares. */
export interface Execution {
  readonly pipeline: ExchangePipeline;
  readonly evidenceLog: SharedEvidence;
  readonly runContext: RunContext;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Requests in all; null: as many as it takes. */
  readonly budget: number | null;
  readonly maxCreates: number;
  /** Generated cases per property. */
  readonly runs: number;
  /** fast-check's path of the one case to repeat; null: all cases. */
  readonly path: string | null;
  /** The systematic inputs of a check, some marked with a tier. They are created once, and counted before they are executed. */
  inputsOf(check: Check): Promise<readonly unknown[]>;
  /** Which cases this run (a shard, a budget) covers; the index counts systematic cases first. */
  includesCase(check: Check, index: number): boolean;
  /** How often a failing case is sent again at most. */
  readonly retries: number;
  /** Requests that a failing case may cost besides its own, for retries and, with the rest, for shrinking. */
  readonly shrinkBudget: number;
  /** Requests are sent one at a time, because several together timed out. Absent: never. */
  sendsAlone?(): boolean;
  onCause(breach: Breach): void;
  /** The path leads to no case of a check. */
  onPathNotFound?(check: Check): void;
  /** Another worker probably fills the store. Default: false. */
  readonly isStoreFilled?: boolean;
  /** Waits until a phase may begin; absent: at once. */
  enterPhase?(phase: Phase): Promise<void>;
  /** A request of a check is complete. `isPlanned` false: it repeats a failing case. */
  onExchange(check: Check, isPlanned: boolean): void;
  /** All cases of a check that this pass covers were run. */
  onChecked?(check: Check): void;
  /** Takes a case that lacks creations, to run it again later. Absent: such cases are lost. */
  postpone?(check: Check, index: number): void;
  /** Lets any request use the creations that are left, except so many. Absent: cases that lack creations are lost. */
  endReserves?(kept: number): void;
  /** Called after each attempt at a case. */
  onAttempt?(check: Check, index: number, attempt: Attempt): void;
}
