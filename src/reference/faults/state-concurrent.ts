import type { Call, ServerState } from '../parts.ts';
import { handle, replace, withState } from '../patch-kit/core.ts';
import { isPetStatus, type Pet, type PetStatus } from '../pet.ts';
import type { Reply } from '../reply.ts';
import { mixed } from './family.ts';

/** Waits as long as a database would: other requests change shared variables meanwhile. */
const roundTrip = (state: ServerState): Promise<void> => state.clock.sleep(5);

/** Replaces all animals of the store. */
function restore(state: ServerState, pets: readonly Pet[]): void {
  state.pets.splice(0, state.pets.length, ...pets);
  state.petsById.clear();
  for (const pet of pets) state.petsById.set(pet.id, pet);
}

/** Mistakes that only concurrent requests show. */
export const concurrencyFaults = mixed({
  'concurrent-gets-mixed-up': [
    'GET-1',
    'All requests share the variable petId: concurrent gets return the animal of the last one.',
    withState(() => {
      let route: Call['route'];
      return handle('getPet', async (call, before) => {
        route = call.route;
        await roundTrip(call.state);
        return before({ ...call, route });
      });
    }),
    { companions: ['GET-2', 'GET-3', 'GET-4'] },
  ],
  'concurrent-creations-answered-alike': [
    'CREATE-3',
    'All requests share the created animal: concurrent creations return the last one.',
    withState(() => {
      let created: Reply;
      return handle('createPet', async (call, before) => {
        const reply = await before(call);
        if (reply.status !== 201) return reply;
        created = reply;
        await roundTrip(call.state);
        return created;
      });
    }),
    { companions: ['CREATE-2', 'CREATE-9'] },
  ],
  'concurrent-lists-share-their-filter': [
    'LIST-6',
    'All requests share the status filter: concurrent lists use the last one.',
    withState(() => {
      let shared: PetStatus | undefined;
      return handle('listPets', async (call, before) => {
        const status = call.url.searchParams.get('status') ?? undefined;
        if (status !== undefined && !isPetStatus(status)) return before(call);
        shared = status;
        await roundTrip(call.state);
        const readStatus = () => ({ ok: true, value: shared }) as const;
        return before({ ...call, parts: { ...call.parts, readStatus } });
      });
    }),
    { companions: ['LIST-8'] },
  ],
  'concurrent-creations-stored-alike': [
    'GET-1',
    'All requests share the record to insert: concurrent creations store the fields of the last one.',
    withState(() => {
      let record: Pet;
      return replace('insert', (before) => async (pet, state) => {
        record = pet;
        await roundTrip(state);
        return before({ ...record, id: pet.id }, state);
      });
    }),
    { companions: ['CREATE-9', 'LIST-8'] },
  ],
  'creations-lost-under-concurrency': [
    'LIST-8',
    'The server reads, extends, and writes the whole catalog: it keeps one of several concurrent creations.',
    replace('insert', () => async (pet, state) => {
      const pets = [...state.pets, pet];
      await roundTrip(state);
      restore(state, pets);
    }),
    { companions: ['GET-1', 'GET-4'] },
  ],
});
