import type { Patch } from '../patch.ts';
import { compose, handle, replace, withState } from '../patch-kit/core.ts';
import { findInstead } from '../patch-kit/store.ts';
import { mixed } from './family.ts';

/** Assigns ids after this one. */
const idsFrom = (start: bigint): Patch =>
  replace('assignId', (before) => (pet, state) => {
    if (state.lastId === 0n) state.lastId = start;
    return before(pet, state);
  });

/** Mistakes that appear only with many animals, or with large ids. */
export const growthFaults = mixed({
  'list-forgets-beyond-forty': [
    'LIST-8',
    'The list shows only the 40 newest animals.',
    replace('order', (before) => (state) => {
      const newest = new Set(state.pets.slice(-40));
      return [...before(state)].filter((pet) => newest.has(pet));
    }),
  ],
  'newest-missing-beyond-thirty': [
    'LIST-8',
    'With more than 30 animals, the list omits the newest until another one follows.',
    replace('order', (before) => (state) => {
      const newest = state.pets.length > 30 ? state.pets.at(-1) : undefined;
      return [...before(state)].filter((pet) => pet !== newest);
    }),
  ],
  'last-of-many-dropped': [
    'LIST-8',
    'The list shows the oldest animals first, and drops the last one if there are more than 30.',
    replace('select', (before) => (pets, query, call) => {
      const found = before([...pets].reverse(), { ...query, limit: Number.POSITIVE_INFINITY }, call);
      return found.slice(0, found.length > 30 ? -1 : undefined).slice(0, query.limit);
    }),
  ],
  'oldest-evicted-beyond-fifty': [
    'GET-1',
    'The store is a cache of 50 animals: the next creation evicts the oldest.',
    replace('insert', (before) => async (pet, state) => {
      await before(pet, state);
      const evicted = state.pets.length > 50 ? state.pets.shift() : undefined;
      if (evicted !== undefined) state.petsById.delete(evicted.id);
    }),
    { companions: ['GET-4', 'LIST-8'] },
  ],
  'creation-refused-beyond-fifty-five': [
    'CREATE-1',
    'The server never releases a pool: after 55 creations every creation gets 400.',
    withState(() => {
      let created = 0;
      return handle('createPet', async (call, before) => {
        if (created >= 55) return call.parts.fail('invalid-body', call);
        const reply = await before(call);
        if (reply.status === 201) created += 1;
        return reply;
      });
    }),
  ],
  'ids-beyond-int32-not-found': [
    'GET-1',
    'getPet cuts ids to 32 bits: animals with ids beyond 2^31 are not found.',
    compose(
      idsFrom(2n ** 31n - 10n),
      findInstead((id) => BigInt.asIntN(32, id)),
    ),
    { companions: ['GET-2', 'GET-4'] },
  ],
  'ids-beyond-2-53-rounded': [
    'GET-1',
    'getPet rounds ids beyond 2^53 to a double: it returns a neighbor, or nothing.',
    compose(
      idsFrom(2n ** 53n),
      findInstead((id) => BigInt(Number(id))),
    ),
    { companions: ['GET-4', 'GET-2'] },
  ],
});
