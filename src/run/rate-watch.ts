import type { KeySlot } from '../client/exchange.ts';
import type { Finding } from '../oracle/finding.ts';
import type { Probe } from '../oracle/probe.ts';
import { type Reading, serverTime } from '../oracle/reading.ts';
import { explainedByOtherLimit } from '../oracle/rules/rate-limit-headers.ts';
import { beyondAMinute, speaksOfTheDay } from './limit-state.ts';
import type { OtherLimit } from './other-limit.ts';
import { isAfter, isOfTheKey, refilledBetween, type Said, saidBy } from './said.ts';

const kept = 200;

/** To which request of the run it came, and how long after the first. */
interface FirstRefusal {
  readonly request: number;
  readonly afterMs: number;
}

interface Options {
  isOursAlone(slot: KeySlot): boolean;
  readonly otherLimit: Pick<OtherLimit, 'mayExplain'>;
  readonly concurrency: number;
}

/** What was said at a place. */
const at = (places: Map<string, Said[]>, place: string): Said[] => {
  const known = places.get(place) ?? [];
  places.set(place, known);
  return known;
};

const remember = (all: Said[], said: Said | null): void => {
  if (said !== null && all.push(said) > kept) all.shift();
};

/** How many requests at most the server may have counted between two answers of one operation, the later one's included. */
const countedBetween = (earlier: Said, later: { readonly horizon: number }, concurrency: number): number =>
  later.horizon - earlier.id + concurrency;

/** Whether a refusal surely shows the window of the answers before it, whoever it was counted for: one that is used up shows no more than 0. */
const goesOn = (said: Said | null, earlier: readonly Said[]): boolean =>
  said !== null &&
  said.remaining > 0 &&
  earlier.some(({ limit, reset }) => limit === said.limit && reset === said.reset);

/**
 * The answers before this one from which on Reset of one limit came nearer twice, by more than a minute each time: from the end of a day
 * to that of a minute it may come nearer once, and within a minute from its end to the next request that is free.
 */
const fallBefore = (said: Said, earlier: readonly Said[]): readonly [Said, Said] | null => {
  const above = (later: Said) =>
    earlier.findLast(
      (each) =>
        each.limit === later.limit && isAfter(later, each) && each.reset - later.reset > beyondAMinute,
    );
  const middle = above(said);
  const first = middle && above(middle);
  return first && middle ? [first, middle] : null;
};

/**
 * Judges every answer that comes to a key that is ours alone: RATE-2, Reset is a time; RATE-6, no 429 while requests remain; RATE-4,
 * Remaining does not rise and fall back by more than was sent, as it does where instances count by themselves. Costs may differ by
 * operation, and so may counters: answers are compared with those of their own operation.
 */
export const createRateWatch = ({ isOursAlone, otherLimit, concurrency }: Options) => {
  const history = new Map<string, Said[]>();
  /** With those that may have been counted by address: a Reset is a time, whosever it is. */
  const resets = new Map<string, Said[]>();
  /** The first refusal of each key. */
  const refusedFirst = new Map<KeySlot, FirstRefusal>();
  let newest = 0;
  let began = Number.POSITIVE_INFINITY;

  const firstRefusal = (slot: KeySlot, { exchange: { id, startedAt } }: Reading): FirstRefusal => {
    const first = refusedFirst.get(slot) ?? { request: id, afterMs: startedAt - began };
    refusedFirst.set(slot, first);
    return first;
  };

  const judgeRefusal = (
    slot: KeySlot,
    first: FirstRefusal,
    reading: Reading,
    earlier: readonly Said[],
  ): readonly Finding[] => {
    const { exchange } = reading;
    const before = earlier.findLast((said) => isAfter(exchange, said));
    const now = serverTime(reading);
    if (before === undefined || now === null) return [];
    const untilReset = before.reset - now / 1000;
    if (untilReset <= 1) return [];
    const since = countedBetween(before, { horizon: newest + concurrency }, concurrency);
    if (before.remaining < since) return [];
    if (speaksOfTheDay(reading) || otherLimit.mayExplain(slot, before, exchange.startedAt))
      return [explainedByOtherLimit('RATE-6')];
    return [
      {
        kind: 'breach',
        requirement: 'RATE-6',
        problem: {
          rule: '429-while-remaining',
          in: 'any response',
          slot,
          before: before.remaining,
          sentSince: since,
          remaining: reading.header('x-ratelimit-remaining').join(', '),
          first,
        },
        exchange,
      },
    ];
  };

  /** The answers before this one between which Remaining rose, if it is back at what it was before by more than was sent. */
  const jumpBefore = (said: Said, earlier: readonly Said[]): readonly [Said, Said] | null => {
    const isSame = ({ limit, reset }: Said): boolean => limit === said.limit && reset === said.reset;
    for (const high of earlier) {
      const fall = high.remaining - said.remaining;
      // Its reset may be another: the windows of two instances need not begin together, and a window that has moved on never comes back.
      if (
        high.limit !== said.limit ||
        !isAfter(said, high) ||
        fall <= countedBetween(high, said, concurrency)
      )
        continue;
      const low = earlier.find(
        (each) =>
          isSame(each) &&
          isAfter(high, each) &&
          each.remaining >= said.remaining &&
          high.remaining > each.remaining + refilledBetween(each, high) + 1,
      );
      if (low !== undefined) return [low, high];
    }
    return null;
  };

  const judgeJump = (said: Said | null, reading: Reading, earlier: readonly Said[]): readonly Finding[] => {
    const [low, high] = (said === null ? null : jumpBefore(said, earlier)) ?? [];
    if (said === null || low === undefined || high === undefined) return [];
    return [
      {
        kind: 'breach',
        requirement: 'RATE-4',
        problem: {
          rule: 'counter-jumps',
          remaining: [low.remaining, high.remaining, said.remaining],
          reset: low.reset,
        },
        exchange: reading.exchange,
      },
    ];
  };

  const judgeReset = (said: Said | null, reading: Reading, earlier: readonly Said[]): readonly Finding[] => {
    const [first, middle] = (said === null ? null : fallBefore(said, earlier)) ?? [];
    if (said === null || first === undefined || middle === undefined) return [];
    return [
      {
        kind: 'breach',
        requirement: 'RATE-2',
        problem: { rule: 'reset-moves-back', resets: [first.reset, middle.reset, said.reset] },
        exchange: reading.exchange,
      },
    ];
  };

  return {
    /** Judges one answer in the order of arrival, then remembers what it says. */
    watch: (reading: Reading, probe: Probe): readonly Finding[] => {
      const slot = probe.request.credential.charges;
      newest = Math.max(newest, reading.exchange.id);
      began = Math.min(began, reading.exchange.startedAt);
      const first = slot !== null && reading.status === 429 ? firstRefusal(slot, reading) : null;
      if (slot === null || !isOursAlone(slot)) return [];
      const place = `${slot} ${probe.request.operation}`;
      const [earlier, earlierResets] = [at(history, place), at(resets, place)];
      const said = saidBy(reading, newest + concurrency);
      const isOwn = isOfTheKey(reading, probe) || (reading.status === 429 && goesOn(said, earlier));
      if (!isOwn && !(reading.status === 404 && probe.space === 'documented')) return [];
      const findings =
        first !== null
          ? judgeRefusal(slot, first, reading, earlier)
          : [
              ...(isOwn ? judgeJump(said, reading, earlier) : []),
              ...judgeReset(said, reading, earlierResets),
            ];
      remember(earlierResets, said);
      if (isOwn) remember(earlier, said);
      return findings;
    },
  };
};
