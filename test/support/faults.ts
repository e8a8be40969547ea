import { faults } from '../../src/reference/faults/index.ts';
import type { Fault } from '../../src/reference/patch.ts';

/** The fault of a name; throws where there is none, so that no test is lost when it is renamed. */
export const faultNamed = (wanted: string): Fault => {
  const found = faults.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`There is no fault ${wanted}.`);
  return found;
};
