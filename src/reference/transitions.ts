import type { World } from './parts.ts';
import type { Patch } from './patch.ts';
import { around, perServer, replace, together } from './patches.ts';
import type { Pet, PetStatus } from './pet.ts';

/** Puts a changed animal in the place of the one with its id. */
export const change = ({ pets, petsById }: World, pet: Pet): void => {
  const at = pets.findIndex(({ id }) => id === pet.id);
  if (at !== -1) pets[at] = pet;
  petsById.set(pet.id, pet);
};

/** The status that an animal has so many milliseconds after it was added. */
export type StatusAt = (pet: Pet, age: number) => PetStatus | undefined;

/** Changes animals while time passes, in the list and in getPet alike. */
export const changing = (statusAt: StatusAt): Patch =>
  perServer(() => {
    const added = new Map<bigint, { readonly pet: Pet; readonly at: number }>();
    const update = (world: World): void => {
      for (const [id, { pet, at }] of added) {
        const known = world.petsById.get(id);
        const status = statusAt(pet, world.clock.now() - at);
        if (known !== undefined && known.status !== status) change(world, { ...known, status });
      }
    };
    return together(
      replace('insert', (before) => (pet, world) => {
        added.set(pet.id, { pet, at: world.clock.now() });
        return before(pet, world);
      }),
      around((call, next) => {
        update(call.world);
        return next();
      }),
    );
  });

/** Every animal is sold so many milliseconds after it was added. */
export const soldAfter =
  (ms: number): StatusAt =>
  ({ status }, age) =>
    age >= ms ? 'sold' : status;
