import type { World } from '../parts.ts';
import type { Patch } from '../patch.ts';
import type { Pet, PetStatus } from '../pet.ts';
import { compose, replace, withState, wrap } from './core.ts';
import { replacePet } from './store.ts';

/** The status of an animal, by its age in milliseconds. */
export type StatusAt = (pet: Pet, age: number) => PetStatus | undefined;

/** Changes animals while time passes, in the list and in getPet alike. */
export const changing = (statusAt: StatusAt): Patch =>
  withState(() => {
    const added = new Map<bigint, { readonly pet: Pet; readonly at: number }>();
    const update = (world: World): void => {
      for (const [id, { pet, at }] of added) {
        const known = world.petsById.get(id);
        const status = statusAt(pet, world.clock.now() - at);
        if (known !== undefined && known.status !== status) replacePet(world, { ...known, status });
      }
    };
    return compose(
      replace('insert', (before) => (pet, world) => {
        added.set(pet.id, { pet, at: world.clock.now() });
        return before(pet, world);
      }),
      wrap((call, next) => {
        update(call.world);
        return next();
      }),
    );
  });

/** Every animal becomes sold at this age, in milliseconds. */
export const soldAfter =
  (ms: number): StatusAt =>
  ({ status }, age) =>
    age >= ms ? 'sold' : status;
