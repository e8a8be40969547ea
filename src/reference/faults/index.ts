import { authFaults } from './auth.ts';
import { createFaults } from './create.ts';
import { errorFaults } from './err.ts';
import { firstDayFaults } from './first-day.ts';
import { generalFaults } from './gen.ts';
import { getFaults } from './get.ts';
import { listFaults } from './list.ts';
import { ordersFaults } from './orders.ts';
import { rateFaults } from './rate.ts';
import { stateFaults } from './state.ts';
import { versionFaults } from './version.ts';

/** Every fault, group by group. */
export const faults = [
  ...listFaults,
  ...createFaults,
  ...rateFaults,
  ...getFaults,
  ...stateFaults,
  ...generalFaults,
  ...errorFaults,
  ...authFaults,
  ...ordersFaults,
  ...versionFaults,
  ...firstDayFaults,
];
