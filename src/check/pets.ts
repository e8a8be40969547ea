/** Animals in responses. */
export { missingFromPage } from '../oracle/missing-from-page.ts';
export { isWhole, pagingHeadersOf } from '../oracle/paging.ts';
export { differingMember, idOf, listedPets, petMembers, petOf } from '../oracle/pet.ts';
export { privateCategory } from '../oracle/private-category.ts';
export type { OwnPet } from '../oracle/rule.ts';
export { replicaLagMs, statusSubject } from '../oracle/rules/own-pets.ts';
export type { CreatedPet } from './run-context.ts';
