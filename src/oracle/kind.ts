import type { Judged } from './rule.ts';

/** The operations that the suite knows by what they mean: it has rules and checks of its own for them. */
export const knownOperations: readonly string[] = ['listPets', 'createPet', 'getPet', 'listOrders'];

/**
 * `known`: the animal store's, with a meaning of its own. `added`: described in the animal store's document and nowhere else, so that
 * the store's conventions hold. `foreign`: of another document, which alone counts.
 */
export type Kind = 'known' | 'added' | 'foreign';

/** What a response is judged as. */
export const kindOf = ({ operation, serverModel }: Pick<Judged, 'operation' | 'serverModel'>): Kind => {
  if (!serverModel.store) return 'foreign';
  return operation === null || knownOperations.includes(operation.id) ? 'known' : 'added';
};
