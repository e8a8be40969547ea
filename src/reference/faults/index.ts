import type { Fault } from '../patch.ts';
import { createFaults } from './create.ts';
import { listFaults } from './list.ts';

/** Every fault, group by group. */
export const faults: readonly Fault[] = [...listFaults, ...createFaults];
