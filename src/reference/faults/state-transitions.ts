import type { Fault, Patch } from '../patch.ts';
import { handle, perServer, replace, together } from '../patches.ts';
import type { Pet, PetStatus } from '../pet.ts';
import { change, changing, soldAfter } from '../transitions.ts';

/** Keeps each animal with the status that it was added with. */
const rememberingStatus = (make: (withStatus: (pet: Pet) => Pet) => Patch): Patch =>
  perServer(() => {
    const first = new Map<bigint, PetStatus | undefined>();
    return together(
      replace('insert', (before) => (pet, world) => {
        first.set(pet.id, pet.status);
        return before(pet, world);
      }),
      make((pet) => ({ ...pet, status: first.has(pet.id) ? first.get(pet.id) : pet.status })),
    );
  });

/** Changes each animal once the 201 that shows it is made. */
const afterCreation = (edit: (pet: Pet) => Partial<Pet>): Patch =>
  handle('createPet', async (call, before) => {
    const { pets } = call.world;
    const count = pets.length;
    const reply = await before(call);
    for (const pet of pets.slice(count)) change(call.world, { ...pet, ...edit(pet) });
    return reply;
  });

const selling = changing(soldAfter(400));

/** Mistakes in keeping the status of an animal: it is lost at once, or its changes are not shown everywhere. */
export const transitionFaults: readonly Fault[] = [
  {
    name: 'status-not-stored',
    requirement: 'GET-1',
    companions: ['LIST-8'],
    description: 'createPet repeats the status that was sent, and stores every animal as available.',
    patch: afterCreation(() => ({ status: 'available' })),
  },
  {
    name: 'pending-approved-at-creation',
    requirement: 'GET-1',
    companions: ['LIST-8'],
    description: 'An animal created as pending is available as soon as createPet has returned.',
    patch: afterCreation(({ status }) => ({ status: status === 'pending' ? 'available' : status })),
  },
  {
    name: 'sales-not-shown-by-get-pet',
    requirement: 'GET-1',
    companions: ['LIST-8'],
    description:
      'Animals are sold 400 ms after their creation; getPet goes on showing the status of the creation.',
    patch: together(
      selling,
      rememberingStatus((withStatus) =>
        replace('find', (before) => async (id, world) => {
          const pet = await before(id, world);
          return pet && withStatus(pet);
        }),
      ),
    ),
  },
  {
    name: 'sales-not-shown-by-lists',
    requirement: 'GET-1',
    companions: ['LIST-8'],
    description:
      'Animals are sold 400 ms after their creation; lists go on showing the status of the creation.',
    patch: together(
      selling,
      rememberingStatus((withStatus) =>
        replace('order', (before) => (world) => [...before(world)].map(withStatus)),
      ),
    ),
  },
  {
    name: 'sales-not-found-by-status',
    requirement: 'LIST-8',
    companions: [],
    description: 'Animals are sold 400 ms after their creation; the index by status does not learn of it.',
    patch: together(
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
  },
];
