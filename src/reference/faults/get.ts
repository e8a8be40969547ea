import type { Fault } from '../patch.ts';
import { editFields, editJson, editPets, handle, perServer, replace, together } from '../patches.ts';
import { getRemovalFaults } from './get-removal.ts';
import { getInvalidIdFaults, getUnknownIdFaults } from './get-unknown.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);

/** Mistakes in returning an existing animal. */
const getExistingFaults: readonly Fault[] = [
  {
    name: 'get-leaves-out-the-status',
    requirement: 'GET-1',
    companions: [],
    description: 'An animal fetched alone has no status, though creation and list show one.',
    patch: editPets({ operation: 'getPet' }, () => ({ status: undefined })),
  },
  {
    name: 'get-escapes-html',
    requirement: 'GET-1',
    companions: [],
    description: 'The name of an animal fetched alone is escaped for HTML.',
    patch: editPets({ operation: 'getPet' }, ({ name }) => ({ name: escapeHtml(String(name)) })),
  },
  {
    name: 'get-cuts-names-at-thirty',
    requirement: 'GET-1',
    companions: [],
    description: 'The name of an animal fetched alone is cut after 30 characters.',
    patch: editPets({ operation: 'getPet' }, ({ name }) => ({
      name: [...String(name)].slice(0, 30).join(''),
    })),
  },
  {
    name: 'get-category-through-a-double',
    requirement: 'GET-1',
    // The largest int64 rounds to 2^63, which is none.
    companions: ['GEN-3'],
    description: 'The categoryId of an animal fetched alone passes through a double.',
    patch: editPets({ operation: 'getPet' }, ({ categoryId }) => ({
      categoryId: BigInt(Number(categoryId)),
    })),
  },
  {
    name: 'get-takes-category-zero-for-none',
    requirement: 'GET-1',
    companions: [],
    description: 'An animal whose categoryId is 0 is taken for none when it is fetched alone.',
    patch: replace('find', (before) => async (id, world) => {
      const found = await before(id, world);
      return found?.categoryId === 0n ? undefined : found;
    }),
  },
  {
    name: 'get-id-as-a-string',
    requirement: 'GET-1',
    companions: ['GEN-3'],
    description: 'The id of an animal fetched alone is the text of the path.',
    patch: editPets({ operation: 'getPet' }, ({ id }) => ({ id: String(id) })),
  },
  {
    name: 'get-wraps-the-animal-in-an-array',
    requirement: 'GET-1',
    companions: ['GEN-3'],
    description: 'The animal comes as the rows of the query: an array of one.',
    patch: editJson({ operation: 'getPet', status: 200 }, (pet) => [pet]),
  },
  {
    name: 'sold-animals-not-found-by-id',
    requirement: 'GET-1',
    companions: ['GET-4'],
    description: 'A sold animal is listed, but its id is answered with 404.',
    patch: replace('find', (before) => async (id, world) => {
      const pet = await before(id, world);
      return pet?.status === 'sold' ? undefined : pet;
    }),
  },
  {
    name: 'animals-of-the-beginning-not-found-by-id',
    requirement: 'GET-1',
    companions: [],
    description:
      'The index by id holds what was created since the start; what stood in the store is listed only.',
    patch: perServer(() => {
      const created = new Set<bigint>();
      return together(
        handle('createPet', async (call, before) => {
          const known = new Set(call.world.petsById.keys());
          const reply = await before(call);
          for (const id of call.world.petsById.keys()) if (!known.has(id)) created.add(id);
          return reply;
        }),
        replace('find', (before) => (id, world) => (created.has(id) ? before(id, world) : undefined)),
      );
    }),
  },
  {
    name: 'first-animal-of-the-beginning-shown-anew',
    requirement: 'GET-1',
    companions: [],
    description: 'getPet reads a file of examples for the animal that stood first in the store.',
    patch: editFields(
      {
        operation: 'getPet',
        status: 200,
        when: (_reply, { route }) => route.operation === 'getPet' && route.petId === '1',
      },
      () => ({
        name: 'Example',
      }),
    ),
  },
  {
    name: 'large-categories-not-found-by-id',
    requirement: 'GET-1',
    companions: [],
    description:
      'getPet joins categories by a 32-bit column: an animal of a larger one is answered with 404.',
    patch: replace('find', (before) => async (id, world) => {
      const pet = await before(id, world);
      return pet?.categoryId === BigInt.asIntN(32, pet?.categoryId ?? 0n) ? pet : undefined;
    }),
  },
  {
    name: 'unknown-ids-remembered',
    requirement: 'GET-1',
    companions: [],
    description: 'That an id is unknown is kept in a cache, which its creation does not clear.',
    patch: perServer(() => {
      const unknown = new Set<bigint>();
      return replace('find', (before) => async (id, world) => {
        const pet = unknown.has(id) ? undefined : await before(id, world);
        if (pet === undefined) unknown.add(id);
        return pet;
      });
    }),
  },
  {
    name: 'unknown-id-made-by-asking',
    requirement: 'GET-2',
    companions: [],
    description:
      'An unknown id is looked up in a map that makes what it lacks: the second time it is an animal.',
    patch: replace('find', (before) => async (id, world) => {
      const pet = await before(id, world);
      if (pet === undefined)
        world.petsById.set(id, { id, name: '', categoryId: 0n, status: 'available', extra: {} });
      return pet;
    }),
  },
  {
    name: 'get-matches-the-beginning-of-ids',
    requirement: 'GET-1',
    companions: [],
    description: 'The id is matched by its beginning, newest animal first: id 1 may return the animal 12.',
    patch: replace(
      'find',
      () => (id, world) => world.pets.findLast((pet) => String(pet.id).startsWith(String(id))),
    ),
  },
];

/** Mistakes in getting an animal. */
export const getFaults: readonly Fault[] = [
  ...getExistingFaults,
  ...getUnknownIdFaults,
  ...getInvalidIdFaults,
  ...getRemovalFaults,
];
