import fc from 'fast-check';
import type { CaseContext, Check, Finding } from './check.ts';
import type { Execution } from './execution.ts';
import { type Attempt, CaseEnded } from './session.ts';

/** A check with its cases, ready to be made. */
export interface Prepared {
  readonly check: Check<unknown>;
  readonly execution: Execution;
  readonly examples: readonly unknown[];
  readonly arbitrary: fc.Arbitrary<unknown>;
  readonly total: number;
  /** Names given out so far: they go on counting over all attempts. */
  readonly names: { given: number };
}

/** A case and what an attempt at it found, at the cost of how many exchanges. */
export interface Tried {
  readonly value: unknown;
  readonly findings: readonly Finding[];
  readonly exchanges: number;
}

/** One attempt at a case: what it found, in order. */
export const attempt = async (
  prepared: Prepared,
  value: unknown,
  { alone = false }: { readonly alone?: boolean } = {},
): Promise<Attempt> => {
  const { check, execution } = prepared;
  const current: Attempt = { check: check.name, findings: [], exchanges: 0, alone };
  try {
    await check.attempt(value, contextOf(prepared, current));
  } catch (error) {
    if (!(error instanceof CaseEnded)) throw error;
    for (const requirement of check.gives) {
      current.findings.push({ kind: 'undecided', requirement, reason: error.message });
    }
  }
  if (execution.signal.aborted) current.findings.length = 0;
  return current;
};

const contextOf = ({ check, execution, names }: Prepared, current: Attempt): CaseContext => {
  const { session, fixtures, clock } = execution;
  const tag = (check.name.split(' ')[0] ?? '').toLowerCase();
  const { findings } = current;
  return {
    fixtures,
    clock,
    freshName: () => {
      names.given += 1;
      return `${fixtures.namePrefix}${tag}-${names.given}`;
    },
    send: (probe, options) => session.send(probe, current, options),
    end: (reason) => {
      throw new CaseEnded(reason);
    },
    met: (requirement) => findings.push({ kind: 'met', requirement }),
    breach: (finding) => findings.push({ kind: 'breach', ...finding }),
    undecided: (requirement, reason) => findings.push({ kind: 'undecided', requirement, reason }),
    observe: (requirement, subject, value) =>
      findings.push({ kind: 'observed', requirement, subject, value }),
  };
};

const parameters = ({ execution, examples }: Prepared) => ({
  seed: execution.fixtures.seed,
  examples: examples.map((example): [unknown] => [example]),
  verbose: 0 as const,
});

/**
 * Has fast-check put cases to a judge. It takes whatever a property throws for a counterexample: a fault of the suite is none, and is
 * thrown on.
 */
export const put = async (
  prepared: Prepared,
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
