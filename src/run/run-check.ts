import fc from 'fast-check';
import { CaseSkipped } from '../check/case-skipped.ts';
import { type Check, coveredBy } from '../check/check.ts';
import type { RunContext } from '../check/run-context.ts';
import { inputOf } from '../check/tiers.ts';
import { checkName } from '../finding/check-name.ts';
import { isBreach } from '../finding/finding.ts';
import type { LossCode } from '../finding/reason.ts';
import { shrinking } from '../json-schema/shrink.ts';
import { confirm, newFailures, recordKnown, recordPass, shrinkAndConfirm } from './confirm.ts';
import { drawCases, type Execution, type PreparedCheck, runCase, type TriedCase } from './run-case.ts';

/** Runs every case of a check: the systematic ones, then the generated ones. Never throws. */
export const runCheck = async (check: Check, execution: Execution): Promise<void> => {
  const startedAt = execution.clock.now();
  try {
    await runCases(await prepare(check, execution));
  } catch (error) {
    if (error instanceof PathNotFound) execution.onPathNotFound?.(check);
    if (error instanceof CaseSkipped) return recordUndecided(check, execution, error);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    for (const requirement of coveredBy(check))
      execution.evidenceLog.recordError(requirement, `${checkName(check)}: ${message}`);
  } finally {
    execution.evidenceLog.addTime(check.requirement, execution.clock.now() - startedAt);
    execution.onChecked?.(check);
  }
};

const prepare = async (check: Check, execution: Execution): Promise<PreparedCheck> => {
  const inputs = (await execution.inputsOf(check)).map(inputOf);
  const { runContext } = execution;
  const arbitrary = (await check.arbitrary?.(runContext)) ?? fc.constant(undefined);
  return {
    check,
    execution,
    inputs,
    arbitrary: shrinkable(check, runContext, arbitrary),
    total: inputs.length + generatedCases(check, execution.runs),
  };
};

const shrinkable = ({ shrink }: Check, runContext: RunContext, arbitrary: fc.Arbitrary<unknown>) =>
  shrink === undefined ? arbitrary : shrinking(arbitrary, (value) => shrink(value, runContext));

/** How many generated cases a check makes in a run. */
export const generatedCases = ({ arbitrary, share = 1 }: Check, runs: number): number =>
  arbitrary === undefined ? 0 : Math.ceil(runs * share);

const runCases = async (prepared: PreparedCheck): Promise<void> => {
  const { execution, total } = prepared;
  if (execution.path !== null) return runFrom(prepared, execution.path);
  let start = 0;
  while (start < total && !execution.signal.aborted) start = await runUntilFailure(prepared, start);
  for (let index = start; index < total; index += 1)
    if (execution.includesCase(prepared.check, index)) countCase(prepared.check, execution, 'interrupted');
};

const countCase = (check: Check, { evidenceLog }: Execution, lostTo: LossCode | null): void =>
  evidenceLog.countCase(check.requirement, lostTo);

/** How many cases may run at once: several generated ones, because the last check of a phase would send one request at a time otherwise. */
const parallelism = ({ check, execution, inputs }: PreparedCheck, index: number): number =>
  check.retry === false || execution.budget !== null || index < inputs.length
    ? 1
    : execution.runContext.concurrency;

/** Runs cases from `start` on until one fails for a new cause, which it reports, or the suite has an error. Returns the next index. */
const runUntilFailure = async (prepared: PreparedCheck, start: number): Promise<number> => {
  const { check, execution, total } = prepared;
  const running: Promise<IndexedCase>[] = [];
  const found: IndexedCase[] = [];
  let next = start;
  const classify = (tried: IndexedCase) => {
    if (newFailures(tried.findings, execution).length > 0) found.push(tried);
    else recordKnown(tried.findings, execution);
  };
  const awaitOldest = async () => {
    const tried = await running.shift();
    if (tried !== undefined) classify(tried);
  };
  const judge = async (value: unknown) => {
    if (execution.signal.aborted) return false;
    const index = next;
    next += 1;
    if (!execution.includesCase(check, index)) return true;
    const tried = tryCase(prepared, value, index);
    // An error of the suite is thrown when the case is awaited, which may be later.
    tried.catch(() => undefined);
    running.push(tried);
    while (running.length >= parallelism(prepared, next)) await awaitOldest();
    return found.length === 0;
  };
  try {
    await drawCases(prepared, judge, {
      ...(start === 0 ? {} : { path: String(start) }),
      numRuns: total - start,
      endOnFailure: true,
    });
    while (running.length > 0) await awaitOldest();
  } finally {
    for (const left of await Promise.allSettled(running))
      if (left.status === 'fulfilled') classify(left.value);
    for (const tried of found) await shrinkAndConfirm(prepared, tried, tried.index);
  }
  return next;
};

type IndexedCase = TriedCase & { readonly index: number };

const tryCase = async (prepared: PreparedCheck, value: unknown, index: number): Promise<IndexedCase> => {
  const { check, execution } = prepared;
  const made = await runCase(prepared, value);
  execution.onAttempt?.(check, index, made);
  if (execution.postpone !== undefined && made.lostTo === 'max-creates' && !made.findings.some(isBreach)) {
    execution.postpone(check, index);
    return { ...made, findings: [], value, index };
  }
  countCase(check, execution, made.lostTo);
  recordPass(prepared, made);
  return { ...made, value, index };
};

/** Repeats the case that a path names. Other checks of the requirement may have fewer cases. */
const runFrom = async (prepared: PreparedCheck, path: string): Promise<void> => {
  const { check, execution, inputs } = prepared;
  if (check.arbitrary === undefined && Number.parseInt(path, 10) >= inputs.length)
    throw new PathNotFound(path);
  const cases: TriedCase[] = [];
  let isReached = false;
  const judge = async (value: unknown) => {
    // fast-check would go on with the siblings of a shrunk case.
    if (isReached) return true;
    isReached = true;
    cases.push({ ...(await runCase(prepared, value)), value });
    return true;
  };
  await drawCases(prepared, judge, { path, numRuns: 1 }).catch((error: unknown) => {
    throw isReached ? error : new PathNotFound(path);
  });
  for (const found of cases) {
    if (found.findings.some(isBreach)) await confirm(prepared, found, path);
    else recordKnown(found.findings, execution);
  }
};

class PathNotFound extends CaseSkipped {
  constructor(path: string) {
    super({ code: 'not-tested', detail: 'no-such-case', path });
  }
}

const recordUndecided = (check: Check, execution: Execution, { reason, lostTo }: CaseSkipped): void => {
  countCase(check, execution, lostTo);
  execution.evidenceLog.record(
    coveredBy(check).map((requirement) => ({ kind: 'inconclusive', requirement, reason })),
  );
};
