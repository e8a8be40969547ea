import { type LossCode, lossReason, type Reason, type ReasonCode } from '../finding/reason.ts';
import {
  type BySide,
  bySide,
  type CoverageCell,
  decideRun,
  type Failure,
  factsOf,
  isInterrupted,
  isOfServer,
  type Latency,
  missedOperations,
  type Observation,
  type OperationCount,
  type Outcome,
  observationOf,
  type PartialEvidence,
  type RecordedExchange,
  type RequirementResult,
  type RunFacts,
  sortObservations,
  type Traffic,
  unreadOperations,
  type Verdict,
} from '../run/outcome.ts';
import type { Report } from './conformance.ts';
import { subjectOf } from './group-failures.ts';
import { reasonText } from './text/reasons.ts';
import { shardProblems as problems } from './text/report-files.ts';

/** A shard's report, and its recorded exchanges if they are available. */
export interface Shard {
  readonly report: Report;
  readonly exchanges: readonly RecordedExchange[];
}

/** Verdicts from the worst. */
const precedence: readonly Verdict[] = [
  'failed',
  'error',
  'warned',
  'passed',
  'observed',
  'inconclusive',
  'skipped',
];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Merges the values of several records by name. */
const mergeByName = <Value>(
  records: readonly Readonly<Record<string, Value>>[],
  merge: (values: readonly Value[]) => Value,
): Readonly<Record<string, Value>> => {
  const grouped = Map.groupBy(records.flatMap(Object.entries<Value>), ([name]) => name);
  return Object.fromEntries(
    [...grouped].map(([name, entries]) => [name, merge(entries.map(([, value]) => value))]),
  );
};

/** Merges the items with the same key into one, in their order. */
const mergeBy = <Item>(
  items: readonly Item[],
  key: (item: Item) => string,
  merge: (first: Item, same: readonly Item[]) => Item,
): readonly Item[] =>
  [...Map.groupBy(items, key).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [merge(first, [first, ...others])],
  );

/** Failures of several shards with the same key are one failure. */
const failureKey = (failure: Failure): string =>
  JSON.stringify([subjectOf(failure), failure.rule, failure.variant]);

/** How often a part passed. A report of an older version shows only whether it did. */
const passesOf = ({ evidence, verdict, reasonCode }: RequirementResult): number =>
  evidence?.passed ?? (['passed', 'observed'].includes(verdict) || reasonCode === 'not-met-in-shard' ? 1 : 0);

type Decided = Pick<RequirementResult, 'verdict' | 'reason' | 'reasonCode' | 'blockedBy'>;

/** Reasons of a part whose run ended before it came to the requirement. */
const endCodes: readonly (ReasonCode | null)[] = [
  'interrupted',
  'run-ended',
  'no-response',
  'budget',
  'timeouts',
  'target-gone',
];

/** The parts that lost all cases, or that do not say how many they lost, as reports of older versions. */
const lostWhole = (parts: readonly RequirementResult[]): readonly RequirementResult[] =>
  parts.filter(
    ({ evidence, verdict, reasonCode }) =>
      (verdict === 'skipped' || verdict === 'inconclusive') &&
      endCodes.includes(reasonCode) &&
      Object.keys(evidence?.lost ?? {}).length === 0,
  );

/** The evidence of all parts; absent: a part is of an older version. */
const mergeEvidence = (parts: readonly RequirementResult[]): Pick<RequirementResult, 'evidence'> => {
  const all = parts.flatMap(({ evidence }) => evidence ?? []);
  if (all.length < parts.length) return {};
  return {
    evidence: {
      passed: sum(all.map(({ passed }) => passed)),
      cases: sum(all.map(({ cases }) => cases)),
      lost: sumOfLost(all),
    },
  };
};

const sumOfLost = (all: readonly PartialEvidence[]): PartialEvidence['lost'] =>
  mergeByName(
    all.map(({ lost }) => lost),
    sum,
  );

/** Why the whole cannot pass: cases of its parts were lost. Null: none was. */
const lossOf = (parts: readonly RequirementResult[]): Decided | null => {
  const evidence = parts.flatMap((part) => part.evidence ?? []);
  const lost = Object.entries(sumOfLost(evidence)) as [LossCode, number][];
  const reason = lossReason(sum(evidence.map(({ cases }) => cases)), new Map(lost));
  const [whole] = lostWhole(parts);
  if (reason !== null)
    return { verdict: 'inconclusive', reason: reasonText(reason), reasonCode: reason.code };
  return whole === undefined
    ? null
    : { verdict: 'inconclusive', reason: whole.reason, reasonCode: whole.reasonCode };
};

/** Verdicts that no pass of another part changes. */
const final: readonly Verdict[] = ['failed', 'error', 'warned'];

/** The verdict of the whole, from the facts of its parts, as `decideVerdict` finds it in one run. */
const decideMerged = (
  worst: RequirementResult,
  parts: readonly RequirementResult[],
  neverPassed: (id: string) => boolean,
): Decided => {
  if (final.includes(worst.verdict)) return worst;
  const blocked = parts.find(({ blockedBy }) => blockedBy !== undefined && neverPassed(blockedBy));
  if (blocked !== undefined) return blocked;
  if (parts.every((part) => passesOf(part) === 0)) return worst;
  if (worst.level === 'OPEN') return { verdict: 'observed', reason: null, reasonCode: null };
  return lossOf(parts) ?? { verdict: 'passed', reason: null, reasonCode: null };
};

const mergeResult = (
  first: RequirementResult,
  parts: readonly RequirementResult[],
  neverPassed: (id: string) => boolean,
): RequirementResult => {
  const byVerdict = parts.toSorted((a, b) => precedence.indexOf(a.verdict) - precedence.indexOf(b.verdict));
  const worst = byVerdict[0] ?? first;
  const { verdict, reason, reasonCode, blockedBy } = decideMerged(worst, parts, neverPassed);
  const { id, level, statement, section } = first;
  return {
    ...{ id, level, statement, section, verdict, reason, reasonCode },
    ...(blockedBy === undefined ? {} : { blockedBy }),
    ...mergeEvidence(parts),
    known: parts.find(({ known }) => known !== null)?.known ?? null,
    checks: sum(parts.map(({ checks }) => checks)),
    durationMs: sum(parts.map(({ durationMs = 0 }) => durationMs)),
    failures: mergeBy(
      byVerdict.flatMap(({ failures }) => failures),
      failureKey,
      (failure, same) => ({ ...failure, occurrences: sum(same.map(({ occurrences }) => occurrences)) }),
    ),
  };
};

/** Percentiles cannot be added, so the highest of all shards counts. */
const mergeLatency = (latencies: readonly Latency[]): Latency => {
  const most = (name: keyof Latency) => Math.max(...latencies.map((latency) => latency[name]));
  return { p50: most('p50'), p90: most('p90'), p99: most('p99'), max: most('max') };
};

const mergeTraffic = (traffics: readonly Traffic[]): Traffic => {
  const total = (name: 'requests' | 'created' | 'rateLimited' | 'rateLimitedUnasked') =>
    sum(traffics.map((traffic) => traffic[name]));
  const totals = (name: 'byOperation' | 'byStatus' | 'unanswered') =>
    mergeByName(
      traffics.map((traffic) => traffic[name] ?? {}),
      sum,
    );
  return {
    requests: total('requests'),
    created: total('created'),
    byOperation: totals('byOperation'),
    byStatus: totals('byStatus'),
    unanswered: totals('unanswered'),
    rateLimited: total('rateLimited'),
    rateLimitedUnasked: total('rateLimitedUnasked'),
    latency: mergeByName(
      traffics.map(({ latency }) => latency),
      mergeLatency,
    ),
  };
};

const mergeCell = (first: CoverageCell, same: readonly CoverageCell[]): CoverageCell => ({
  ...first,
  seen: sum(same.map(({ seen }) => seen)),
  ...(same.every(({ cut }) => cut === undefined) ? {} : { cut: sum(same.map(({ cut = 0 }) => cut)) }),
  headers: mergeByName(
    same.map(({ headers }) => headers),
    sum,
  ),
  documented: same.some(({ documented }) => documented),
});

/** Why shards are not a complete run, in a sentence; null: they are, or the reports name no shard. */
const whyIncomplete = (reports: readonly Report[]): string | null => {
  const shards = reports.flatMap(({ shard }) => shard ?? []);
  const [first] = shards;
  if (first === undefined) return null;
  if (shards.length < reports.length) return problems.notAllShards;
  const byIndex = Map.groupBy(shards, ({ index }) => index);
  const [repeated] = [...byIndex].filter(([, same]) => same.length > 1);
  if (repeated !== undefined) return problems.repeated(`${repeated[0]}/${first.of}`, repeated[1].length);
  const missing = Array.from({ length: first.of }, (_, before) => before + 1)
    .filter((index) => !byIndex.has(index))
    .map((index) => `${index}/${first.of}`);
  return missing.length === 0 ? null : problems.missing(missing);
};

/** Why reports are not shards of one run, in a sentence; null: they are. */
export const whyNotOneRun = (reports: readonly Report[]): string | null => {
  const targets = reports.map(({ target }) => (target.reference ? problems.reference : target.baseUrl));
  const compared: readonly (readonly [what: string, values: readonly string[]])[] = [
    [problems.targets, targets],
    [problems.seeds, reports.map(({ seed }) => String(seed))],
    [problems.interfaces, reports.map((report) => report.interface.version)],
    [problems.numbers, reports.flatMap(({ shard }) => (shard === undefined ? [] : [String(shard.of)]))],
  ];
  const [different] = compared.filter(([, values]) => new Set(values).size > 1);
  return different === undefined
    ? whyIncomplete(reports)
    : problems.differ(different[0], [...new Set(different[1])]);
};

/** The parts that ended early. An operation without a response in one part may have responded in another. */
const endsOf = (reports: readonly Report[]): readonly Report[] =>
  reports.filter(({ ended, endedCode }) => ended !== null && endedCode !== 'no-response');

/** Why the whole ended early: the reasons of all parts, and the code of an interrupt before others. */
const endOf = (
  reports: readonly Report[],
  unread: readonly string[],
): Pick<Outcome, 'ended' | 'endedCode'> => {
  const ends = endsOf(reports);
  const noResponse: Reason = { code: 'no-response', detail: 'operations', operations: unread };
  const [first] = [...ends.filter(isInterrupted), ...ends];
  if (first === undefined)
    return unread.length === 0
      ? { ended: null }
      : { ended: reasonText(noResponse), endedCode: noResponse.code };
  const reasons = new Set(ends.flatMap(({ ended }) => ended ?? []));
  return {
    ended: [...reasons].join(' '),
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
    hasMissedOperation: operations !== null && missedOperations(operations) > 0,
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

/** A report of an older version has the joined text only. */
const valuesOf = ({ value, values = [value] }: Observation): readonly string[] => values;

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
    leftOut: Math.min(first.all - requested, ...counts.map(({ leftOut = 0 }) => leftOut)),
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
    (observation, same) => observationOf(observation, same.flatMap(valuesOf)),
  );
  const traffic = mergeTraffic(reports.map((report) => report.traffic));
  const coverage = mergeBy(
    reports.flatMap((report) => report.coverage),
    ({ operation, status }) => `${operation} ${status}`,
    mergeCell,
  );
  const unread = unreadOperations(
    coverage.map(({ operation }) => operation),
    { traffic, coverage },
  );
  const operations = mergeOperations(reports);
  const { verdict, exit } = decideRun(
    runFactsOf(reports, requirements, { isUnread: unread.length > 0, operations }),
  );
  const outcome: Outcome = {
    tool: first.report.tool,
    interface: first.report.interface,
    target: {
      ...first.report.target,
      plan: reports.find(({ target }) => target.plan !== null)?.target.plan ?? null,
    },
    startedAt: new Date(Math.min(...starts)).toISOString(),
    durationMs: Math.max(...ends) - Math.min(...starts),
    seed: first.report.seed,
    verdict,
    ...endOf(reports, verdict === 'not-judged' ? unread : []),
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
