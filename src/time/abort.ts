import { memoized } from '../util/memoize.ts';

/** One listener per signal runs all actions, because adding a listener is expensive. */
const actionsOf = memoized((signal: AbortSignal) => {
  const actions = new Set<() => void>();
  signal.addEventListener('abort', () => actions.forEach((action) => void action()), { once: true });
  return actions;
});

/** Runs an action when the signal is aborted. Returns a function that cancels it. Cheap enough for every request. */
export const onAbort = (signal: AbortSignal | undefined, action: () => void): (() => void) => {
  if (signal === undefined) return () => undefined;
  const actions = actionsOf(signal);
  actions.add(action);
  return () => void actions.delete(action);
};
