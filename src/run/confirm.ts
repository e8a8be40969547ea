import type { RunContext } from '../check/run-context.ts';
import { type Breach, causeKey, type Finding, isBreach, problemKey } from '../finding/finding.ts';
import type { Json } from '../json/json.ts';
import { aboutRequest, type Sent } from '../oracle/breach-context.ts';
import type { Attempt } from './exchange-pipeline.ts';
import { drawCases, type Execution, type PreparedCheck, runCase, type TriedCase } from './run-case.ts';

export const newFailures = (findings: readonly Finding[], { evidenceLog }: Execution): readonly Breach[] =>
  findings.filter(isBreach).filter((breach) => !evidenceLog.isKnown(breach));

/** Records an attempt without a new cause. */
export const recordKnown = (findings: readonly Finding[], { evidenceLog }: Execution): void => {
  evidenceLog.record(findings.filter((finding) => !isBreach(finding)));
  for (const finding of findings) if (isBreach(finding)) evidenceLog.recordRecurrence(finding);
};

/** Records a case of one request. With several, it is unclear which of them passed what. */
export const recordPass = (
  { check, execution }: PreparedCheck,
  { findings, sent }: Pick<Attempt, 'findings' | 'sent'>,
): void => {
  const [only] = sent;
  const status = only?.exchange.response?.status;
  if (only === undefined || status === undefined || sent.length > 1) return;
  const { probe } = only;
  const about = () => aboutRequest(probe, execution.runContext);
  execution.evidenceLog.recordPass(check.id, { request: probe.request, status, findings, about });
};

/** Shrinks a case if possible, sends it again, and records the causes that are still new by then. */
export const shrinkAndConfirm = async (
  prepared: PreparedCheck,
  found: TriedCase,
  index: number,
): Promise<void> => {
  const { check, execution, inputs, arbitrary } = prepared;
  if (newFailures(found.findings, execution).length === 0) return recordKnown(found.findings, execution);
  const isGenerated = index >= inputs.length;
  const shrinks = isGenerated || arbitrary.canShrinkWithoutContext(found.value);
  const shrunk = shrinks ? await shrink(prepared, found, String(index)) : null;
  const path = check.dependsOnEarlierCases && !isGenerated ? null : (shrunk?.path ?? String(index));
  await confirm(prepared, shrunk ?? found, path, found.findings);
};

const isTimeOut = (finding: Finding): boolean =>
  isBreach(finding) && finding.exchange.failure?.kind === 'timeout';
/** The target accepts no connections, although the client tried for long: no case can be repeated. */
const isUnreachable = (finding: Finding): boolean =>
  isBreach(finding) && ['refused', 'unreachable'].includes(finding.exchange.failure?.kind ?? '');

/** No response came, which may be the effect of any request in flight at the time. */
const isReset = (finding: Finding): boolean => isBreach(finding) && finding.exchange.failure !== null;

/** Further animals that retries of one case may create, unless one retry creates more. */
const mostRecreated = 10;

/** The number of retries; 0 if a retry would use up what the case needs, or time out. One shows whether a time-out needs other requests in flight. */
const retriesOf = ({ check, execution }: PreparedCheck, { findings, exchanges, sent }: TriedCase): number => {
  if (check.retry === false) return 0;
  if (findings.some(isTimeOut)) return execution.sendsAlone?.() === true ? 1 : 0;
  const created = sent.filter(({ exchange }) => exchange.response?.status === 201).length;
  const affordable = [execution.shrinkBudget / Math.max(1, exchanges), mostRecreated / Math.max(1, created)];
  return Math.max(1, Math.min(execution.retries, ...affordable.map(Math.floor)));
};

/** The smallest case with the first new cause, and its path. Leaves enough requests for the retries. */
const shrink = async (prepared: PreparedCheck, found: TriedCase, path: string) => {
  const { execution } = prepared;
  const [wanted] = newFailures(found.findings, execution).map(causeKey);
  const retries = retriesOf(prepared, found);
  if (wanted === undefined || retries === 0) return null;
  let left = execution.shrinkBudget - retries * found.exchanges;
  const smaller: TriedCase[] = [];
  const passes = async (value: unknown) => {
    if (left < found.exchanges || execution.signal.aborted) return true;
    const tried = await runCase(prepared, value, { isShrinking: true });
    left = tried.lostTo === null ? left - tried.exchanges : 0;
    const same = tried.findings.some((finding) => isBreach(finding) && causeKey(finding) === wanted);
    if (same) smaller.push({ ...tried, value });
    else recordPass(prepared, tried);
    return !same;
  };
  const details = await drawCases(prepared, passes, { path, numRuns: 1 });
  const smallest = smaller.at(-1);
  return smallest === undefined ? null : { ...smallest, path: details.counterexamplePath ?? path };
};

/** Sends a failing case again, and records how often each cause repeated. */
export const confirm = async (
  prepared: PreparedCheck,
  found: TriedCase,
  path: string | null,
  earlier: readonly Finding[] = [],
): Promise<void> => {
  const { execution, check } = prepared;
  const { attempts, last, sent } = await retry(prepared, found);
  recordKnown(
    found.findings.filter((finding) => !isBreach(finding) || execution.evidenceLog.isKnown(finding)),
    execution,
  );
  const done = new Set<string>();
  for (const first of causesOf([...earlier, ...attempts.flat(), ...last]).values()) {
    if (execution.evidenceLog.isKnown(first) || done.has(problemKey(first))) continue;
    done.add(problemKey(first));
    const shown = attempts
      .map((findings) => recurrenceOf(first, findings))
      .filter((one) => one !== undefined);
    const [breach = first] = shown;
    // If only the case before shrinking showed it, that was one more try.
    const seen = Math.max(1, shown.length);
    const without = attempts.filter((findings) => recurrenceOf(first, findings) === undefined);
    const recorded = withRecurrence(breach, execution);
    // Other clients may have caused a breach that must always recur: every attempt counts, also if it did not wait.
    const isTry = (findings: readonly Finding[]) =>
      recorded.mustRecur === 'always' || !findings.some(isTooEarly(first));
    const tries = isUnreachable(first) ? seen : seen + without.filter(isTry).length;
    const knownCauses = execution.evidenceLog.causes;
    execution.evidenceLog.recordFailure({
      breach: recorded,
      check,
      path: showsOtherCases(recorded, sent, execution.runContext) ? null : path,
      seen,
      tries,
    });
    if (execution.evidenceLog.causes > knownCauses) execution.onCause(breach);
  }
};

/** If the run now knows that statuses return, the breach must repeat each time. */
const withRecurrence = ({ mustRecur, ...breach }: Breach, { runContext }: Execution): Breach =>
  mustRecur === 'always' || (mustRecur !== undefined && runContext.statusesReturn())
    ? { ...breach, mustRecur: 'always' }
    : breach;

/** Other clients may have caused it, and so may other requests of the run. */
const mustAlwaysRecur = (finding: Finding): boolean => isBreach(finding) && finding.mustRecur === 'always';

/** The same cause in another attempt, or the same problem with another wrong status. */
const recurrenceOf = (breach: Breach, findings: readonly Finding[]): Breach | undefined =>
  causesOf(findings).get(causeKey(breach)) ??
  findings.filter(isBreach).find((other) => problemKey(other) === problemKey(breach));

/** The attempt did not wait long enough to show the breach. */
const isTooEarly =
  ({ requirement }: Breach) =>
  (finding: Finding): boolean =>
    finding.kind === 'inconclusive' &&
    finding.requirement === requirement &&
    finding.reason.code === 'may-lag';

/** The first breach of each cause, in order. */
const causesOf = (findings: readonly Finding[]): ReadonlyMap<string, Breach> => {
  const causes = new Map<string, Breach>();
  for (const breach of findings.filter(isBreach)) {
    const cause = causeKey(breach);
    if (!causes.has(cause)) causes.set(cause, breach);
  }
  return causes;
};

/** The name of the animal of a list that shows the problem. */
const shownName = (problem: Breach['problem']): Json | undefined => {
  if (problem.rule === 'schema') return problem.mistakes[0]?.name;
  return problem.rule === 'wrong-filter' ? problem.example.name : undefined;
};

/** A list shows what another case created, so that this case alone may not repeat the breach on a server that starts empty. */
const showsOtherCases = (
  { exchange, origin = [], problem }: Breach,
  sent: readonly Sent[],
  { namePrefix }: RunContext,
): boolean => {
  if (exchange.request.operation !== 'listPets') return false;
  const own = sent.map((each) => each.exchange);
  const name = shownName(problem);
  const isNameOfOther =
    typeof name === 'string' &&
    name.startsWith(namePrefix) &&
    !own.some(({ wire }) => typeof wire.body === 'string' && wire.body.includes(name));
  return isNameOfOther || origin.some((creation) => !own.includes(creation));
};

/**
 * What the attempts at a case found, and all that they sent. `last`: an attempt that found the target gone, and did not try the case.
 */
const retry = async (prepared: PreparedCheck, found: TriedCase) => {
  const attempts = [found.findings];
  const sent = [...found.sent];
  const alone = found.findings.some((finding) => isReset(finding) || mustAlwaysRecur(finding));
  const { signal, evidenceLog } = prepared.execution;
  const isElsewhere = (breach: Breach) => evidenceLog.isConfirmedElsewhere?.(breach) === true;
  const isConfirmed = () => found.findings.filter(isBreach).every(isElsewhere);
  for (let left = retriesOf(prepared, found); left > 0 && !signal.aborted && !isConfirmed(); left -= 1) {
    const again = await runCase(prepared, found.value, { alone, isRetry: true });
    const { findings, exchanges } = again;
    sent.push(...again.sent);
    // Nothing could be sent (the target is gone, the budget is used up), so nothing was tried.
    if (exchanges === 0) break;
    if (findings.some(isUnreachable)) return { attempts, last: findings, sent };
    attempts.push(findings);
    // One request alone brought the server down, which takes time to start again.
    if (alone && findings.some(isReset)) break;
  }
  return { attempts, last: [], sent };
};
