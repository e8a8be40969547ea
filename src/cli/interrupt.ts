import type { EventEmitter } from 'node:events';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Turns the first SIGINT or SIGTERM into an abort, and every further one into a kill. `release` hands the signals back.
 *
 * @param source - The process, whose signals are events.
 * @param kill - Ends the process at once.
 */
export const interruptible = (
  source: Pick<EventEmitter, 'on' | 'off'>,
  kill: () => void,
): { readonly signal: AbortSignal; release(): void } => {
  const controller = new AbortController();
  const handle = () => {
    if (controller.signal.aborted) return kill();
    controller.abort(new Error('interrupted'));
  };
  for (const name of signals) source.on(name, handle);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) source.off(name, handle);
    },
  };
};
