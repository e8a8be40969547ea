import type { ServerState } from '../parts.ts';
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
    const update = (state: ServerState): void => {
      for (const [id, { pet, at }] of added) {
        const known = state.petsById.get(id);
        const status = statusAt(pet, state.clock.now() - at);
        if (known !== undefined && known.status !== status) replacePet(state, { ...known, status });
      }
    };
    return compose(
      replace('insert', (before) => (pet, state) => {
        added.set(pet.id, { pet, at: state.clock.now() });
        return before(pet, state);
      }),
      wrap((call, next) => {
        update(call.state);
        return next();
      }),
    );
  });

/** Every animal becomes sold at this age, in milliseconds. */
export const soldAfter =
  (ms: number): StatusAt =>
  ({ status }, age) =>
    age >= ms ? 'sold' : status;
