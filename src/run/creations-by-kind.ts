import { memoizedByValue } from '../util/memoize.ts';
import { type CreationAllowance, createCreationAllowance, type RefusedShares } from './creation-allowance.ts';

/** Nearly all refusals are of one requirement, and few requests that should be accepted create one kind. */
const shares: RefusedShares = { part: 0.6, ofOneRequirement: 0.9 };

/** The creations of another API: at most so many resources of each kind. */
export const createCreationsByKind = (most: number, readOnly: boolean): CreationAllowance => {
  const allowances: CreationAllowance[] = [];
  const of = memoizedByValue((_kind: string) => {
    const allowance = createCreationAllowance(most, readOnly, shares);
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
