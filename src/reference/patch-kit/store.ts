import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Call, ServerState } from '../parts.ts';
import type { Patch } from '../patch.ts';
import type { NewPet, Pet } from '../pet.ts';
import { compose, handle, replace, withState, wrap } from './core.ts';
import { selectAmong } from './lists.ts';

/** Replaces the animal with the same id. */
export const replacePet = ({ pets, petsById }: ServerState, pet: Pet): void => {
  const at = pets.findIndex(({ id }) => id === pet.id);
  if (at !== -1) pets[at] = pet;
  petsById.set(pet.id, pet);
};

/** Removes an animal from the list; it can still be found by its id. */
export const unlist = ({ pets }: ServerState, id: bigint): void => {
  const at = pets.findIndex((pet) => pet.id === id);
  if (at !== -1) pets.splice(at, 1);
};

/** Removes an animal. */
export const removePet = (state: ServerState, id: bigint): void => {
  unlist(state, id);
  state.petsById.delete(id);
};

/** Assigns the next id, plus this. */
export const idsBeyond = (offset: bigint): Patch =>
  replace('assignId', (before) => async (pet, state) => offset + (await before(pet, state)));

/** Looks up another id instead of the one that was sent. */
export const findInstead = (change: (id: bigint) => bigint): Patch =>
  replace('find', (before) => (id, state) => before(change(id), state));

/** Does not find these animals by their id. */
export const hideById = (isHidden: (pet: Pet) => boolean): Patch =>
  replace('find', (before) => async (id, state) => {
    const pet = await before(id, state);
    return pet !== undefined && isHidden(pet) ? undefined : pet;
  });

/** Lists animals only if the query has a status. */
export const hideFromPlainList = (isHidden: (pet: Pet) => boolean): Patch =>
  selectAmong((pets, { status }) => (status === undefined ? pets.filter((pet) => !isHidden(pet)) : pets));

/** A patch that can tell animals of the initial store from later ones. */
export const whileSeeding = (make: (isSeeding: () => boolean) => Patch): Patch =>
  withState(() => {
    let isSeeding = true;
    const open = wrap((_call, next) => {
      isSeeding = false;
      return next();
    });
    return compose(
      open,
      make(() => isSeeding),
    );
  });

/** A patch that knows which animals were created since the start. */
export const knowingCreated = (make: (isCreated: (id: bigint) => boolean) => Patch): Patch =>
  withState(() => {
    const created = new Set<bigint>();
    return compose(
      handle('createPet', async (call, before) => {
        const known = new Set(call.state.petsById.keys());
        const reply = await before(call);
        for (const id of call.state.petsById.keys()) if (!known.has(id)) created.add(id);
        return reply;
      }),
      make((id) => created.has(id)),
    );
  });

/** Assigns the id that a valid creation chooses; null: the next one. */
export const chooseId = (choose: (body: JsonObject, call: Call) => bigint | null): Patch =>
  withState(() => {
    const chosen = new WeakMap<NewPet, bigint>();
    return compose(
      replace('toNewPet', (before) => (body, call) => {
        const pet = before(body, call);
        const id = isJsonObject(body) ? choose(body, call) : null;
        if (id !== null) chosen.set(pet, id);
        return pet;
      }),
      replace('assignId', (before) => (pet, state) => chosen.get(pet) ?? before(pet, state)),
    );
  });
