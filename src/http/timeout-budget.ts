import type { Exchange } from './exchange.ts';

/** Limits what time-outs cost. All times in milliseconds of the run's clock. */
export interface TimeoutBudget {
  started(id: number, now: number): void;
  ended(id: number, now: number, timedOut: boolean): void;
  /** `response`: ask again after the next response. */
  ask(now: number): 'go' | 'response' | 'refuse';
}

/**
 * Limits the time that requests spent in a time-out, overlaps counted once: a request goes out only if the total stays below the maximum
 * even if it and all requests in flight time out too. Before the first time-out every request may go.
 */
export const createTimeoutBudget = (maxTotalMs: number, timeoutMs: number): TimeoutBudget => {
  const pending = new Map<number, number>();
  let timedOutSpans: readonly (readonly [from: number, to: number])[] = [];

  const cost = (spans: readonly (readonly [number, number])[]): number => {
    let [total, reached] = [0, Number.NEGATIVE_INFINITY];
    for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
      total += Math.max(0, to - Math.max(from, reached));
      reached = Math.max(reached, to);
    }
    return total;
  };

  return {
    started: (id, now) => pending.set(id, now),
    ended: (id, now, timedOut) => {
      const from = pending.get(id);
      pending.delete(id);
      if (timedOut && from !== undefined)
        timedOutSpans = [...timedOutSpans, [from, Math.min(now, from + timeoutMs)]];
    },
    ask: (now) => {
      if (timedOutSpans.length === 0) return 'go';
      const next: readonly [number, number] = [now, now + timeoutMs];
      if (cost([...timedOutSpans, next]) > maxTotalMs) return 'refuse';
      const doubtful = [...pending.values()].map((from): readonly [number, number] => [
        from,
        from + timeoutMs,
      ]);
      return cost([...timedOutSpans, ...doubtful, next]) > maxTotalMs ? 'response' : 'go';
    },
  };
};

/** More would use up the time that time-outs may cost, which the other operations need. */
const MOST_TIMEOUTS = 2;

/** Operations that never returned a response: after some time-outs nothing more is sent to them. */
export const createSilentOperations = () => {
  const timeouts = new Map<string, number>();
  const responding = new Set<string>();
  return {
    ended: ({ request, response }: Pick<Exchange, 'request' | 'response'>, timedOut: boolean): void => {
      const { operation } = request;
      if (response !== null) responding.add(operation);
      if (timedOut) timeouts.set(operation, (timeouts.get(operation) ?? 0) + 1);
    },
    /** No more requests are sent to the operation. */
    isSilent: (operation: string): boolean =>
      !responding.has(operation) && (timeouts.get(operation) ?? 0) >= MOST_TIMEOUTS,
  };
};
