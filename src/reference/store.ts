import type { ListQuery, Parts } from './parts.ts';
import type { Pet } from './pet.ts';

function select(pets: Iterable<Pet>, { limit, status }: ListQuery): readonly Pet[] {
  const page: Pet[] = [];
  for (const pet of pets) {
    if (page.length >= limit) break;
    if (status === undefined || pet.status === status) page.push(pet);
  }
  return page;
}

function* newestFirst(pets: readonly Pet[]): Iterable<Pet> {
  for (let index = pets.length - 1; index >= 0; index -= 1) {
    const pet = pets[index];
    if (pet !== undefined) yield pet;
  }
}

/** The catalogue, in memory. Ids count up from 1. Newest first, so that a client sees on the first page what it created. */
export const storeParts = {
  assignId: (_pet, state) => {
    state.lastId += 1n;
    return state.lastId;
  },
  insert: (pet, state) => {
    state.pets.push(pet);
    state.petsById.set(pet.id, pet);
  },
  find: (id, state) => state.petsById.get(id),
  order: (state) => newestFirst(state.pets),
  select,
} satisfies Partial<Parts>;
