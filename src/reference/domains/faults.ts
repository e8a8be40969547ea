import type { DomainFault } from './patches.ts';
import { recordFaults } from './record-faults.ts';
import { servingFaults } from './serving-faults.ts';

/** All mistakes in domains. */
export const domainFaults: readonly DomainFault[] = [...recordFaults, ...servingFaults];
