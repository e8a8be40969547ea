import type { EventEmitter } from 'node:events';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Turns the first SIGINT, SIGTERM or SIGHUP into an abort, and every further one into a kill. `release` hands the signals back.
 *
 * @param source - The process, whose signals are events.
 * @param kill - Ends the process at once.
 */
export const interruptible = (
  source: Pick<EventEmitter, 'on' | 'off'>,
  kill: () => void,
): { readonly signal: AbortSignal; release(): void } => {
  const controller = new AbortController();
  const handle = (name: (typeof signals)[number]) => {
    if (!controller.signal.aborted) return controller.abort(new Error('interrupted'));
    // Of one terminal that is closed both the kernel and the shell tell.
    if (name !== 'SIGHUP') kill();
  };
  for (const name of signals) source.on(name, handle);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) source.off(name, handle);
    },
  };
};
