import { faults } from '../../src/reference/faults/index.ts';
import type { Fault } from '../../src/reference/patch.ts';

/** Returns the fault of a name. Throws if there is none, so that a renamed fault does not disable a test. */
export const faultNamed = (wanted: string): Fault => {
  const found = faults.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`There is no fault ${wanted}.`);
  return found;
};
