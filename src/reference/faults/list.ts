import { listOutOfRangeFaults, listRefusalFaults } from './list-bounds.ts';
import { listDefaultFaults, listLimitFaults } from './list-limit.ts';
import { listMissingFaults } from './list-missing.ts';
import { listShapeFaults, listTwiceFaults } from './list-shape.ts';
import { listFilterFaults, listUnknownStatusFaults } from './list-status.ts';

/** Mistakes in listing animals. */
export const listFaults = [
  ...listShapeFaults,
  ...listDefaultFaults,
  ...listLimitFaults,
  ...listRefusalFaults,
  ...listOutOfRangeFaults,
  ...listFilterFaults,
  ...listUnknownStatusFaults,
  ...listMissingFaults,
  ...listTwiceFaults,
];
