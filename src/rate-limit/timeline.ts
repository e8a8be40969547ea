import type { PaceSlot, WaitReason } from '../http/pacing-types.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import { limitState } from './limit-state.ts';

/** The responses of one interval. */
export interface TimelinePoint {
  /** Start of the interval, in milliseconds since the start of the run. */
  readonly at: number;
  readonly requests: number;
  /** Number of requests that got 429. */
  readonly limited: number;
  /** The lowest X-RateLimit-Remaining; null: none was shown. */
  readonly remaining: number | null;
  /** X-RateLimit-Limit; null: none was shown. */
  readonly limit: number | null;
}

/** A time in which requests of an account waited, in milliseconds since the start of the run. */
export interface TimelineWait<Reason = string> {
  readonly account: PaceSlot;
  readonly from: number;
  readonly until: number;
  readonly reason: Reason;
}

/** A run over time, in intervals of equal length. */
export interface Timeline<Reason = string> {
  readonly intervalMs: number;
  readonly accounts: Readonly<Partial<Record<PaceSlot, readonly TimelinePoint[]>>>;
  readonly waits: readonly TimelineWait<Reason>[];
}

export type TimelineRecorder = ReturnType<typeof createTimeline>;

/** The chart needs no more points, for a run of minutes or of days. */
const maxPoints = 200;
const maxWaits = 200;
const shortestIntervalMs = 50;
/** Two waits with the same reason and a shorter gap are one wait. */
const sameWaitMs = 100;

type Points = Map<number, TimelinePoint>;

const minOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

const merge = (a: TimelinePoint, b: TimelinePoint): TimelinePoint => ({
  at: a.at,
  requests: a.requests + b.requests,
  limited: a.limited + b.limited,
  remaining: minOf(a.remaining, b.remaining),
  limit: b.limit ?? a.limit,
});

const add = (points: Points, point: TimelinePoint, intervalMs: number): void => {
  const index = Math.floor(point.at / intervalMs);
  const known = points.get(index);
  points.set(index, known === undefined ? { ...point, at: index * intervalMs } : merge(known, point));
};

const rescale = (points: Points, intervalMs: number): Points => {
  const wider: Points = new Map();
  for (const point of points.values()) add(wider, point, intervalMs);
  return wider;
};

/** Records a run over time, in bounded memory: intervals become longer as the run goes on. */
export const createTimeline = (startedAt: number) => {
  const accounts = new Map<PaceSlot, Points>();
  const waits: TimelineWait<WaitReason>[] = [];
  let intervalMs = shortestIntervalMs;

  const widen = (): void => {
    intervalMs *= 2;
    for (const [account, points] of accounts) accounts.set(account, rescale(points, intervalMs));
  };

  return {
    observe: (response: ParsedResponse, account: PaceSlot): void => {
      const at = Math.max(0, response.exchange.startedAt - startedAt);
      while (at >= maxPoints * intervalMs) widen();
      const shown = limitState(response);
      const points = accounts.get(account) ?? new Map();
      accounts.set(account, points);
      const limited = response.status === 429 ? 1 : 0;
      const { remaining = null, limit = null } = shown ?? {};
      add(points, { at, requests: 1, limited, remaining, limit }, intervalMs);
    },
    /** Times are milliseconds since the epoch. */
    wait: ({ account, reason, from, until }: TimelineWait<WaitReason>): void => {
      const last = waits.findLastIndex((wait) => wait.account === account);
      const before = waits[last];
      const isSame = JSON.stringify(before?.reason) === JSON.stringify(reason);
      const isSameWait = before !== undefined && isSame && from - startedAt <= before.until + sameWaitMs;
      if (isSameWait) waits[last] = { ...before, until: until - startedAt };
      else if (waits.length < maxWaits)
        waits.push({ account, from: from - startedAt, until: until - startedAt, reason });
    },
    read: (): Timeline<WaitReason> => ({
      intervalMs,
      accounts: Object.fromEntries(
        [...accounts].map(([account, points]) => [account, [...points.values()].sort((a, b) => a.at - b.at)]),
      ),
      waits,
    }),
  };
};
