import {
  type BySide,
  bySide,
  type CoverageCell,
  type Failure,
  isDecided,
  isOfServer,
  type Latency,
  type Observation,
  type Outcome,
  observationOf,
  type RecordedExchange,
  type RequirementResult,
  sortObservations,
  type Traffic,
  type Verdict,
} from '../run/outcome.ts';
import type { Report } from './conformance.ts';
import { subjectOf } from './group-failures.ts';
import { shardProblems as problems } from './text/report-files.ts';
import { withVerdict } from './verdicts.ts';

/** A shard's report, and its recorded exchanges if they are available. */
export interface Shard {
  readonly report: Report;
  readonly exchanges: readonly RecordedExchange[];
}

/** The merged verdict is the first of these that a shard has. */
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

/** A known failure that no shard found passes now. */
const asPassedInShard = (result: RequirementResult): RequirementResult =>
  result.reasonCode === 'not-met-in-shard'
    ? { ...result, verdict: 'passed', reason: null, reasonCode: null }
    : result;

const mergeResult = (first: RequirementResult, parts: readonly RequirementResult[]): RequirementResult => {
  const byVerdict = parts
    .map(asPassedInShard)
    .sort((a, b) => precedence.indexOf(a.verdict) - precedence.indexOf(b.verdict));
  return {
    ...(byVerdict[0] ?? first),
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

/** The verdict of the whole run. A run that failed with only warnings was strict. */
const verdictOf = (reports: readonly Report[], results: readonly RequirementResult[]): Outcome['verdict'] => {
  const wasStrict =
    reports.some(({ verdict }) => verdict === 'nonconformant') && withVerdict(results, 'warned').length > 0;
  if (withVerdict(results, 'failed').length > 0 || wasStrict) return 'nonconformant';
  // A shard without a case is complete. A shard that ended early is not.
  const endedEarly = reports.some(({ verdict, ended }) => verdict === 'not-judged' && ended !== null);
  return endedEarly || !results.some(isDecided) ? 'not-judged' : 'conformant';
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

/** Merges the shards of a run into one outcome. Common values come from `first`. */
export const mergeShards = (first: Shard, ...rest: readonly Shard[]): Outcome => {
  const shards = renumber([first, ...rest]);
  const reports = shards.map(({ report }) => report);
  const starts = reports.map(({ startedAt }) => Date.parse(startedAt));
  const ends = reports.map(({ durationMs }, index) => (starts[index] ?? 0) + durationMs);
  const results = reports.flatMap((report) => report.requirements);
  const requirements = mergeBy(results, ({ id }) => id, mergeResult);
  // Observations on one subject become one, with the values that any shard saw.
  const observations = mergeBy(
    reports.flatMap((report) => report.observations),
    ({ id, subject }) => JSON.stringify([id, subject]),
    (observation, same) => observationOf(observation, same.flatMap(valuesOf)),
  );
  const reasons = new Set(reports.flatMap(({ ended }) => ended ?? []));
  const [endedCode] = reports.flatMap((report) => report.endedCode ?? []);
  return {
    tool: first.report.tool,
    interface: first.report.interface,
    target: {
      ...first.report.target,
      plan: reports.find(({ target }) => target.plan !== null)?.target.plan ?? null,
    },
    startedAt: new Date(Math.min(...starts)).toISOString(),
    durationMs: Math.max(...ends) - Math.min(...starts),
    seed: first.report.seed,
    verdict: verdictOf(reports, requirements),
    ended: reasons.size === 0 ? null : [...reasons].join(' '),
    ...(endedCode === undefined ? {} : { endedCode }),
    requirements,
    observations: sortObservations(observations),
    traffic: mergeTraffic(reports.map(({ traffic }) => traffic)),
    created: mergeBy(
      reports.flatMap(({ created }) => created),
      ({ id, name }) => JSON.stringify([id, name]),
      (animal) => animal,
    ),
    coverage: mergeBy(
      reports.flatMap(({ coverage }) => coverage),
      ({ operation, status }) => `${operation} ${status}`,
      mergeCell,
    ),
    exchanges: shards.flatMap(({ exchanges }) => exchanges),
  };
};
