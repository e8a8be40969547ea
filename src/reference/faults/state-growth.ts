import type { Fault, Patch } from '../patch.ts';
import { handle, perServer, replace, together } from '../patches.ts';

/** Ids count up from the one after this. */
const idsFrom = (start: bigint): Patch =>
  replace('assignId', (before) => (pet, world) => {
    if (world.lastId === 0n) world.lastId = start;
    return before(pet, world);
  });

/** Mistakes that show only when many animals stand in the store, or ids grow large. */
export const growthFaults: readonly Fault[] = [
  {
    name: 'list-forgets-beyond-forty',
    requirement: 'LIST-8',
    companions: [],
    description:
      'The list shows the forty newest animals only: with the next creation the oldest one is lost to it.',
    patch: replace('order', (before) => (world) => {
      const newest = new Set(world.pets.slice(-40));
      return [...before(world)].filter((pet) => newest.has(pet));
    }),
  },
  {
    name: 'newest-missing-beyond-thirty',
    requirement: 'LIST-8',
    companions: [],
    description:
      'A buffer of thirty animals is full: from then on the list shows the newest animal once another follows.',
    patch: replace('order', (before) => (world) => {
      const newest = world.pets.length > 30 ? world.pets.at(-1) : undefined;
      return [...before(world)].filter((pet) => pet !== newest);
    }),
  },
  {
    name: 'oldest-evicted-beyond-fifty',
    requirement: 'GET-1',
    companions: ['GET-4', 'LIST-8'],
    description: 'The store is a cache of fifty animals: with the next creation the oldest one is gone.',
    patch: replace('insert', (before) => async (pet, world) => {
      await before(pet, world);
      const evicted = world.pets.length > 50 ? world.pets.shift() : undefined;
      if (evicted !== undefined) world.petsById.delete(evicted.id);
    }),
  },
  {
    name: 'creation-refused-beyond-fifty-five',
    requirement: 'CREATE-1',
    companions: [],
    description:
      'After fifty-five creations every further one is refused with 400: a pool is never given back.',
    patch: perServer(() => {
      let created = 0;
      return handle('createPet', async (call, before) => {
        if (created >= 55) return call.parts.fail('invalid-body', call);
        const reply = await before(call);
        if (reply.status === 201) created += 1;
        return reply;
      });
    }),
  },
  {
    name: 'ids-beyond-int32-not-found',
    requirement: 'GET-1',
    companions: ['GET-2', 'GET-4'],
    description: 'Ids grow past 2^31, and getPet cuts them to 32 bits: animals beyond are not found.',
    patch: together(
      idsFrom(2n ** 31n - 10n),
      replace('find', (before) => (id, world) => before(BigInt.asIntN(32, id), world)),
    ),
  },
  {
    name: 'ids-beyond-2-53-rounded',
    requirement: 'GET-1',
    companions: ['GET-4', 'GET-2'],
    description:
      'Ids lie beyond 2^53, and getPet rounds them to a double: it returns a neighbour, or nothing.',
    patch: together(
      idsFrom(2n ** 53n),
      replace('find', (before) => (id, world) => before(BigInt(Number(id)), world)),
    ),
  },
];
