import type { Exchange } from '../../http/exchange.ts';
import type { ParsedResponse } from '../../http/parsed-response.ts';
import type { Probe } from '../../oracle/probe.ts';
import { windowMayHaveReset } from '../limit-state.ts';
import { belongsToKey, isAfter, type LimitSample, parseRateSample, refilledBetween } from './limit-sample.ts';

/** How Remaining moved with the requests of one operation. `unknown`: too few were answered in one window to tell. */
export interface CounterTrend {
  readonly trend: 'decreasing' | 'constant' | 'unknown';
  /** The latest response that shows counts; null: none has. */
  readonly latest: { readonly exchange: Exchange; readonly limit: number; readonly remaining: number } | null;
}

/** `counts`: the request was served, so it is one of those that the limit is for, if its operation is. */
type CountedSample = LimitSample & { readonly counts: boolean };

/** Of one operation, with the latest answer. */
interface Counter {
  readonly samples: CountedSample[];
  latest: Exchange;
}

/** So many requests at least are counted while Remaining does not fall: with one, what is refilled may make up for it. */
const fewest = 2;
/** Answers that are remembered of an operation. */
const kept = 200;

/** What the answers to requests that were sent after this one had come say of it. */
const trendSince = (first: LimitSample, later: readonly CountedSample[]): CounterTrend['trend'] => {
  let counted = 0;
  let stands = false;
  for (const each of later) {
    if (each.limit !== first.limit || !isAfter(each, first) || windowMayHaveReset(first, each)) continue;
    if (each.remaining < first.remaining) return 'decreasing';
    if (!each.counts || each.reset !== first.reset) continue;
    counted += 1;
    stands ||= counted >= fewest && counted > refilledBetween(first, each);
  }
  return stands ? 'constant' : 'unknown';
};

/** Remaining fell by more than every request that may have been counted meanwhile: one of them is charged as several. */
const fallsByMore = (first: CountedSample, later: readonly CountedSample[], flying: number): boolean =>
  later.some(
    (each) =>
      each.limit === first.limit &&
      each.counts &&
      !windowMayHaveReset(first, each) &&
      first.remaining - each.remaining > each.lastSentBefore - first.id + flying,
  );

/** What becomes of orders is not shown: any answer to a valid key is as good as another. */
const isServed = ({ status }: ParsedResponse, { request }: Probe): boolean =>
  status < 300 || (request.operation === 'listOrders' && status !== 429);

/**
 * Whether the requests of an operation take from Remaining themselves: it fell by more than whatever else may have been counted
 * meanwhile. `flying`: requests that may be under way at once, so that some may have been counted since that were sent before.
 */
const takes = (first: CountedSample, later: readonly CountedSample[], flying: number): boolean => {
  let own = 0;
  return later.some((each) => {
    if (each.counts) own += 1;
    const others = each.lastSentBefore - first.id + flying - 1 - own;
    return (
      each.limit === first.limit &&
      !windowMayHaveReset(first, each) &&
      first.remaining - each.remaining > others
    );
  });
};

/**
 * Watches, operation by operation, whether Remaining falls over the requests that are made with the key anyway (RATE-4). Whichever order
 * the server took them in: of those that were sent after an answer had come, one at least must say less than it did by their number, what
 * was refilled aside. `sent`: the requests on the wire so far.
 */
export const createCounterMonitor = (sent: () => number, concurrency = 1) => {
  const counters = new Map<string, Counter>();
  return {
    /** Remembers what one answer says, in the order of arrival. */
    observe: (response: ParsedResponse, probe: Probe): void => {
      const { credential, operation } = probe.request;
      const forbidden = response.status === 403 && operation === 'listOrders';
      if (credential.chargedTo !== 'main' || !(forbidden || belongsToKey(response, probe))) return;
      const said = parseRateSample(response, sent());
      if (said === null) return;
      const counter = counters.get(operation) ?? { samples: [], latest: response.exchange };
      counters.set(operation, counter);
      counter.latest = response.exchange;
      if (counter.samples.push({ ...said, counts: isServed(response, probe) }) > kept)
        counter.samples.shift();
    },
    counterTrend: (operation: string): CounterTrend => {
      const counter = counters.get(operation);
      const last = counter?.samples.at(-1);
      if (counter === undefined || last === undefined) return { trend: 'unknown', latest: null };
      const found = counter.samples.map((first, index) =>
        trendSince(first, counter.samples.slice(index + 1)),
      );
      const trend = (['decreasing', 'constant'] as const).find((each) => found.includes(each)) ?? 'unknown';
      const { limit, remaining } = last;
      return { trend, latest: { exchange: counter.latest, limit, remaining } };
    },
    /** Remaining falls by the requests of this very operation: not only by others, in whose midst they were sent. */
    isCounted: (operation: string): boolean => {
      const samples = counters.get(operation)?.samples ?? [];
      return samples.some((first, index) => takes(first, samples.slice(index + 1), concurrency));
    },
    isChargedAsSeveral: (operation: string): boolean => {
      const samples = counters.get(operation)?.samples ?? [];
      return samples.some((first, index) => fallsByMore(first, samples.slice(index + 1), concurrency));
    },
  };
};
