import type { Probe } from '../../finding/probe.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { ParsedResponse } from '../../http/parsed-response.ts';
import { windowMayHaveReset } from '../limit-state.ts';
import { belongsToKey, isAfter, type LimitSample, parseRateSample, refilledBetween } from './limit-sample.ts';

/** How Remaining moved with the requests of one operation. `unknown`: too few responses in one window. */
export interface CounterTrend {
  readonly trend: 'decreasing' | 'constant' | 'unknown';
  /** The latest response with counts, or null. */
  readonly latest: { readonly exchange: Exchange; readonly limit: number; readonly remaining: number } | null;
}

/** `counts`: the request was served, so it counts towards the limit if its operation does. */
type CountedSample = LimitSample & { readonly counts: boolean };

/** The samples of one operation. */
interface Counter {
  readonly samples: CountedSample[];
  latest: Exchange;
}

/** Remaining is constant after at least this many counted requests. A refill may compensate for one. */
const minCounted = 2;
const maxSamples = 200;

/** Compares a sample with the responses to requests that were sent after it arrived. */
const trendSince = (first: LimitSample, later: readonly CountedSample[]): CounterTrend['trend'] => {
  let counted = 0;
  let isConstant = false;
  for (const each of later) {
    if (each.limit !== first.limit || !isAfter(each, first) || windowMayHaveReset(first, each)) continue;
    if (each.remaining < first.remaining) return 'decreasing';
    if (!each.counts || each.reset !== first.reset) continue;
    counted += 1;
    isConstant ||= counted >= minCounted && counted > refilledBetween(first, each);
  }
  return isConstant ? 'constant' : 'unknown';
};

/** Tells whether Remaining fell by more than all requests that may have been counted, so that one is charged as several. */
const fallsByMore = (first: CountedSample, later: readonly CountedSample[], concurrency: number): boolean =>
  later.some(
    (each) =>
      each.limit === first.limit &&
      each.counts &&
      !windowMayHaveReset(first, each) &&
      first.remaining - each.remaining > each.lastSentBefore - first.id + concurrency,
  );

/** Any response of listOrders to a valid key counts as served, because the document does not specify its statuses. */
const isServed = ({ status }: ParsedResponse, { request }: Probe): boolean =>
  status < 300 || (request.operation === 'listOrders' && status !== 429);

/**
 * Tells whether the operation's own requests lower Remaining: it fell by more than all other requests that may have been counted. Up to
 * `concurrency` requests in flight may have been sent before and counted since.
 */
const ownRequestsCount = (first: CountedSample, later: readonly CountedSample[], concurrency: number) => {
  let own = 0;
  return later.some((each) => {
    if (each.counts) own += 1;
    const others = each.lastSentBefore - first.id + concurrency - 1 - own;
    return (
      each.limit === first.limit &&
      !windowMayHaveReset(first, each) &&
      first.remaining - each.remaining > others
    );
  });
};

/**
 * Observes for each operation whether Remaining falls over the run's requests with the key (RATE-4). The server may handle requests in any
 * order. At least one request sent after a response must show a Remaining that is lower by the number of these requests, except for a
 * refill. `sent` returns the number of requests on the wire so far.
 */
export const createCounterMonitor = (sent: () => number, concurrency = 1) => {
  const counters = new Map<string, Counter>();
  return {
    /** Records a response, in the order of arrival. */
    observe: (response: ParsedResponse, probe: Probe): void => {
      const { credential, operation } = probe.request;
      const forbidden = response.status === 403 && operation === 'listOrders';
      if (credential.chargedTo !== 'main' || !(forbidden || belongsToKey(response, probe))) return;
      const sample = parseRateSample(response, sent());
      if (sample === null) return;
      const counter = counters.get(operation) ?? { samples: [], latest: response.exchange };
      counters.set(operation, counter);
      counter.latest = response.exchange;
      if (counter.samples.push({ ...sample, counts: isServed(response, probe) }) > maxSamples)
        counter.samples.shift();
    },
    counterTrend: (operation: string): CounterTrend => {
      const counter = counters.get(operation);
      const last = counter?.samples.at(-1);
      if (counter === undefined || last === undefined) return { trend: 'unknown', latest: null };
      const trends = counter.samples.map((first, index) =>
        trendSince(first, counter.samples.slice(index + 1)),
      );
      const trend = (['decreasing', 'constant'] as const).find((each) => trends.includes(each)) ?? 'unknown';
      const { limit, remaining } = last;
      return { trend, latest: { exchange: counter.latest, limit, remaining } };
    },
    /** Tells whether the operation's own requests lower Remaining, not only concurrent requests of others. */
    isCounted: (operation: string): boolean => {
      const samples = counters.get(operation)?.samples ?? [];
      return samples.some((first, index) => ownRequestsCount(first, samples.slice(index + 1), concurrency));
    },
    isChargedAsSeveral: (operation: string): boolean => {
      const samples = counters.get(operation)?.samples ?? [];
      return samples.some((first, index) => fallsByMore(first, samples.slice(index + 1), concurrency));
    },
  };
};
