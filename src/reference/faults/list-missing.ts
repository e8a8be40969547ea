import type { Patch } from '../patch.ts';
import { compose, handle, replace, withState } from '../patch-kit/core.ts';
import { statusByDefault } from '../patch-kit/creations.ts';
import { queryInstead, selectAmong } from '../patch-kit/lists.ts';
import { family } from './family.ts';

/** Some lists hold nothing but what was created since the start. */
const createdOnly = (isMeant: (status: string | undefined) => boolean): Patch =>
  withState(() => {
    const created = new Set<bigint>();
    return compose(
      handle('createPet', async (call, before) => {
        const reply = await before(call);
        const newest = call.state.pets.at(-1);
        if (reply.status === 201 && newest !== undefined) created.add(newest.id);
        return reply;
      }),
      selectAmong((pets, { status }) => (isMeant(status) ? pets.filter(({ id }) => created.has(id)) : pets)),
    );
  });

/** Mistakes that keep an animal out of the list. */
export const listMissingFaults = family('LIST-8', {
  'status-filtered-after-paging': [
    'The status filter runs after the limit: matches after the first page are missing.',
    replace('select', (before) => (pets, query, call) => {
      const page = before(pets, { ...query, status: undefined }, call);
      return query.status === undefined ? page : page.filter((pet) => pet.status === query.status);
    }),
  ],
  'omitted-status-not-found-under-its-default': [
    'status=available does not find animals created without a status, which are shown as available.',
    compose(
      statusByDefault(() => undefined),
      replace('renderPet', (before) => (pet, call) => ({
        ...before(pet, call),
        status: pet.status ?? 'available',
      })),
    ),
  ],
  'pending-never-found': [
    'status=pending finds nothing: query and store spell it differently.',
    selectAmong((pets, { status }) => (status === 'pending' ? [] : pets)),
  ],
  'sold-left-out-without-status': [
    'Without status the list omits sold animals.',
    selectAmong((pets, { status }) =>
      status === undefined ? pets.filter((pet) => pet.status !== 'sold') : pets,
    ),
  ],
  'newest-left-out-without-status': [
    'Without status the list omits the newest animal until another one follows.',
    selectAmong((pets, { status }) => (status === undefined ? pets.slice(1) : pets)),
  ],
  'long-names-not-listed': [
    'The index omits names of more than 50 characters: the list lacks these animals.',
    selectAmong((pets) => pets.filter(({ name }) => name.length <= 50)),
  ],
  'large-categories-not-listed': [
    'The list joins categories by a 32-bit column, and lacks animals with larger ones.',
    selectAmong((pets) => pets.filter(({ categoryId }) => categoryId === BigInt.asIntN(32, categoryId))),
    { companions: ['CREATE-9'] },
  ],
  'namesakes-listed-once': [
    'The list shows only the newest of several animals with one name.',
    selectAmong((pets) => pets.filter((pet, at) => pets.findIndex(({ name }) => name === pet.name) === at)),
  ],
  'page-one-too-short': [
    'A page has one animal less than the limit: limit=1 returns none.',
    queryInstead((query) => ({ ...query, limit: query.limit - 1 })),
  ],
  'pages-cut-at-fifty': [
    'A limit above 50 becomes 50, without an error.',
    queryInstead((query) => ({ ...query, limit: Math.min(query.limit, 50) })),
  ],
  'last-lost-where-the-limit-is-just-reached': [
    'The server drops the animal that it reads ahead, even if it is the last: a full last page lacks one.',
    replace('select', (before) => (pets, query, call) => {
      const ahead = before(pets, { ...query, limit: query.limit + 1 }, call);
      return ahead.length >= query.limit ? ahead.slice(0, Math.max(ahead.length - 1, 1)) : ahead;
    }),
  ],
  'last-dropped-as-if-more-followed': [
    'The server reads one animal ahead, and always drops the last.',
    replace(
      'select',
      (before) => (pets, query, call) =>
        before(pets, { ...query, limit: query.limit + 1 }, call).slice(0, -1),
    ),
  ],
  'animals-of-the-beginning-not-under-their-status': [
    'The index by status has only animals created since the start; older ones are in the plain list.',
    createdOnly((status) => status !== undefined),
  ],
  'animals-of-the-beginning-under-their-status-only': [
    'The plain list has only animals created since the start; lists by status have all.',
    createdOnly((status) => status === undefined),
  ],
});
