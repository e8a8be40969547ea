import type { ClientTraffic } from './client-types.ts';
import type { Exchange } from './exchange.ts';

type Percentiles = ClientTraffic['latency'][string];

/** Each histogram bucket is 6 % wider than the previous one, so percentiles are within 3 %. */
const STEP = Math.log(1.06);
const bucketOf = (ms: number): number => Math.max(0, Math.round(Math.log(Math.max(ms, 0.1) / 0.1) / STEP));
const middleOf = (bucket: number): number => 0.1 * Math.exp(bucket * STEP);

interface Histogram {
  readonly buckets: number[];
  count: number;
  max: number;
}

const percentile = ({ buckets, count, max }: Histogram, part: number): number => {
  let total = 0;
  for (const [bucket, size] of buckets.entries()) {
    total += size ?? 0;
    if (total >= part * count) return Math.min(max, Math.round(middleOf(bucket) * 10) / 10);
  }
  return max;
};

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** Counts requests by operation and by status or kind of failure, and measures latency by operation, in constant memory. */
export const createTrafficCount = () => {
  const byOperation = new Map<string, number>();
  const byStatus = new Map<string, number>();
  const unanswered = new Map<string, number>();
  const latency = new Map<string, Histogram>();
  let [requests, rateLimited, rateLimitedUnasked] = [0, 0, 0];

  const time = (operation: string, ms: number): void => {
    const histogram = latency.get(operation) ?? { buckets: [], count: 0, max: 0 };
    const bucket = bucketOf(ms);
    while (histogram.buckets.length <= bucket) histogram.buckets.push(0);
    histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1;
    histogram.count += 1;
    histogram.max = Math.max(histogram.max, ms);
    latency.set(operation, histogram);
  };
  const percentiles = (histogram: Histogram): Percentiles => ({
    p50: percentile(histogram, 0.5),
    p90: percentile(histogram, 0.9),
    p99: percentile(histogram, 0.99),
    max: histogram.max,
  });

  return {
    add: ({ request, response, failure, durationMs }: Exchange, expects429: boolean) => {
      requests += 1;
      count(byOperation, request.operation);
      if (response === null) return count(unanswered, failure.kind);
      count(byStatus, `${response.status}`);
      time(request.operation, durationMs);
      if (response.status !== 429) return;
      rateLimited += 1;
      if (!expects429) rateLimitedUnasked += 1;
    },
    read: (): ClientTraffic => ({
      requests,
      byOperation: Object.fromEntries(byOperation),
      byStatus: Object.fromEntries(byStatus),
      unanswered: Object.fromEntries(unanswered),
      rateLimited,
      rateLimitedUnasked,
      latency: Object.fromEntries([...latency].map(([operation, each]) => [operation, percentiles(each)])),
    }),
  };
};
