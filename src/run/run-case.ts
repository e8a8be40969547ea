import fc from 'fast-check';
import { CaseEnded } from '../check/case-ended.ts';
import { type Check, type CheckContext, coveredBy } from '../check/check.ts';
import type { RunContext } from '../check/run-context.ts';
import type { Finding } from '../oracle/finding.ts';
import { passed } from '../oracle/rule.ts';
import type { Clock } from '../time/clock.ts';
import { memoized } from '../util/memoize.ts';
import type { Attempt } from './exchange-pipeline.ts';
import type { Execution } from './execution.ts';
import { placed } from './request-context.ts';

/** A check with its cases, ready to be made. */
export interface PreparedCheck {
  readonly check: Check<unknown>;
  readonly execution: Execution;
  readonly inputs: readonly unknown[];
  readonly arbitrary: fc.Arbitrary<unknown>;
  readonly total: number;
}

/** A case and what an attempt at it found, at the cost of how many exchanges. */
export interface TriedCase {
  readonly value: unknown;
  readonly findings: readonly Finding[];
  readonly exchanges: number;
}

/** One attempt at a case: what it found, in order. */
export const attempt = async (
  prepared: PreparedCheck,
  value: unknown,
  { alone = false }: { readonly alone?: boolean } = {},
): Promise<Attempt> => {
  const { check, execution } = prepared;
  const current: Attempt = { check, findings: [], sent: [], exchanges: 0, lostTo: null, alone };
  const underWay = new Set<Promise<unknown>>();
  try {
    await check.run(value, contextOf(prepared, current, underWay));
  } catch (error) {
    if (!(error instanceof CaseEnded)) throw error;
    current.lostTo ??= error.lostTo;
    // Of requests that are sent together the others are answered as well: that counts, and so does what they create.
    await Promise.allSettled(underWay);
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

/** How many names have been given with each tag in a run. */
const namesGiven = memoized((_run: RunContext) => new Map<string, number>());

/** The requirement, and letters that usually tell checks of one requirement apart. Checks with the same tag count on. */
const tagOf = memoized(({ id, requirement }: Check<unknown>): string => {
  const sum = [...id].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % 26 ** 2, 0);
  const letters = [Math.floor(sum / 26), sum % 26].map((place) => String.fromCharCode(97 + place)).join('');
  return `${requirement.toLowerCase()}-${letters}`;
});

/** The clock as cases have it: one that sleeps ends with the run. */
const clockOf = ({ clock, signal }: Execution): Clock => ({
  now: () => clock.now(),
  sleep: async (ms) => {
    try {
      await clock.sleep(ms, signal);
    } catch (error) {
      throw signal.aborted ? new CaseEnded({ code: 'interrupted' }, { lostTo: 'interrupted' }) : error;
    }
  },
});

const contextOf = (
  { check, execution }: PreparedCheck,
  current: Attempt,
  underWay: Set<Promise<unknown>>,
): CheckContext => {
  const { pipeline, runContext } = execution;
  const given = namesGiven(runContext);
  const tag = tagOf(check);
  const { findings } = current;
  return {
    run: runContext,
    clock: clockOf(execution),
    freshName: () => {
      const count = (given.get(tag) ?? 0) + 1;
      given.set(tag, count);
      return `${runContext.namePrefix}${tag}-${count}`;
    },
    send: async (probe, options) => {
      const sending = pipeline.send(probe, current, options);
      underWay.add(sending);
      try {
        return await sending;
      } catch (error) {
        // A check may go on after a 429 whose wait is too long: that 429 may be what it is for.
        if (error instanceof CaseEnded && error.lostTo !== 'rate-limit') current.lostTo ??= error.lostTo;
        throw error;
      } finally {
        underWay.delete(sending);
        execution.onExchange(check);
      }
    },
    skipCase: (reason) => {
      throw new CaseEnded(reason);
    },
    lose: (code) => {
      current.lostTo ??= code;
    },
    passed: (requirement) => findings.push(passed(requirement)),
    breach: (finding) => findings.push(placed({ kind: 'breach', ...finding }, current.sent, runContext)),
    inconclusive: (requirement, reason) => findings.push({ kind: 'inconclusive', requirement, reason }),
    observe: (requirement, subject, value) =>
      findings.push({ kind: 'observation', requirement, subject, value }),
  };
};

const parameters = ({ execution, inputs }: PreparedCheck) => ({
  seed: execution.runContext.seed,
  examples: inputs.map((input): [unknown] => [input]),
  verbose: 0 as const,
});

/**
 * Has fast-check put cases to a judge. It takes whatever a property throws for a counterexample: a fault of the suite is none, and is
 * thrown on.
 */
export const put = async (
  prepared: PreparedCheck,
  judge: (value: unknown) => Promise<boolean>,
  options: { path?: string; numRuns: number; endOnFailure?: true },
): Promise<fc.RunDetails<[unknown]>> => {
  const faults: unknown[] = [];
  const property = fc.asyncProperty(prepared.arbitrary, async (value) => {
    if (faults.length > 0) return true;
    try {
      return await judge(value);
    } catch (error) {
      faults.push(error);
      return false;
    }
  });
  const details = await fc.check(property, { ...parameters(prepared), ...options });
  if (faults.length > 0) throw faults[0];
  return details;
};
