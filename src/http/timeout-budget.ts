import type { ApiRequest, Exchange } from './exchange.ts';

/**
 * Limits the total time of requests that timed out, with overlaps counted once. A request may be sent if the total stays within
 * `maxTotalMs` even if it and all requests in flight time out too. Before the first time-out, every request may be sent.
 * After time-outs of requests that were in flight together, requests are sent one at a time, until one of them times out alone: some
 * servers hang only while several requests wait for each other. All times are milliseconds of the run's clock.
 */
export const createTimeoutBudget = (maxTotalMs: number, timeoutMs: number) => {
  const pending = new Map<number, number>();
  const alone = new Set<number>();
  let timedOutSpans: readonly (readonly [from: number, to: number])[] = [];
  let hasTimedOutAlone = false;
  let sendsAlone = false;

  const cost = (spans: readonly (readonly [number, number])[]): number => {
    let [total, reached] = [0, Number.NEGATIVE_INFINITY];
    for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
      total += Math.max(0, to - Math.max(from, reached));
      reached = Math.max(reached, to);
    }
    return total;
  };

  /** Whether another request timed out at the same time as one that started at `from`, or is silent for long. */
  const isSilentWithOthers = (from: number, now: number): boolean =>
    timedOutSpans.some(([, to]) => to > from) ||
    [...pending.values()].some((startedAt) => now - startedAt > timeoutMs / 2);

  return {
    started: (id: number, now: number): void => {
      if (sendsAlone && pending.size === 0) alone.add(id);
      pending.set(id, now);
    },
    /** Whether requests are sent one at a time. */
    sendsAlone: (): boolean => sendsAlone,
    ended: (id: number, now: number, timedOut: boolean): void => {
      const from = pending.get(id);
      pending.delete(id);
      if (!timedOut || from === undefined) return;
      hasTimedOutAlone ||= alone.has(id);
      sendsAlone = !hasTimedOutAlone && (sendsAlone || isSilentWithOthers(from, now));
      timedOutSpans = [...timedOutSpans, [from, Math.min(now, from + timeoutMs)]];
    },
    /** `response`: ask again after the next response. */
    ask: (now: number): 'go' | 'response' | 'refuse' => {
      if (timedOutSpans.length === 0) return 'go';
      const next: readonly [number, number] = [now, now + timeoutMs];
      if (cost([...timedOutSpans, next]) > maxTotalMs) return 'refuse';
      const inFlight = [...pending.values()].map((from): readonly [number, number] => [
        from,
        from + timeoutMs,
      ]);
      return cost([...timedOutSpans, ...inFlight, next]) > maxTotalMs ? 'response' : 'go';
    },
  };
};

/** More time-outs of one operation would use up the budget that other operations need. */
const MAX_TIMEOUTS = 2;

/** Finds operations that only time out and never respond: at all, to requests with a key, or to requests that should succeed. */
export const createSilentOperations = () => {
  const timeouts = new Map<string, number>();
  const responding = new Set<string>();
  const kindsOf = ({ operation, credential }: ApiRequest, maySucceed: boolean): readonly string[] => [
    operation,
    ...(credential.chargedTo === null ? [] : [`${operation} keyed`]),
    ...(maySucceed ? [`${operation} success`] : []),
  ];
  return {
    ended: (
      { request, response }: Pick<Exchange, 'request' | 'response'>,
      timedOut: boolean,
      expectsSuccess: boolean | undefined,
    ): void => {
      for (const kind of kindsOf(request, expectsSuccess === true)) {
        if (response !== null) responding.add(kind);
        if (timedOut) timeouts.set(kind, (timeouts.get(kind) ?? 0) + 1);
      }
    },
    /** `expectsSuccess` absent: every response is permitted. */
    isSilent: (request: ApiRequest, expectsSuccess: boolean | undefined): boolean =>
      kindsOf(request, expectsSuccess !== false).some(
        (kind) => !responding.has(kind) && (timeouts.get(kind) ?? 0) >= MAX_TIMEOUTS,
      ),
  };
};
