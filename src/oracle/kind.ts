import type { RuleSubject } from './rule.ts';

/** Operations whose meaning the suite knows. It has special rules and checks for them. */
export const knownOperations: readonly string[] = ['listPets', 'createPet', 'getPet', 'listOrders'];

/**
 * `known`: an operation of the animal store with a known meaning. `added`: another operation in the animal store's document, to which the
 * store's conventions apply. `other-api`: an operation of another document, to which only that document applies.
 */
export type Kind = 'known' | 'added' | 'other-api';

/** Returns the kind of operation that selects the rules. */
export const kindOf = ({ operation, serverModel }: Pick<RuleSubject, 'operation' | 'serverModel'>): Kind => {
  if (!serverModel.store) return 'other-api';
  return operation === null || knownOperations.includes(operation.id) ? 'known' : 'added';
};
