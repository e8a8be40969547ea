import type { Suite } from '../src/check/suite.ts';
import { checks } from './animal-store/index.ts';
import { firstRequests, generalChecks, missingFlags, whyNothingCanBeSent } from './openapi/index.ts';

/** All checks. */
export const suite: Suite = {
  animalStore: checks,
  general: generalChecks,
  firstRequests,
  missingFlags,
  whyNothingCanBeSent,
};
