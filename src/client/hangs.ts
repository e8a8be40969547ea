/** What time-outs may still cost. All times in milliseconds of the run's clock. */
export interface HangWatch {
  started(id: number, now: number): void;
  ended(id: number, now: number, timedOut: boolean): void;
  /** `answer`: ask again once something in flight has come back. */
  ask(now: number): 'go' | 'answer' | 'refuse';
}

/**
 * Keeps the time in which a request was pending that met its time-out, overlaps counted once, below the allowance: a request goes out only
 * where that holds even if it, and all that is in flight, should hang as well. Until the first time-out anything goes.
 */
export const createHangWatch = (allowanceMs: number, timeoutMs: number): HangWatch => {
  const pending = new Map<number, number>();
  let hangs: readonly (readonly [from: number, to: number])[] = [];

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
      if (timedOut && from !== undefined) hangs = [...hangs, [from, Math.min(now, from + timeoutMs)]];
    },
    ask: (now) => {
      if (hangs.length === 0) return 'go';
      const next: readonly [number, number] = [now, now + timeoutMs];
      if (cost([...hangs, next]) > allowanceMs) return 'refuse';
      const doubtful = [...pending.values()].map((from): readonly [number, number] => [
        from,
        from + timeoutMs,
      ]);
      return cost([...hangs, ...doubtful, next]) > allowanceMs ? 'answer' : 'go';
    },
  };
};
