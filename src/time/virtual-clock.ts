import { onAbort } from './abort.ts';
import type { Clock } from './clock.ts';

/** A clock on which a sleep takes no real time. */
export interface VirtualClock extends Clock {
  /** Stops time for work that takes no virtual time. Returns the function that lets time move on. */
  hold(): () => void;
  /** Stops time until real work ends, however long it takes, for example decompression. The work must end. */
  during<Value>(work: Promise<Value>): Promise<Value>;
  /** Runs an action after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, action: () => void): () => void;
  /** The same clock for code inside a hold, for example a server's handlers. Its sleeps suspend the hold. */
  readonly inside: Clock;
}

interface Sleeper {
  readonly due: number;
  wake(): void;
}

/** Time moves on after this many turns of the event loop without an event. */
const QUIET_TURNS = 3;
/** Real milliseconds after which a hold that neither sleeps nor ends is ignored. */
const STUCK_MS = 25;

/**
 * Creates a clock for the self-test. If no work is in progress, time moves on to the earliest sleeper and wakes it. Sleepers of the same
 * time wake one by one, in the order of their calls. Code that waits for something other than a sleeper must hold the clock, as
 * transports do for each request in flight. A hold that hangs, for example a handler that never responds, is ignored after 25 real
 * milliseconds.
 */
export const createVirtualClock = (startMs: number): VirtualClock => {
  const sleepers: Sleeper[] = [];
  let time = startMs;
  const holds = new Set<symbol>();
  let resting = 0;
  let news = 0;
  let watching = false;
  let working = 0;

  const watch = (): void => {
    if (watching || sleepers.length === 0) return;
    watching = true;
    settle(0, news, false);
  };

  /** Waits until no event has happened for some turns. `waited`: the real time for holds has passed too. */
  const settle = (turns: number, seen: number, waited: boolean): void => {
    if (sleepers.length === 0) {
      watching = false;
    } else if (news !== seen) {
      setImmediate(settle, 0, news, false);
    } else if (turns < QUIET_TURNS) {
      setImmediate(settle, turns + 1, seen, waited);
    } else if (working > 0) {
      setTimeout(settle, 1, 0, seen, false);
    } else if (holds.size > resting && !waited) {
      setTimeout(settle, STUCK_MS, 0, seen, true);
    } else {
      if (waited) holds.clear();
      advance();
      setImmediate(settle, 0, news, false);
    }
  };

  const advance = (): void => {
    const next = sleepers.shift();
    if (next === undefined) return;
    time = Math.max(time, next.due);
    news += 1;
    next.wake();
  };

  const after = (ms: number, action: () => void): (() => void) => {
    const sleeper: Sleeper = { due: time + Math.max(0, ms), wake: action };
    sleepers.splice(sleepers.findLastIndex((each) => each.due <= sleeper.due) + 1, 0, sleeper);
    news += 1;
    watch();
    return () => {
      const at = sleepers.indexOf(sleeper);
      if (at !== -1) sleepers.splice(at, 1);
      news += 1;
    };
  };

  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cancel = after(ms, () => {
        stopListening();
        resolve();
      });
      const stopListening = onAbort(signal, () => {
        cancel();
        reject(signal?.reason);
      });
    });

  const hold = (): (() => void) => {
    const held = Symbol('hold');
    holds.add(held);
    news += 1;
    return () => {
      holds.delete(held);
      news += 1;
    };
  };

  const during = async <Value>(work: Promise<Value>): Promise<Value> => {
    working += 1;
    try {
      return await work;
    } finally {
      working -= 1;
      news += 1;
    }
  };

  const now = (): number => time;
  const sleepInside = async (ms: number, signal?: AbortSignal): Promise<void> => {
    resting += 1;
    try {
      await sleep(ms, signal);
    } finally {
      resting -= 1;
    }
  };

  return { now, sleep, hold, during, after, inside: { now, sleep: sleepInside } };
};
