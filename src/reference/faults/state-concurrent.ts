import type { Call, World } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { handle, perServer, replace } from '../patches.ts';
import { isPetStatus, type Pet, type PetStatus } from '../pet.ts';
import type { Reply } from '../reply.ts';

/** As long as a database takes: whatever is shared is changed by other requests meanwhile. */
const roundTrip = (world: World): Promise<void> => world.clock.sleep(5);

/** Puts these animals in the place of all that the store holds. */
function restore(world: World, pets: readonly Pet[]): void {
  world.pets.splice(0, world.pets.length, ...pets);
  world.petsById.clear();
  for (const pet of pets) world.petsById.set(pet.id, pet);
}

/** Mistakes that only requests under way at once show. */
export const concurrencyFaults: readonly Fault[] = [
  {
    name: 'concurrent-gets-mixed-up',
    requirement: 'GET-1',
    companions: ['GET-2', 'GET-3', 'GET-4'],
    description:
      'petId is kept in a variable that all requests share: gets at once return the animal of the last one.',
    patch: perServer(() => {
      let route: Call['route'];
      return handle('getPet', async (call, before) => {
        route = call.route;
        await roundTrip(call.world);
        return before({ ...call, route });
      });
    }),
  },
  {
    name: 'concurrent-creations-answered-alike',
    requirement: 'CREATE-3',
    companions: ['CREATE-2', 'CREATE-9'],
    description:
      'The created animal is kept in a variable that all requests share: creations at once return the last one.',
    patch: perServer(() => {
      let created: Reply;
      return handle('createPet', async (call, before) => {
        const reply = await before(call);
        if (reply.status !== 201) return reply;
        created = reply;
        await roundTrip(call.world);
        return created;
      });
    }),
  },
  {
    name: 'concurrent-lists-share-their-filter',
    requirement: 'LIST-6',
    companions: ['LIST-8'],
    description:
      'status is kept in a variable that all requests share: lists at once are filtered by the last one.',
    patch: perServer(() => {
      let shared: PetStatus | undefined;
      return handle('listPets', async (call, before) => {
        const status = call.url.searchParams.get('status') ?? undefined;
        if (status !== undefined && !isPetStatus(status)) return before(call);
        shared = status;
        await roundTrip(call.world);
        const readStatus = () => ({ ok: true, value: shared }) as const;
        return before({ ...call, parts: { ...call.parts, readStatus } });
      });
    }),
  },
  {
    name: 'concurrent-creations-stored-alike',
    requirement: 'GET-1',
    companions: ['CREATE-9', 'LIST-8'],
    description:
      'The record to insert is kept in a variable that all requests share: creations at once are answered well, and stored with the fields of the last one.',
    patch: perServer(() => {
      let record: Pet;
      return replace('insert', (before) => async (pet, world) => {
        record = pet;
        await roundTrip(world);
        return before({ ...record, id: pet.id }, world);
      });
    }),
  },
  {
    name: 'creations-lost-under-concurrency',
    requirement: 'LIST-8',
    companions: ['GET-1', 'GET-4'],
    description: 'The catalogue is read, extended and written back whole: of creations at once one is kept.',
    patch: replace('insert', () => async (pet, world) => {
      const pets = [...world.pets, pet];
      await roundTrip(world);
      restore(world, pets);
    }),
  },
];
