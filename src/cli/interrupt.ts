import type { EventEmitter } from 'node:events';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Wrappers such as timeout and npm repeat a signal that the terminal sent too. Within so many milliseconds, it is the same signal. */
const sameSignalMs = 500;

/**
 * Turns the first SIGINT, SIGTERM, or SIGHUP into an abort, and a later one into a kill. `release` removes the handlers.
 *
 * @param source the process, which emits signals as events
 * @param kill ends the process at once
 * @param now milliseconds of a clock that only runs forward
 */
export const interruptible = (
  source: Pick<EventEmitter, 'on' | 'off'>,
  kill: () => void,
  now: () => number = () => performance.now(),
): { readonly signal: AbortSignal; release(): void } => {
  const controller = new AbortController();
  let abortedAt = 0;
  const handle = (name: (typeof signals)[number]) => {
    if (!controller.signal.aborted) {
      abortedAt = now();
      return controller.abort(new Error('interrupted'));
    }
    // A closed terminal sends SIGHUP from the kernel and from the shell.
    if (name !== 'SIGHUP' && now() - abortedAt >= sameSignalMs) kill();
  };
  for (const name of signals) source.on(name, handle);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) source.off(name, handle);
    },
  };
};
