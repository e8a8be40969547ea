import { onAbort } from './abort.ts';
import type { Clock } from './clock.ts';

/** A clock on which sleeping costs no real time. */
export interface VirtualClock extends Clock {
  /** Says that something is under way that takes no virtual time: until the release is called, time stands still. */
  hold(): () => void;
  /** Waits for work in real time, such as decompression, that surely ends: time stands still meanwhile, however long it takes. */
  during<Value>(work: Promise<Value>): Promise<Value>;
  /** Does something when so many milliseconds have passed; until then it can be called off. A sleep without a promise and a signal. */
  after(ms: number, action: () => void): () => void;
  /** The same clock for those who run inside a hold (a server's handlers): their sleep gives way until it is over. */
  readonly inside: Clock;
}

interface Sleeper {
  readonly due: number;
  wake(): void;
}

/** Turns of the event loop without any news, before time moves on. */
const QUIET_TURNS = 3;
/** Real milliseconds after which a hold that neither sleeps nor ends is taken for one that never ends. */
const STUCK_MS = 25;

/**
 * A clock for the self-test. When nothing is under way it moves on to the earliest sleeper and wakes it; those due at the same time
 * wake in the order in which they went to sleep, each once the one before has come to rest. Whoever waits for something that no
 * sleeper brings about holds the clock: transports do so for each request in flight. A hold that hangs (a handler that never
 * answers) stops time for 25 real milliseconds, and then counts no longer.
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

  /** Waits until nothing has happened for some turns. `waited`: what is held has had its real time as well. */
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
      const callOff = after(ms, () => {
        stopListening();
        resolve();
      });
      const stopListening = onAbort(signal, () => {
        callOff();
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
