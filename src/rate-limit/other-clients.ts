import type { RateLimit } from './headers.ts';
import type { LoggedRequest, RequestCosts, RequestLog } from './request-log.ts';

/** `suspected`: requests are sent one at a time, so that responses show the cost of each. */
type Sharing = 'none' | 'suspected' | 'confirmed';

/** One response of a window. */
interface Point {
  readonly request: LoggedRequest;
  readonly remaining: number;
  readonly at: number;
}

/** The responses with the same limit and the same Reset. */
interface Series {
  /** The start of the comparison. */
  base: Point;
  last: Point;
  /** How much more Remaining has fallen since `base` than the requests cost, and how often that has grown. */
  excess: number;
  growths: number;
}

/** What the responses so far show. */
type SharingLog = ReturnType<typeof createSharingLog>;

const createSharingLog = (log: RequestLog, costs: RequestCosts) => ({
  log,
  costs,
  series: new Map<string, Series>(),
  /** Operations (or '' for all) with several counters, which are not examined. */
  severalCounters: new Set<string>(),
  state: 'none' as Sharing,
  examinations: 0,
  /** Requests of the current examination: sent alone, and in total. */
  alone: 0,
  examined: 0,
});

/** Remaining must have fallen this much more than the requests explain, in this many responses. */
const PROOF = { excess: 3, growths: 2 };
/** Less is needed if all requests are of one kind, because their cost is certain. */
const PROOF_OF_ONE_KIND = { excess: 1, growths: 1 };
/**
 * The same if Remaining has risen within a window. It may have fallen because another instance responded, with a counter of its own; then it
 * rises again before it has fallen this often.
 */
const PROOF_AMONG_SEVERAL = { excess: 3, growths: 3 };
/** Requests to send alone in an examination. */
const EXAMINED = 16;
/** An examination ends after this many responses, even if too few requests were sent alone. */
const EXAMINED_AT_MOST = 48;
const EXAMINATIONS = 6;
const SERIES_AT_ONCE = 6;
/** A whole limit takes at least this long to refill, except by a new window. */
const REFILL_MS = 40_000;

/**
 * Detects whether other clients use a key at the same time. Remaining falls by the requests of this run and of other clients. The cost of a request is not specified, so a larger fall is only
 * suspicious. Requests are then sent one at a time. The smallest fall over one request of a kind is the highest possible cost of that kind.
 * If Remaining falls by more than the sum of these costs, other clients use the key. If Remaining rises within a window, there are several
 * counters, by operation or instance, which are not examined.
 */
export const createOtherClients = (log: RequestLog, costs: RequestCosts) => {
  const sharing = createSharingLog(log, costs);
  return {
    /** Records a response to a request with the key. */
    observe: (request: LoggedRequest, status: number, headers: RateLimit, now: number): void =>
      observe(sharing, request, status, headers, now),
    state: (): Sharing => sharing.state,
  };
};

const observe = (
  sharing: SharingLog,
  request: LoggedRequest,
  status: number,
  { limit, remaining, resetAt }: RateLimit,
  now: number,
): void => {
  const counter = counterOf(sharing, request);
  if (sharing.state === 'confirmed' || counter === null || isUncertain(status)) return;
  if (limit === null || remaining === null || resetAt === null) return;
  const key = `${counter} ${limit} ${resetAt}`;
  const point = { request, remaining, at: now };
  const known = sharing.series.get(key);
  if (known === undefined) {
    begin(sharing, key, point);
    return;
  }
  if (request.sentAt < known.last.request.endedAt) return;
  const refilled = 1 + (limit * (now - known.last.at)) / REFILL_MS;
  if (remaining > known.last.remaining + refilled) {
    ignoreCounter(sharing, counter);
    return;
  }
  examine(sharing, learnCost(sharing, known, point));
  compare(sharing, known, point, key);
  known.last = point;
};

/** The request may not have been counted, or counted for another caller. */
const isUncertain = (status: number): boolean =>
  status === 401 || status === 403 || status === 429 || status >= 500;

const counterOf = ({ severalCounters }: SharingLog, { kind }: LoggedRequest): string | null => {
  const operation = kind.split(' ', 1)[0] ?? '';
  return ['', operation].find((counter) => !severalCounters.has(counter)) ?? null;
};

const ignoreCounter = (sharing: SharingLog, counter: string): void => {
  sharing.severalCounters.add(counter);
  sharing.series.clear();
  if (sharing.state === 'suspected') sharing.state = 'none';
};

const begin = ({ series }: SharingLog, key: string, point: Point): void => {
  series.set(key, { base: point, last: point, excess: 0, growths: 0 });
  const [oldest] = series.keys();
  if (series.size > SERIES_AT_ONCE && oldest !== undefined) series.delete(oldest);
};

const suspect = (sharing: SharingLog): void => {
  if (sharing.state !== 'none' || sharing.examinations >= EXAMINATIONS) return;
  sharing.state = 'suspected';
  sharing.examinations += 1;
  sharing.alone = 0;
  sharing.examined = 0;
};

const examine = (sharing: SharingLog, isAlone: boolean): void => {
  if (sharing.state !== 'suspected') return;
  sharing.examined += 1;
  if (isAlone) sharing.alone += 1;
  if (sharing.alone >= EXAMINED || sharing.examined >= EXAMINED_AT_MOST) sharing.state = 'none';
};

/** Returns whether only this request was counted since the previous response. */
const learnCost = ({ log, costs }: SharingLog, { last }: Series, { request, remaining }: Point): boolean => {
  const isAlone = log.between(last.request, request)?.length === 1;
  // At Remaining 0, the request may have cost more than remained.
  if (isAlone && remaining > 0) costs.learn(request, last.remaining - remaining);
  return isAlone;
};

const compare = (sharing: SharingLog, each: Series, point: Point, key: string): void => {
  const { log, costs } = sharing;
  const own = log.between(each.base.request, point.request);
  const fall = each.base.remaining - point.remaining;
  const most = own?.map(costs.most) ?? [Number.POSITIVE_INFINITY];
  const cost = sum(most);
  if (own !== null && fall - sum(most.map(orOne)) >= PROOF.excess) suspect(sharing);
  if (!Number.isFinite(cost)) {
    if (log.inFlight() === 0 && sharing.state === 'suspected') begin(sharing, key, point);
    return;
  }
  if (fall - cost > each.excess) {
    each.excess = fall - cost;
    each.growths += 1;
  }
  const proof = proofOf(sharing, own?.every(({ kind }) => kind === point.request.kind) === true);
  if (each.excess >= proof.excess && each.growths >= proof.growths) sharing.state = 'confirmed';
};

const proofOf = ({ severalCounters }: SharingLog, isOneKind: boolean): typeof PROOF => {
  if (severalCounters.size > 0) return PROOF_AMONG_SEVERAL;
  return isOneKind ? PROOF_OF_ONE_KIND : PROOF;
};

const sum = (costs: readonly number[]): number => costs.reduce((a, b) => a + b, 0);
/** Assumes cost 1 if the cost is unknown. */
const orOne = (cost: number): number => (Number.isFinite(cost) ? cost : 1);
