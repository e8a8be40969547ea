import { duration } from './units.ts';

/** The parts of a line on the progress of a run. */
export const progressWords = {
  waiting: (until: string, isNarrow: boolean) => `${isNarrow ? 'till' : 'waiting until'} ${until}`,
  failed: (failures: number) => `${failures} failed`,
  left: (ms: number) => `${duration(ms)} left`,
  /** A long wait. */
  wait: (until: string, ms: number, reason: string) => `Waiting until ${until} (${duration(ms)}): ${reason}`,
  continued: (ms: number) => `Continuing after ${duration(ms)}`,
  soFar: { failed: 'Failed so far:', warned: 'Warned so far:', known: 'Known failures:' },
} as const;
