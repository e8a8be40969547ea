import { breachOf, type Finding } from '../../finding/finding.ts';
import {
  type Arrival,
  type Arrivals,
  arrivedAt,
  isConcurrent,
  isLimited,
  limitOf,
  mayBeInFlight,
  quietUntil,
  respondedAt,
  toleranceMs,
} from './arrival.ts';
import type { Series } from './backoff.ts';

/** The form of a `Retry-After` that a client must heed. */
export type WaitForm = 'seconds' | 'date';

const formOf = (refused: Arrival): WaitForm =>
  limitOf(refused)?.sent.retryAfter.read?.time.kind === 'at' ? 'date' : 'seconds';

/** A 429 with a wait, and what came of it. */
export interface HeededWait {
  readonly form: WaitForm;
  readonly finding: Finding | null;
}

/**
 * CLIENT-2: results of each 429 with a `Retry-After`, for the requests with one key. `silentUntil`: how long it is certain that the client
 * sent nothing more; infinite if it has ended.
 */
export const waitsHeeded = (arrivals: Arrivals, silentUntil: number): readonly HeededWait[] =>
  arrivals.flatMap((refused, at) => {
    const until = quietUntil(refused);
    if (until === null || until <= respondedAt(refused)) return [];
    const later = arrivals.slice(at + 1).filter((request) => !mayBeInFlight(request, refused, arrivals));
    const early = later.find((request) => arrivedAt(request) < until - toleranceMs);
    return [{ form: formOf(refused), finding: waitFinding(refused, early, until, later, silentUntil) }];
  });

const waitFinding = (
  refused: Arrival,
  early: Arrival | undefined,
  until: number,
  later: Arrivals,
  silentUntil: number,
): Finding | null => {
  if (early === undefined)
    return later.length > 0 || silentUntil >= until ? { kind: 'passed', requirement: 'CLIENT-2' } : null;
  const problem = {
    rule: 'sent-during-wait',
    retryAfter: limitOf(refused)?.sent.retryAfter.text ?? '',
    afterMs: Math.round(arrivedAt(early) - respondedAt(refused)),
    earlyMs: Math.round(until - arrivedAt(early)),
  } as const;
  return { ...breachOf('CLIENT-2', problem, early.exchange), origin: [refused.exchange] };
};

/** CLIENT-4. `bans`: the server bans keys, and shows it. */
export const neverBanned = (arrivals: Arrivals): readonly Finding[] => {
  const at = arrivals.findIndex(({ isBanned }) => isBanned);
  const banned = arrivals[at];
  if (banned === undefined)
    return arrivals.some(isLimited) ? [{ kind: 'passed', requirement: 'CLIENT-4' }] : [];
  const first = arrivals.findIndex(isLimited);
  const problem = { rule: 'key-banned', sentAfter429: at - first } as const;
  return [breachOf('CLIENT-4', problem, banned.exchange)];
};

/** The requests that a chain of tries is made of: all, or those that are the same, if the client sends several at a time. */
const chainsOf = (arrivals: Arrivals): readonly Arrivals[] => {
  if (!isConcurrent(arrivals)) return [arrivals];
  const identity = ({ exchange: { wire } }: Arrival) =>
    `${wire.method} ${wire.url} ${Buffer.from(wire.body ?? '').toString('latin1')}`;
  return [...Map.groupBy(arrivals, identity).values()].filter((chain) => !isConcurrent(chain));
};

/** The longest series of 429s in a row, for CLIENT-3; null: the client got no 429. */
export const seriesIn = (arrivals: Arrivals, hasEnded: boolean): Series | null => {
  const series = chainsOf(arrivals)
    .flatMap((chain) => runsOf(chain, hasEnded))
    .toSorted((a, b) => b.waits.length - a.waits.length);
  return series[0] ?? null;
};

const runsOf = (chain: Arrivals, hasEnded: boolean): readonly Series[] => {
  const runs: Series[] = [];
  let waits: number[] = [];
  for (const [at, refused] of chain.entries()) {
    if (!isLimited(refused)) continue;
    const next = chain[at + 1];
    // The client may not know of a 429 whose response it did not read to its end.
    if (next !== undefined && refused.isRead)
      waits.push(Math.max(0, Math.round(arrivedAt(next) - (quietUntil(refused) ?? respondedAt(refused)))));
    if (next !== undefined && isLimited(next)) continue;
    runs.push({ waits, end: next !== undefined ? 'served' : hasEnded ? 'gave up' : 'cut off' });
    waits = [];
  }
  return runs;
};

/** A wait of at least this length, and this many times longer than others, is meant. */
const meantWait = { ms: 1000, times: 3 } as const;

/**
 * CLIENT-7: after a response with Remaining 0, the next request comes after Reset. A client that waits for Reset while requests still remain
 * is right, too.
 */
export const slowsDown = (arrivals: Arrivals): Finding | null => {
  const shortest = Math.min(...gapsIn(arrivals));
  let result: Finding | null = null;
  for (const [at, shown] of arrivals.entries()) {
    const limit = limitOf(shown);
    const next = arrivals.slice(at + 1).find((request) => !mayBeInFlight(request, shown, arrivals));
    if (limit?.remaining == null || limit.resetAt === null || isLimited(shown) || next === undefined)
      continue;
    if (arrivedAt(next) < limit.resetAt - toleranceMs) {
      if (limit.remaining === 0 && isLimited(next)) return limitHit(shown, next, limit.resetAt);
      continue;
    }
    // A request in flight hit the limit: what came after Reset is then a retry.
    if (arrivals.slice(at + 1, arrivals.indexOf(next)).some(isLimited)) continue;
    const gap = arrivedAt(next) - respondedAt(shown);
    if (limit.remaining === 0 || (gap >= meantWait.ms && gap >= meantWait.times * shortest))
      result = { kind: 'passed', requirement: 'CLIENT-7' };
  }
  return result;
};

const gapsIn = (arrivals: Arrivals): readonly number[] =>
  arrivals.slice(1).map((request, at) => arrivedAt(request) - arrivedAt(arrivals[at] ?? request));

const limitHit = (shown: Arrival, next: Arrival, resetAt: number): Finding => {
  const problem = {
    rule: 'limit-hit',
    afterMs: Math.round(arrivedAt(next) - respondedAt(shown)),
    untilResetMs: Math.round(resetAt - arrivedAt(next)),
  } as const;
  return { ...breachOf('CLIENT-7', problem, next.exchange), origin: [shown.exchange] };
};
