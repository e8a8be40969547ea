import { rateBeyondFaults } from './rate-beyond.ts';
import { rateCountFaults } from './rate-counts.ts';
import { rateExhaustedFaults } from './rate-exhausted.ts';
import { rateFormFaults } from './rate-forms.ts';
import { rateHeaderFaults } from './rate-headers.ts';
import { rateLimitFaults } from './rate-limits.ts';
import { rateRefusalFaults } from './rate-refusals.ts';
import { rateResetFaults } from './rate-resets.ts';
import { rateValueFaults } from './rate-values.ts';
import { rateWindowFaults } from './rate-windows.ts';

/** Mistakes in rate limits. */
export const rateFaults = [
  ...rateHeaderFaults,
  ...rateValueFaults,
  ...rateCountFaults,
  ...rateExhaustedFaults,
  ...rateFormFaults,
  ...rateLimitFaults,
  ...rateRefusalFaults,
  ...rateBeyondFaults,
  ...rateWindowFaults,
  ...rateResetFaults,
];
