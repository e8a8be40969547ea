import type { Fault } from '../patch.ts';
import { createFaults } from './create.ts';
import { getFaults } from './get.ts';
import { listFaults } from './list.ts';
import { stateFaults } from './state.ts';

/** Every fault, group by group. */
export const faults: readonly Fault[] = [...listFaults, ...createFaults, ...getFaults, ...stateFaults];
