import fc from 'fast-check';
import type { CaseContext, Check, Finding } from './check.ts';
import type { Clock } from './clock.ts';
import type { Fixtures } from './fixtures.ts';
import { type Breach, causeOf, type Ledger } from './ledger.ts';
import { type Attempt, CaseEnded, type Session } from './session.ts';

/** All that the execution of checks shares. */
export interface Execution {
  readonly session: Session;
  readonly ledger: Ledger;
  readonly fixtures: Fixtures;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Requests in all; null: as many as it takes. */
  readonly budget: number | null;
  /** Generated cases per property. */
  readonly runs: number;
  /** fast-check's path of the one case to repeat; null: all cases. */
  readonly path: string | null;
  /** Which cases this run (a shard, a budget) covers; the index counts systematic cases first. */
  covers(check: Check<unknown>, index: number): boolean;
  /** How often a case is sent again before its breach is reported. */
  readonly repeats: number;
  /** Requests that making one failing case small may cost. */
  readonly shrinking: number;
  onCause(breach: Breach): void;
  onCase(check: Check<unknown>): void;
  /** What one case found out, at the cost of how many exchanges. */
  onAttempt?(check: Check<unknown>, index: number, attempt: Attempt): void;
}

/** Runs every case of a check: the systematic ones, then the generated ones. Never throws. */
export const executeCheck = async (check: Check<unknown>, execution: Execution): Promise<void> => {
  try {
    await runCases(await prepare(check, execution));
  } catch (error) {
    if (error instanceof CaseEnded) return recordUndecided(check, execution, error.message);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    for (const requirement of check.gives)
      execution.ledger.recordError(requirement, `${check.name}: ${message}`);
  }
};

interface Prepared {
  readonly check: Check<unknown>;
  readonly execution: Execution;
  readonly examples: readonly unknown[];
  readonly arbitrary: fc.Arbitrary<unknown>;
  readonly total: number;
  /** Names given out so far: they go on counting over all attempts. */
  readonly names: { given: number };
}

const prepare = async (check: Check<unknown>, execution: Execution): Promise<Prepared> => {
  const examples = await check.examples(execution.fixtures);
  const arbitrary = await check.arbitrary?.(execution.fixtures);
  return {
    check,
    execution,
    examples,
    arbitrary: arbitrary ?? fc.constant(undefined),
    total: examples.length + generatedCases(check, execution.runs),
    names: { given: 0 },
  };
};

/** How many generated cases a check makes in a run. */
export const generatedCases = ({ arbitrary, share = 1 }: Check<unknown>, runs: number): number =>
  arbitrary === undefined ? 0 : Math.ceil(runs * share);

const runCases = async (prepared: Prepared): Promise<void> => {
  const { execution, total } = prepared;
  if (execution.path !== null) return runFrom(prepared, execution.path);
  let start = 0;
  while (start < total && !execution.signal.aborted) start = await runUntilNewCause(prepared, start);
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
const put = async (
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

/** A case and what an attempt at it found. */
interface Tried {
  readonly index: number;
  readonly value: unknown;
  readonly findings: readonly Finding[];
}

/** How many cases may be under way at once: several generated ones, else the last check of a phase would send one request at a time. */
const mostAbreast = ({ check, execution, examples }: Prepared, index: number): number =>
  check.once === true || execution.budget !== null || index < examples.length
    ? 1
    : execution.fixtures.concurrency;

/** Runs cases from `start` on, up to one with a new cause, which it reports; gives the index of the next case. */
const runUntilNewCause = async (prepared: Prepared, start: number): Promise<number> => {
  const { check, execution, total } = prepared;
  const underWay: Promise<Tried>[] = [];
  const found: Tried[] = [];
  let next = start;
  const land = async () => {
    const tried = await underWay.shift();
    if (tried === undefined) return;
    if (newBreaches(tried.findings, execution).length > 0) found.push(tried);
    else settle(tried.findings, execution);
  };
  const judge = async (value: unknown) => {
    const index = next;
    next += 1;
    if (execution.signal.aborted) return false;
    if (!execution.covers(check, index)) return true;
    execution.onCase(check);
    const tried = tryCase(prepared, value, index);
    // A fault of the suite is thrown where the case lands, which may be later.
    tried.catch(() => undefined);
    underWay.push(tried);
    while (underWay.length >= mostAbreast(prepared, next)) await land();
    return found.length === 0;
  };
  try {
    await put(prepared, judge, {
      ...(start === 0 ? {} : { path: String(start) }),
      numRuns: total - start,
      endOnFailure: true,
    });
    while (underWay.length > 0) await land();
  } finally {
    await Promise.allSettled(underWay);
  }
  for (const tried of found) await report(prepared, tried);
  return next;
};

const tryCase = async (prepared: Prepared, value: unknown, index: number): Promise<Tried> => {
  const made = await attempt(prepared, value);
  prepared.execution.onAttempt?.(prepared.check, index, made);
  return { index, value, findings: made.findings };
};

/** Repeats the one case that a path names. */
const runFrom = async (prepared: Prepared, path: string): Promise<void> => {
  const { check, execution } = prepared;
  const cases: { value: unknown; findings: readonly Finding[] }[] = [];
  const judge = async (value: unknown) => {
    // fast-check would go on with the siblings of a shrunk case.
    if (cases.length > 0) return true;
    execution.onCase(check);
    cases.push({ value, findings: (await attempt(prepared, value)).findings });
    return true;
  };
  await put(prepared, judge, { path, numRuns: 1 }).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('Unable to replay'))
      throw new CaseEnded(`the path ${path} leads to no case of this check`);
    throw error;
  });
  for (const found of cases) {
    if (found.findings.some(({ kind }) => kind === 'breach')) await confirm(prepared, found, path);
    else settle(found.findings, execution);
  }
};

const newBreaches = (findings: readonly Finding[], { ledger }: Execution): readonly Breach[] =>
  findings.filter((finding) => finding.kind === 'breach').filter((breach) => !ledger.knows(breach));

/** Records an attempt in which no new cause was met. */
const settle = (findings: readonly Finding[], { ledger }: Execution): void => {
  ledger.record(findings.filter((finding) => finding.kind !== 'breach'));
  for (const finding of findings) if (finding.kind === 'breach') ledger.recur(finding);
};

/** One attempt at a case: what it found, in order. */
const attempt = async (prepared: Prepared, value: unknown): Promise<Attempt> => {
  const { check, execution } = prepared;
  const current: Attempt = { check: check.name, findings: [], exchanges: 0 };
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

/** Shrinks a generated case, sends it again, and records its causes: those that were not known meanwhile. */
const report = async (prepared: Prepared, found: Tried): Promise<void> => {
  const { index, findings } = found;
  if (newBreaches(findings, prepared.execution).length === 0) return settle(findings, prepared.execution);
  const isGenerated = index >= prepared.examples.length;
  const smallest = isGenerated ? await shrink(prepared, found) : null;
  const path = isGenerated ? (smallest?.path ?? String(index)) : null;
  await confirm(prepared, smallest ?? found, path, findings);
};

/** The smallest case that shows the first new cause, under a budget of requests. */
const shrink = async (
  prepared: Prepared,
  found: Tried,
): Promise<{ value: unknown; findings: readonly Finding[]; path: string } | null> => {
  const { execution, check } = prepared;
  const [first] = newBreaches(found.findings, execution);
  if (first === undefined || check.once === true || first.exchange.failure?.kind === 'timeout') return null;
  const wanted = causeOf(first);
  let spent = 0;
  let smallest: { value: unknown; findings: readonly Finding[] } | null = null;
  const judge = async (value: unknown) => {
    if (spent >= execution.shrinking || execution.signal.aborted) return true;
    const { findings, exchanges } = await attempt(prepared, value);
    spent += exchanges;
    const same = findings.some((finding) => finding.kind === 'breach' && causeOf(finding) === wanted);
    if (same) smallest = { value, findings };
    return !same;
  };
  const details = await put(prepared, judge, { path: String(found.index), numRuns: 1 });
  return smallest === null
    ? null
    : { ...(smallest as typeof found), path: details.counterexamplePath ?? String(found.index) };
};

/** Sends a found case again and records each of its causes with how often it came back. */
const confirm = async (
  prepared: Prepared,
  found: { value: unknown; findings: readonly Finding[] },
  path: string | null,
  earlier: readonly Finding[] = [],
): Promise<void> => {
  const { execution, check } = prepared;
  const attempts: (readonly Finding[])[] = [found.findings];
  const last: Finding[] = [];
  const timedOut = found.findings.some(
    (finding) => finding.kind === 'breach' && finding.exchange.failure?.kind === 'timeout',
  );
  for (
    let again = 0;
    again < execution.repeats && check.once !== true && !timedOut && !execution.signal.aborted;
    again += 1
  ) {
    const { findings, exchanges } = await attempt(prepared, found.value);
    // Where nothing could be sent any more (the target is gone, a budget spent), nothing was tried.
    if (exchanges === 0) break;
    if (findings.some(isGone)) {
      last.push(...findings);
      break;
    }
    attempts.push(findings);
  }
  settle(
    found.findings.filter((finding) => finding.kind !== 'breach' || execution.ledger.knows(finding)),
    execution,
  );
  const causes = new Map<string, Breach>();
  for (const finding of [...earlier, ...attempts.flat(), ...last]) {
    if (finding.kind === 'breach') causes.set(causeOf(finding), causes.get(causeOf(finding)) ?? finding);
  }
  for (const [key, first] of causes) {
    if (execution.ledger.knows(first)) continue;
    const shows = (findings: readonly Finding[]) =>
      findings.find((finding): finding is Breach => finding.kind === 'breach' && causeOf(finding) === key);
    const smallest = attempts.map(shows).find((breach) => breach !== undefined);
    const seen = attempts.filter((findings) => shows(findings) !== undefined).length;
    execution.ledger.recordCause({
      breach: smallest ?? first,
      check: check.name,
      path,
      seen: Math.max(1, seen),
      tries: isGone(first) ? Math.max(1, seen) : attempts.length + (smallest === undefined ? 1 : 0),
    });
    execution.onCause(smallest ?? first);
  }
};

/** The target takes no connections any more, which the client has tried again and again: no case can be repeated. */
const isGone = (finding: Finding): boolean =>
  finding.kind === 'breach' && ['refused', 'unreachable'].includes(finding.exchange.failure?.kind ?? '');

const recordUndecided = (check: Check<unknown>, { ledger }: Execution, reason: string): void =>
  ledger.record(check.gives.map((requirement) => ({ kind: 'undecided', requirement, reason })));
