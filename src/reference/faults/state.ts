import { concurrencyFaults } from './state-concurrent.ts';
import { growthFaults } from './state-growth.ts';
import { lapseFaults } from './state-lapses.ts';
import { sequenceFaults } from './state-sequence.ts';
import { transitionFaults } from './state-transitions.ts';

/** Mistakes that no single request shows: only concurrent, successive, many, or later requests do. */
export const stateFaults = [
  ...concurrencyFaults,
  ...sequenceFaults,
  ...growthFaults,
  ...lapseFaults,
  ...transitionFaults,
];
