import type { Check } from './check.ts';

/** Deals the cases of every check out to the parts of a run, each case to one of them. */
export const coversCase =
  ({ index, of }: { readonly index: number; readonly of: number }) =>
  (_check: Check<unknown>, position: number): boolean =>
    position % of === index - 1;
