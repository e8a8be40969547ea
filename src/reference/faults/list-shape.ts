import { compose, handle, replace } from '../patch-kit/core.ts';
import { statusByDefault } from '../patch-kit/creations.ts';
import { editList, queryValue, selectAmong } from '../patch-kit/lists.ts';
import { editPets } from '../patch-kit/responses.ts';
import { isPetStatus } from '../pet.ts';
import { jsonReply } from '../reply.ts';
import { family } from './family.ts';

/** Mistakes in the shape of a list. */
export const listShapeFaults = family('LIST-1', {
  'list-enveloped-with-limit': [
    'With limit, the array is wrapped in an envelope with the page size.',
    editList((entries, call) => (queryValue(call, 'limit') === null ? entries : { data: entries })),
    { companions: ['GEN-3'] },
  ],
  'list-of-one-as-an-object': [
    'A list of one animal is that animal, as converted from XML.',
    editList((entries) => (entries.length === 1 ? (entries[0] ?? null) : entries)),
    { companions: ['GEN-3'] },
  ],
  'empty-list-as-null': [
    'An empty list is null, like a nil slice; an unknown status matches nothing.',
    compose(
      handle('listPets', (call, before) => {
        const status = queryValue(call, 'status');
        return status === null || isPetStatus(status) ? before(call) : jsonReply(200, []);
      }),
      editList((entries) => (entries.length === 0 ? null : entries)),
    ),
    { companions: ['GEN-3', 'LIST-7'] },
  ],
  'empty-filtered-list-as-null': [
    'The list of a status without animals is null, like a nil slice.',
    editList((entries, call) =>
      entries.length === 0 && queryValue(call, 'status') !== null ? null : entries,
    ),
    { companions: ['GEN-3'], seedPets: 2 },
  ],
  'category-zero-listed-as-null': [
    'The list shows categoryId 0 as null, because it is falsy.',
    editPets({ operation: 'listPets' }, ({ categoryId }) => ({
      categoryId: categoryId === 0n ? null : categoryId,
    })),
    { companions: ['GEN-3', 'GET-1'] },
  ],
  'listed-ids-as-strings': [
    'The list shows ids as strings.',
    editPets({ operation: 'listPets' }, ({ id }) => ({ id: String(id) })),
    { companions: ['GEN-3', 'GET-1', 'LIST-8'] },
  ],
  'list-leaves-out-the-category': [
    'The list is a summary without categoryId.',
    editPets({ operation: 'listPets' }, () => ({ categoryId: undefined })),
    { companions: ['GEN-3', 'GET-1', 'CREATE-9'] },
  ],
  'page-padded-with-nulls': [
    'The array has the length of the limit, and is filled with null.',
    editList((entries, call) => {
      // With another fault that accepts huge limits, the array must not use up the memory.
      const missing = Math.min(Number(queryValue(call, 'limit') ?? 20), 100) - entries.length;
      return missing > 0 ? [...entries, ...Array<null>(missing).fill(null)] : entries;
    }),
    { companions: ['GEN-3'] },
  ],
  'omitted-status-listed-as-null': [
    'The list shows a missing status as null.',
    compose(
      statusByDefault(() => undefined),
      replace(
        'renderPets',
        () => (pets, call) =>
          pets.map((pet) => ({ ...call.parts.renderPet(pet, call), status: pet.status ?? null })),
      ),
    ),
    { companions: ['GEN-3', 'GET-1', 'CREATE-4'] },
  ],
});

/** Mistakes that list an animal twice. */
export const listTwiceFaults = family('LIST-9', {
  'short-page-repeats-its-last': [
    'A page shorter than the limit repeats its last animal.',
    replace('select', (before) => (pets, query, call) => {
      const page = before(pets, query, call);
      return page.length < query.limit ? [...page, ...page.slice(-1)] : page;
    }),
  ],
  'batches-overlap-by-one': [
    'The server reads pages above 50 in two batches that overlap by one.',
    replace('select', (before) => (pets, query, call) => {
      const page = before(pets, query, call);
      return [...page.slice(0, 50), ...page.slice(49)].slice(0, Math.max(page.length, 50));
    }),
  ],
  'newest-twice-with-status': [
    'With status, the newest animal comes from a cache and from the store.',
    selectAmong((pets, { status }) => {
      const newest = pets.find((pet) => pet.status === status);
      return newest === undefined ? pets : [newest, ...pets];
    }),
  ],
  'pending-joined-twice': [
    'A join with the history of statuses doubles each pending animal.',
    selectAmong((pets) => pets.flatMap((pet) => (pet.status === 'pending' ? [pet, pet] : [pet]))),
  ],
});
