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
  assignId: (_pet, world) => {
    world.lastId += 1n;
    return world.lastId;
  },
  insert: (pet, world) => {
    world.pets.push(pet);
    world.petsById.set(pet.id, pet);
  },
  find: (id, world) => world.petsById.get(id),
  order: (world) => newestFirst(world.pets),
  select,
} satisfies Partial<Parts>;
