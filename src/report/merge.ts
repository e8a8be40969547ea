import { type EndReason, reasonText } from '../finding/reason.ts';
import { decideRun, factsOf, type RunFacts } from '../run/decide-run.ts';
import {
  type BySide,
  bySide,
  type Failure,
  isInterrupted,
  isOfServer,
  missesMost,
  type OperationCount,
  type Outcome,
  observationOf,
  type RecordedExchange,
  type RequirementResult,
  sortObservations,
} from '../run/outcome.ts';
import { whyUnread } from '../run/unread-operations.ts';
import type { Report } from './conformance.ts';
import { mergeBy, mergeByName, sum } from './merge-records.ts';
import { mergeResult, passesOf } from './merge-results.ts';
import { mergeCell, mergeTraffic } from './merge-traffic.ts';

/** A shard's report, and its recorded exchanges if they are available. */
export interface Shard {
  readonly report: Report;
  readonly exchanges: readonly RecordedExchange[];
}

/** The parts that ended early. An operation without a response in one part may have responded in another. */
const endsOf = (reports: readonly Report[]): readonly Report[] =>
  reports.filter(({ ended, endedCode }) => ended !== null && endedCode !== 'no-response');

/** Why the whole ended early: the reasons of all parts, and the code of an interrupt before others. */
const endOf = (
  reports: readonly Report[],
  unread: EndReason | null,
): Pick<Outcome, 'ended' | 'endedCode' | 'silence'> => {
  const ends = endsOf(reports);
  const [first] = [...ends.filter(isInterrupted), ...ends];
  if (first === undefined)
    return unread === null ? { ended: null } : { ended: reasonText(unread), endedCode: unread.code };
  const reasons = new Set(ends.flatMap(({ ended }) => ended ?? []));
  const silences = new Set(reports.map(({ silence }) => silence));
  const [silence] = silences;
  return {
    ended: [...reasons].join(' '),
    ...(silence === undefined || silences.size > 1 ? {} : { silence }),
    ...(first.endedCode === undefined ? {} : { endedCode: first.endedCode }),
  };
};

/**
 * The facts of the whole run. A part that failed without a failure was strict, or its server stopped responding. A part without a case is
 * complete, and a part that ended early is not.
 */
const runFactsOf = (
  reports: readonly Report[],
  requirements: readonly RequirementResult[],
  { isUnread, operations }: { readonly isUnread: boolean; readonly operations: OperationCount | null },
): RunFacts => {
  const facts = factsOf(requirements, { strict: false });
  const ends = endsOf(reports);
  return {
    ...facts,
    failed: facts.failed || reports.some(({ verdict }) => verdict === 'nonconformant'),
    hasUnreadOperation: isUnread,
    missesMost: missesMost(operations),
    end: ends.some(isInterrupted) ? 'interrupted' : ends.length > 0 ? 'stopped' : 'complete',
  };
};

/** Renumbers exchanges, so that ids are unique and failures still point to their exchange. */
const renumbered = (offset: number): BySide<Failure> => ({
  server: ({ causedBy, ...failure }) => ({
    ...failure,
    exchange: failure.exchange + offset,
    ...(causedBy === undefined ? {} : { causedBy: { ...causedBy, exchange: causedBy.exchange + offset } }),
  }),
});

const renumber = (shards: readonly Shard[]): readonly Shard[] => {
  let offset = 0;
  return shards.map(({ report, exchanges }) => {
    const before = offset;
    const failures = report.requirements.flatMap((result) => result.failures).filter(isOfServer);
    offset += 1 + Math.max(0, ...failures.map(({ exchange }) => exchange), ...exchanges.map(({ id }) => id));
    const requirements = report.requirements.map((result) => ({
      ...result,
      failures: result.failures.map((failure) => bySide(renumbered(before), failure)),
    }));
    return {
      report: { ...report, requirements },
      exchanges: exchanges.map((exchange) => ({ ...exchange, id: exchange.id + before })),
    };
  });
};

/** An operation got a request if it got one in any shard. */
const mergeOperations = (reports: readonly Report[]): OperationCount | null => {
  const counts = reports.flatMap(({ operations }) => operations ?? []);
  const [first] = counts;
  if (first === undefined) return null;
  const seen = reports.flatMap(({ coverage }) => coverage).filter((cell) => cell.seen > 0);
  const requested = new Set(seen.map(({ operation }) => operation)).size;
  return {
    all: first.all,
    requested,
    leftOut: Math.min(first.all - requested, ...counts.map(({ leftOut }) => leftOut)),
    notRequested: first.notRequested.filter((reason) =>
      counts.every(({ notRequested }) => notRequested.includes(reason)),
    ),
  };
};

/** Merges the shards of a run into one outcome, with the exit code of the command. Common values come from `first`. */
export const mergeShards = (first: Shard, ...rest: readonly Shard[]) => {
  const shards = renumber([first, ...rest]);
  const reports = shards.map(({ report }) => report);
  const starts = reports.map(({ startedAt }) => Date.parse(startedAt));
  const ends = reports.map(({ durationMs }, index) => (starts[index] ?? 0) + durationMs);
  const results = reports.flatMap((report) => report.requirements);
  const passes = mergeByName(
    results.map((result) => ({ [result.id]: passesOf(result) })),
    sum,
  );
  const requirements = mergeBy(
    results,
    ({ id }) => id,
    (result, parts) => mergeResult(result, parts, (id) => passes[id] === 0),
  );
  // Observations on one subject become one, with the values that any shard saw.
  const observations = mergeBy(
    reports.flatMap((report) => report.observations),
    ({ id, subject }) => JSON.stringify([id, subject]),
    (observation, same) =>
      observationOf(
        observation,
        same.flatMap(({ values }) => values),
      ),
  );
  const traffic = mergeTraffic(reports.map((report) => report.traffic));
  const coverage = mergeBy(
    reports.flatMap((report) => report.coverage),
    ({ operation, status }) => `${operation} ${status}`,
    mergeCell,
  );
  const operations = mergeOperations(reports);
  const because = whyUnread(
    coverage.map(({ operation }) => operation),
    { traffic, coverage },
    { countsLimited: operations === null },
  );
  const { verdict, exit } = decideRun(
    runFactsOf(reports, requirements, { isUnread: because !== null, operations }),
  );
  const outcome: Outcome = {
    tool: first.report.tool,
    interface: first.report.interface,
    target: {
      ...first.report.target,
      baseUrl: [...new Set(reports.map(({ target }) => target.baseUrl))].join(', '),
      plan: reports.find(({ target }) => target.plan !== null)?.target.plan ?? null,
    },
    startedAt: new Date(Math.min(...starts)).toISOString(),
    durationMs: Math.max(...ends) - Math.min(...starts),
    seed: first.report.seed,
    verdict,
    ...endOf(reports, verdict === 'not-judged' ? because : null),
    requirements,
    observations: sortObservations(observations),
    traffic,
    created: mergeBy(
      reports.flatMap(({ created }) => created),
      ({ id, name }) => JSON.stringify([id, name]),
      (animal) => animal,
    ),
    coverage,
    ...(operations === null ? {} : { operations }),
    exchanges: shards.flatMap(({ exchanges }) => exchanges),
  };
  return { outcome, exit };
};
