import { isJsonObject, type Json } from '../../json/json.ts';
import type { Patch } from '../patch.ts';
import { compose, handle, replace, withState } from '../patch-kit/core.ts';
import { editList, queryValue } from '../patch-kit/lists.ts';
import { withFields } from '../patch-kit/responses.ts';
import { replacePet } from '../patch-kit/store.ts';
import { changing, soldAfter } from '../patch-kit/transitions.ts';
import type { Pet, PetStatus } from '../pet.ts';
import { family } from './family.ts';

/** Keeps each animal with the status that it was added with. */
const rememberingStatus = (make: (withStatus: (pet: Pet) => Pet) => Patch): Patch =>
  withState(() => {
    const first = new Map<bigint, PetStatus | undefined>();
    return compose(
      replace('insert', (before) => (pet, state) => {
        first.set(pet.id, pet.status);
        return before(pet, state);
      }),
      make((pet) => ({ ...pet, status: first.has(pet.id) ? first.get(pet.id) : pet.status })),
    );
  });

/** Changes each animal once the 201 that shows it is made. */
const afterCreation = (edit: (pet: Pet) => Partial<Pet>): Patch =>
  handle('createPet', async (call, before) => {
    const { pets } = call.state;
    const count = pets.length;
    const reply = await before(call);
    for (const pet of pets.slice(count)) replacePet(call.state, { ...pet, ...edit(pet) });
    return reply;
  });

/** An animal of a list, with the status of the one before it if its place is a multiple of ten. */
const withStatusAbove = (pet: Json, index: number, pets: readonly Json[]): Json => {
  const above = index % 10 === 9 ? pets[index - 1] : undefined;
  return isJsonObject(pet) && isJsonObject(above) ? withFields(pet, { status: above.status }) : pet;
};

const selling = changing(soldAfter(400));

/** Mistakes in keeping the status of an animal: it is lost at once, or its changes are not shown everywhere. */
export const transitionFaults = family(
  'GET-1',
  {
    'status-not-stored': [
      'createPet returns the status that was sent, but stores available.',
      afterCreation(() => ({ status: 'available' })),
    ],
    'pending-approved-at-creation': [
      'A pending animal becomes available as soon as createPet returns.',
      afterCreation(({ status }) => ({ status: status === 'pending' ? 'available' : status })),
    ],
    'tenth-rows-show-the-status-above': [
      'A list without status is written in blocks of ten: the last row of each shows the status of the row above.',
      editList((entries, call) =>
        queryValue(call, 'status') === null ? entries.map(withStatusAbove) : entries,
      ),
    ],
    'sales-not-shown-by-get-pet': [
      'Animals are sold 400 ms after creation; getPet still shows the first status.',
      compose(
        selling,
        rememberingStatus((withStatus) =>
          replace('find', (before) => async (id, state) => {
            const pet = await before(id, state);
            return pet && withStatus(pet);
          }),
        ),
      ),
    ],
    'sales-not-shown-by-lists': [
      'Animals are sold 400 ms after creation; lists still show the first status.',
      compose(
        selling,
        rememberingStatus((withStatus) =>
          replace('order', (before) => (state) => [...before(state)].map(withStatus)),
        ),
      ),
    ],
    'sales-not-found-by-status': [
      'Animals are sold 400 ms after creation; the index by status is not updated.',
      compose(
        selling,
        rememberingStatus((withStatus) =>
          replace(
            'select',
            (before) => (pets, query, call) =>
              before(
                query.status === undefined
                  ? pets
                  : [...pets].filter((pet) => withStatus(pet).status === pet.status),
                query,
                call,
              ),
          ),
        ),
      ),
      { requirement: 'LIST-8', companions: [] },
    ],
  },
  { companions: ['LIST-8'] },
);
