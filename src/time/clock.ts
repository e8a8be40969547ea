import { onAbort } from './abort.ts';

/** Passed to all code that needs time. No check, client or server reads the system clock itself. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason if the signal is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const wake = () => {
        stopListening();
        resolve();
      };
      const timer = setTimeout(wake, Math.max(0, ms));
      const stopListening = onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal?.reason);
      });
    }),
};
