import type { RateHeaders } from './rate-headers.ts';
import type { RequestCosts } from './request-costs.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';

/** Whether other clients use a key at the same time. */
export interface OtherClients {
  /** A response to a request with the key. */
  heard(request: LoggedRequest, status: number, headers: RateHeaders, now: number): void;
  /** `suspected`: requests are to go one by one, so that it shows what each of them costs. */
  state(): 'none' | 'suspected' | 'confirmed';
}

/** One response of a window. */
interface Point {
  readonly request: LoggedRequest;
  readonly remaining: number;
  readonly at: number;
}

/** The responses that show one limit with one Reset. */
interface Series {
  /** What Remaining is compared with. */
  base: Point;
  last: Point;
  /** By how much more than the requests cost Remaining has fallen since `base`, and how often that has grown. */
  excess: number;
  growths: number;
}

/** By so much more than the requests explain must Remaining have fallen, in so many responses. */
const PROOF = { excess: 3, growths: 2 };
/** What requests of one kind cost is known for sure. */
const PROOF_OF_ONE_KIND = { excess: 1, growths: 1 };
/** Requests that go one by one to find out. */
const EXAMINED = 16;
/** Responses after which that ends, although not enough of them went alone. */
const EXAMINED_AT_MOST = 48;
const EXAMINATIONS = 6;
const SERIES_AT_ONCE = 6;
/** In no less than this a whole limit is refilled, short of a new window. */
const REFILL_MS = 40_000;

const sum = (costs: readonly number[]): number => costs.reduce((a, b) => a + b, 0);
/** What a request costs of which nothing is known, as a rule. */
const orOne = (cost: number): number => (Number.isFinite(cost) ? cost : 1);

/** Refused before it was counted, or counted for somebody else. */
const isUncertain = (status: number): boolean =>
  status === 401 || status === 403 || status === 429 || status >= 500;

/**
 * On one counter Remaining falls by this run's requests and by those of others. What a request costs is not specified: so a fall by more
 * than requests usually cost is only suspicious. Requests then go one by one. The least by which Remaining ever fell over one of a kind
 * is the most that such a request can cost; where it falls by more than these costs add up to, others use the key. Where Remaining rises
 * within a window, there are several counters: one for each operation, or for each instance, of which nothing can be said.
 */
export const createOtherClients = (log: RequestLog, costs: RequestCosts): OtherClients => {
  const series = new Map<string, Series>();
  const severalCounters = new Set<string>();
  let state: ReturnType<OtherClients['state']> = 'none';
  let examinations = 0;
  let [alone, examined] = [0, 0];

  const counterOf = ({ kind }: LoggedRequest): string | null => {
    const operation = kind.split(' ', 1)[0] ?? '';
    return ['', operation].find((counter) => !severalCounters.has(counter)) ?? null;
  };
  const giveUp = (counter: string): void => {
    severalCounters.add(counter);
    series.clear();
    if (state === 'suspected') state = 'none';
  };
  const begin = (key: string, point: Point): void => {
    series.set(key, { base: point, last: point, excess: 0, growths: 0 });
    const [oldest] = series.keys();
    if (series.size > SERIES_AT_ONCE && oldest !== undefined) series.delete(oldest);
  };
  const suspect = (): void => {
    if (state !== 'none' || examinations >= EXAMINATIONS) return;
    state = 'suspected';
    examinations += 1;
    [alone, examined] = [0, 0];
  };
  const examine = (isAlone: boolean): void => {
    if (state !== 'suspected') return;
    examined += 1;
    if (isAlone) alone += 1;
    if (alone < EXAMINED && examined < EXAMINED_AT_MOST) return;
    state = 'none';
  };

  /** @returns whether nothing but this request was counted since the response before it */
  const learnCost = ({ last }: Series, { request, remaining }: Point): boolean => {
    const isAlone = log.between(last.request, request)?.length === 1;
    // What falls to 0 may have cost more than was left.
    if (isAlone && remaining > 0) costs.learn(request, last.remaining - remaining);
    return isAlone;
  };
  const compare = (each: Series, point: Point, key: string): void => {
    const own = log.between(each.base.request, point.request);
    const fall = each.base.remaining - point.remaining;
    const most = own?.map(costs.most) ?? [Number.POSITIVE_INFINITY];
    const cost = sum(most);
    if (own !== null && fall - sum(most.map(orOne)) >= PROOF.excess) suspect();
    if (!Number.isFinite(cost)) {
      if (log.inFlight() === 0 && state === 'suspected') begin(key, point);
      return;
    }
    if (fall - cost > each.excess) {
      each.excess = fall - cost;
      each.growths += 1;
    }
    const proof = own?.every(({ kind }) => kind === point.request.kind) ? PROOF_OF_ONE_KIND : PROOF;
    if (each.excess >= proof.excess && each.growths >= proof.growths) state = 'confirmed';
  };

  return {
    heard: (request, status, { limit, remaining, resetAt }, now) => {
      const counter = counterOf(request);
      if (state === 'confirmed' || counter === null || isUncertain(status)) return;
      if (limit === null || remaining === null || resetAt === null) return;
      const key = `${counter} ${limit} ${resetAt}`;
      const point = { request, remaining, at: now };
      const known = series.get(key);
      if (known === undefined) return begin(key, point);
      if (request.sentAt < known.last.request.landedAt) return;
      const refilled = 1 + (limit * (now - known.last.at)) / REFILL_MS;
      if (remaining > known.last.remaining + refilled) return giveUp(counter);
      examine(learnCost(known, point));
      compare(known, point, key);
      known.last = point;
    },
    state: () => state,
  };
};
