import type { Fault } from '../patch.ts';
import { editPets, handle, replace, together } from '../patches.ts';
import { isPetStatus } from '../pet.ts';
import { jsonReply } from '../reply.ts';
import { asked, editList, selectAmong, statusStaysOmitted } from './list-tools.ts';

/** Mistakes in what a list looks like. */
export const listShapeFaults: readonly Fault[] = [
  {
    name: 'list-enveloped-with-limit',
    requirement: 'LIST-1',
    companions: ['GEN-3'],
    description: 'As soon as limit is given, the array stands in an envelope with the page size.',
    patch: editList((entries, call) => (asked(call, 'limit') === null ? entries : { data: entries })),
  },
  {
    name: 'list-of-one-as-an-object',
    requirement: 'LIST-1',
    companions: ['GEN-3'],
    description: 'A list of one animal is that animal instead of an array, as converters from XML make it.',
    patch: editList((entries) => (entries.length === 1 ? (entries[0] ?? null) : entries)),
  },
  {
    name: 'empty-list-as-null',
    requirement: 'LIST-1',
    companions: ['GEN-3', 'LIST-7'],
    description:
      'An empty list is null, as a nil slice is written; a status outside the enumeration matches nothing.',
    patch: together(
      handle('listPets', (call, before) => {
        const status = asked(call, 'status');
        return status === null || isPetStatus(status) ? before(call) : jsonReply(200, []);
      }),
      editList((entries) => (entries.length === 0 ? null : entries)),
    ),
  },
  {
    name: 'empty-filtered-list-as-null',
    requirement: 'LIST-1',
    companions: ['GEN-3'],
    seedPets: 2,
    description: 'The list of a status that no animal has is null, as a nil slice is written.',
    patch: editList((entries, call) =>
      entries.length === 0 && asked(call, 'status') !== null ? null : entries,
    ),
  },
  {
    name: 'category-zero-listed-as-null',
    requirement: 'LIST-1',
    companions: ['GEN-3', 'GET-1'],
    description: 'A categoryId of 0 is falsy, and listed as null.',
    patch: editPets({ operation: 'listPets' }, ({ categoryId }) => ({
      categoryId: categoryId === 0n ? null : categoryId,
    })),
  },
  {
    name: 'listed-ids-as-strings',
    requirement: 'LIST-1',
    companions: ['GEN-3', 'GET-1', 'LIST-8'],
    description: 'The list writes ids as strings, to save them from doubles.',
    patch: editPets({ operation: 'listPets' }, ({ id }) => ({ id: String(id) })),
  },
  {
    name: 'list-leaves-out-the-category',
    requirement: 'LIST-1',
    companions: ['GEN-3', 'GET-1', 'CREATE-9'],
    description: 'The list shows a summary of each animal, without its categoryId.',
    patch: editPets({ operation: 'listPets' }, () => ({ categoryId: undefined })),
  },
  {
    name: 'page-padded-with-nulls',
    requirement: 'LIST-1',
    companions: ['GEN-3'],
    description: 'The array is made as long as the limit, and what is left over stays null.',
    patch: editList((entries, call) => {
      // Where limits beyond the largest page are served too, the array must not take all memory.
      const missing = Math.min(Number(asked(call, 'limit') ?? 20), 100) - entries.length;
      return missing > 0 ? [...entries, ...Array<null>(missing).fill(null)] : entries;
    }),
  },
  {
    name: 'omitted-status-listed-as-null',
    requirement: 'LIST-1',
    companions: ['GEN-3', 'GET-1', 'CREATE-4'],
    description: 'An animal created without a status is listed with the status null.',
    patch: together(
      statusStaysOmitted,
      replace(
        'renderPets',
        () => (pets, call) =>
          pets.map((pet) => ({ ...call.parts.renderPet(pet, call), status: pet.status ?? null })),
      ),
    ),
  },
];

/** Mistakes that list an animal twice. */
export const listTwiceFaults: readonly Fault[] = [
  {
    name: 'short-page-repeats-its-last',
    requirement: 'LIST-9',
    companions: [],
    description: 'Where the animals end before the page does, the last one is read once more.',
    patch: replace('select', (before) => (pets, query, call) => {
      const page = before(pets, query, call);
      return page.length < query.limit ? [...page, ...page.slice(-1)] : page;
    }),
  },
  {
    name: 'batches-overlap-by-one',
    requirement: 'LIST-9',
    companions: [],
    description: 'Pages above 50 are read in two batches, and the second begins with the last of the first.',
    patch: replace('select', (before) => (pets, query, call) => {
      const page = before(pets, query, call);
      return [...page.slice(0, 50), ...page.slice(49)].slice(0, Math.max(page.length, 50));
    }),
  },
  {
    name: 'newest-twice-with-status',
    requirement: 'LIST-9',
    companions: [],
    description: 'With status, the newest animal comes from a cache and once more from the store.',
    patch: selectAmong((pets, { status }) => {
      const newest = pets.find((pet) => pet.status === status);
      return newest === undefined ? pets : [newest, ...pets];
    }),
  },
  {
    name: 'pending-joined-twice',
    requirement: 'LIST-9',
    companions: [],
    description: 'A join with the history of states doubles the row of each pending animal.',
    patch: selectAmong((pets) => pets.flatMap((pet) => (pet.status === 'pending' ? [pet, pet] : [pet]))),
  },
];
