/** Animals in responses. */
export { isWhole, missingFromPage, pagingHeadersOf } from '../oracle/paging.ts';
export { differingMember, idOf, listedPets, petMembers, petOf, privateCategory } from '../oracle/pet.ts';
export type { OwnPet } from '../oracle/rule.ts';
export { replicaLagMs, statusSubject } from '../oracle/rules/own-pets.ts';
export type { CreatedPet } from './run-context.ts';
