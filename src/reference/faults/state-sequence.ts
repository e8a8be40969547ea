import type { Reading, World } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { handle, perServer, replace } from '../patches.ts';
import type { Pet } from '../pet.ts';
import type { Reply } from '../reply.ts';
import { change } from '../transitions.ts';

/** Takes an animal out of the list; it can still be found by its id. */
function unlist(world: World, pet: Pet): void {
  const at = world.pets.indexOf(pet);
  if (at !== -1) world.pets.splice(at, 1);
}

/** Takes the first animal out of a list with this limit, once it is read for the response. */
const takenOutByLimit = (limit: string): Patch =>
  replace('select', (before) => (pets, query, call) => {
    const page = before(pets, query, call);
    const [first] = page;
    if (first !== undefined && call.url.searchParams.get('limit') === limit) unlist(call.world, first);
    return page;
  });

/** Reads a parameter that is left out as it was in the request before. */
const remembering = <Value>(read: (values: readonly string[]) => Reading<Value>) => {
  let last: Reading<Value> | null = null;
  return (values: readonly string[]): Reading<Value> => {
    const reading = values.length === 0 && last !== null ? last : read(values);
    if (reading.ok) last = reading;
    return reading;
  };
};

/** Mistakes that only requests one after the other, or some time apart, show. */
export const sequenceFaults: readonly Fault[] = [
  {
    name: 'limit-of-the-request-before-sticks',
    requirement: 'LIST-2',
    companions: ['LIST-8'],
    description: 'A list without limit takes the limit of the list before.',
    patch: replace('readLimit', remembering),
  },
  {
    name: 'status-of-the-request-before-sticks',
    requirement: 'LIST-8',
    companions: [],
    description: 'A list without status takes the status of the list before.',
    patch: replace('readStatus', remembering),
  },
  {
    name: 'list-from-a-snapshot',
    requirement: 'LIST-8',
    companions: [],
    description: 'Lists are read from a snapshot of the store that is up to ten seconds old.',
    patch: replace('order', (before) => {
      let snapshot: readonly Pet[] = [];
      let takenAt = Number.NEGATIVE_INFINITY;
      return (world) => {
        const now = world.clock.now();
        if (now - takenAt >= 10_000) {
          snapshot = [...before(world)];
          takenAt = now;
        }
        return snapshot;
      };
    }),
  },
  {
    name: 'lists-cached-for-a-minute',
    requirement: 'LIST-8',
    companions: [],
    description: 'A list that was asked for with the same query is answered from a cache for a minute.',
    patch: perServer(() => {
      const cache = new Map<string, { readonly reply: Reply; readonly at: number }>();
      return handle('listPets', async (call, before) => {
        const known = cache.get(call.url.search);
        if (known !== undefined && call.at - known.at < 60_000) return known.reply;
        const reply = await before(call);
        if (reply.status === 200) cache.set(call.url.search, { reply, at: call.at });
        return reply;
      });
    }),
  },
  {
    name: 'listing-one-takes-it-out',
    requirement: 'LIST-8',
    companions: [],
    description: 'limit=1 reads as from a queue: the animal is taken out of the list.',
    patch: takenOutByLimit('1'),
  },
  {
    name: 'getting-an-animal-deletes-it',
    requirement: 'GET-1',
    companions: ['GET-4', 'LIST-8'],
    description: 'An animal that is fetched by its id is gone afterwards.',
    patch: replace('find', (before) => async (id, world) => {
      const pet = await before(id, world);
      if (pet !== undefined) unlist(world, pet);
      world.petsById.delete(id);
      return pet;
    }),
  },
  {
    name: 'creation-renames-an-earlier-animal',
    requirement: 'GET-1',
    companions: ['LIST-8'],
    description:
      'Records are kept in sixteen slots: a creation overwrites the name of the sixteenth animal before it.',
    patch: replace('insert', (before) => async (pet, world) => {
      await before(pet, world);
      const earlier = world.pets.at(-17);
      if (earlier !== undefined) change(world, { ...earlier, name: pet.name });
    }),
  },
  {
    name: 'namesakes-take-the-category-of-the-last',
    requirement: 'LIST-8',
    companions: ['GET-1'],
    description: 'The category is kept by name: a creation changes that of every animal of the same name.',
    patch: replace('insert', (before) => async (pet, world) => {
      await before(pet, world);
      for (const other of world.pets)
        if (other.name === pet.name && other.id !== pet.id)
          change(world, { ...other, categoryId: pet.categoryId });
    }),
  },
  {
    name: 'same-creation-answered-with-the-first',
    requirement: 'CREATE-3',
    companions: ['LIST-8'],
    description:
      'A creation whose body is that of an earlier one is taken for sent again, and creates nothing.',
    patch: perServer(() => {
      const answered = new Map<string, Reply>();
      return handle('createPet', async (call, before) => {
        const body = await call.body();
        const text = body.ok ? Buffer.from(body.bytes).toString() : '';
        const reply = answered.get(text) ?? (await before(call));
        if (reply.status === 201) answered.set(text, reply);
        return reply;
      });
    }),
  },
];
