import type { ReadResult } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { handle, replace, withState } from '../patch-kit/core.ts';
import { removePet, replacePet, unlist } from '../patch-kit/store.ts';
import type { Pet } from '../pet.ts';
import type { Reply } from '../reply.ts';
import { mixed } from './family.ts';

/** Removes the first animal from the stored list after it was read with this limit. */
const takenOutByLimit = (limit: string): Patch =>
  replace('select', (before) => (pets, query, call) => {
    const page = before(pets, query, call);
    const [first] = page;
    if (first !== undefined && call.url.searchParams.get('limit') === limit) unlist(call.state, first.id);
    return page;
  });

/** Reads an absent parameter as it was in the previous request. */
const remembering = <Value>(read: (values: readonly string[]) => ReadResult<Value>) => {
  let last: ReadResult<Value> | null = null;
  return (values: readonly string[]): ReadResult<Value> => {
    const reading = values.length === 0 && last !== null ? last : read(values);
    if (reading.ok) last = reading;
    return reading;
  };
};

/** Mistakes that only successive requests show, some of them after a while. */
export const sequenceFaults = mixed({
  'limit-of-the-request-before-sticks': [
    'LIST-2',
    'A list without limit uses the limit of the previous list.',
    replace('readLimit', remembering),
    { companions: ['LIST-8'] },
  ],
  'status-of-the-request-before-sticks': [
    'LIST-8',
    'A list without status uses the status of the previous list.',
    replace('readStatus', remembering),
  ],
  'list-from-a-snapshot': [
    'LIST-8',
    'Lists come from a snapshot that is up to ten seconds old.',
    replace('order', (before) => {
      let snapshot: readonly Pet[] = [];
      let takenAt = Number.NEGATIVE_INFINITY;
      return (state) => {
        const now = state.clock.now();
        if (now - takenAt >= 10_000) {
          snapshot = [...before(state)];
          takenAt = now;
        }
        return snapshot;
      };
    }),
  ],
  'lists-cached-for-a-minute': [
    'LIST-8',
    'Lists with the same query are cached for a minute.',
    withState(() => {
      const cache = new Map<string, { readonly reply: Reply; readonly at: number }>();
      return handle('listPets', async (call, before) => {
        const known = cache.get(call.url.search);
        if (known !== undefined && call.at - known.at < 60_000) return known.reply;
        const reply = await before(call);
        if (reply.status === 200) cache.set(call.url.search, { reply, at: call.at });
        return reply;
      });
    }),
  ],
  'listing-one-takes-it-out': [
    'LIST-8',
    'limit=1 reads like a queue: it removes the animal from the list.',
    takenOutByLimit('1'),
  ],
  'getting-an-animal-deletes-it': [
    'GET-1',
    'getPet deletes the animal.',
    replace('find', (before) => async (id, state) => {
      const pet = await before(id, state);
      removePet(state, id);
      return pet;
    }),
    { companions: ['GET-4', 'LIST-8'] },
  ],
  'creation-renames-an-earlier-animal': [
    'GET-1',
    'Records have 16 slots: a creation overwrites the name of the 16th animal before it.',
    replace('insert', (before) => async (pet, state) => {
      await before(pet, state);
      const earlier = state.pets.at(-17);
      if (earlier !== undefined) replacePet(state, { ...earlier, name: pet.name });
    }),
    { companions: ['LIST-8'] },
  ],
  'namesakes-take-the-category-of-the-last': [
    'LIST-8',
    'The category is stored by name: a creation changes it for all animals with that name.',
    replace('insert', (before) => async (pet, state) => {
      await before(pet, state);
      for (const other of state.pets)
        if (other.name === pet.name && other.id !== pet.id)
          replacePet(state, { ...other, categoryId: pet.categoryId });
    }),
    { companions: ['GET-1'] },
  ],
  'same-creation-answered-with-the-first': [
    'CREATE-3',
    'The server treats a creation with a known body as a repeat, and creates nothing.',
    withState(() => {
      const replies = new Map<string, Reply>();
      return handle('createPet', async (call, before) => {
        const body = await call.body();
        const text = body.ok ? Buffer.from(body.bytes).toString() : '';
        const reply = replies.get(text) ?? (await before(call));
        if (reply.status === 201) replies.set(text, reply);
        return reply;
      });
    }),
    { companions: ['LIST-8'] },
  ],
});
