import { memoizedByValue } from '../util/memoize.ts';
import { type CreationAllowance, createCreationAllowance } from './creation-allowance.ts';

/** The creations of another API: at most so many resources of each kind. */
export const createCreationsByKind = (most: number, readOnly: boolean): CreationAllowance => {
  const allowances: CreationAllowance[] = [];
  const of = memoizedByValue((_kind: string) => {
    const allowance = createCreationAllowance(most, readOnly);
    allowances.push(allowance);
    return allowance;
  });
  return {
    reserve: (refusedUnder, stage, kind = '') => of(kind).reserve(refusedUnder, stage),
    get used() {
      return allowances.reduce((sum, { used }) => sum + used, 0);
    },
    get left() {
      return Math.min(readOnly ? 0 : most, ...allowances.map(({ left }) => left));
    },
  };
};
