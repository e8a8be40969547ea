import { memoized } from '../util/memoize.ts';

/** Listening to a signal is dear: one listener a signal calls all that wait for it. */
const waitingFor = memoized((signal: AbortSignal) => {
  const waiting = new Set<() => void>();
  signal.addEventListener('abort', () => waiting.forEach((action) => void action()), { once: true });
  return waiting;
});

/** Does something when the signal is aborted; until then it can be called off. Cheap enough for every request. */
export const onAbort = (signal: AbortSignal | undefined, action: () => void): (() => void) => {
  if (signal === undefined) return () => undefined;
  const waiting = waitingFor(signal);
  waiting.add(action);
  return () => void waiting.delete(action);
};
