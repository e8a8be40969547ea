import type { CoverageCell, Latency, Traffic } from '../run/outcome.ts';
import { mergeByName, sum } from './merge-records.ts';

/** Percentiles cannot be added, so the highest of all shards counts. */
const mergeLatency = (latencies: readonly Latency[]): Latency => {
  const most = (name: keyof Latency) => Math.max(...latencies.map((latency) => latency[name]));
  return { p50: most('p50'), p90: most('p90'), p99: most('p99'), max: most('max') };
};

/** The traffic of all parts. */
export const mergeTraffic = (traffics: readonly Traffic[]): Traffic => {
  const total = (name: 'requests' | 'created' | 'rateLimited' | 'rateLimitedUnasked') =>
    sum(traffics.map((traffic) => traffic[name]));
  const totals = (name: 'byOperation' | 'byStatus' | 'unanswered') =>
    mergeByName(
      traffics.map((traffic) => traffic[name]),
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

/** A cell of the coverage in all parts. */
export const mergeCell = (first: CoverageCell, same: readonly CoverageCell[]): CoverageCell => ({
  ...first,
  seen: sum(same.map(({ seen }) => seen)),
  ...(same.every(({ cut }) => cut === undefined) ? {} : { cut: sum(same.map(({ cut = 0 }) => cut)) }),
  ...(same.every(({ expected }) => expected === undefined)
    ? {}
    : { expected: sum(same.map(({ expected = 0 }) => expected)) }),
  headers: mergeByName(
    same.map(({ headers }) => headers),
    sum,
  ),
  documented: same.some(({ documented }) => documented),
});
