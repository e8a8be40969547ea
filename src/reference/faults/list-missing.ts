import type { Fault, Patch } from '../patch.ts';
import { handle, perServer, replace, together } from '../patches.ts';
import { queryInstead, selectAmong, statusStaysOmitted } from './list-tools.ts';

/** Some lists hold nothing but what was created since the start. */
const createdOnly = (isMeant: (status: string | undefined) => boolean): Patch =>
  perServer(() => {
    const created = new Set<bigint>();
    return together(
      handle('createPet', async (call, before) => {
        const reply = await before(call);
        const newest = call.world.pets.at(-1);
        if (reply.status === 201 && newest !== undefined) created.add(newest.id);
        return reply;
      }),
      selectAmong((pets, { status }) => (isMeant(status) ? pets.filter(({ id }) => created.has(id)) : pets)),
    );
  });

/** Mistakes that keep an animal out of the list. */
export const listMissingFaults: readonly Fault[] = [
  {
    name: 'status-filtered-after-paging',
    requirement: 'LIST-8',
    companions: [],
    description:
      'The page is cut first and filtered by status after, so animals beyond the first page are lost.',
    patch: replace('select', (before) => (pets, query, call) => {
      const page = before(pets, { ...query, status: undefined }, call);
      return query.status === undefined ? page : page.filter((pet) => pet.status === query.status);
    }),
  },
  {
    name: 'omitted-status-not-found-under-its-default',
    requirement: 'LIST-8',
    companions: [],
    description:
      'An animal created without a status is shown as available, but status=available does not find it.',
    patch: together(
      statusStaysOmitted,
      replace('renderPet', (before) => (pet, call) => ({
        ...before(pet, call),
        status: pet.status ?? 'available',
      })),
    ),
  },
  {
    name: 'pending-never-found',
    requirement: 'LIST-8',
    companions: [],
    description: 'status=pending finds nothing: the query spells the value in another way than the store.',
    patch: selectAmong((pets, { status }) => (status === 'pending' ? [] : pets)),
  },
  {
    name: 'sold-left-out-without-status',
    requirement: 'LIST-8',
    companions: [],
    description: 'Without status the list leaves sold animals out.',
    patch: selectAmong((pets, { status }) =>
      status === undefined ? pets.filter((pet) => pet.status !== 'sold') : pets,
    ),
  },
  {
    name: 'newest-left-out-without-status',
    requirement: 'LIST-8',
    companions: [],
    description:
      'Without status the list ends one animal too early: the newest is missing until another follows.',
    patch: selectAmong((pets, { status }) => (status === undefined ? pets.slice(1) : pets)),
  },
  {
    name: 'long-names-not-listed',
    requirement: 'LIST-8',
    companions: [],
    description:
      'Animals whose name is longer than 50 characters miss in the list: the index holds no longer ones.',
    patch: selectAmong((pets) => pets.filter(({ name }) => name.length <= 50)),
  },
  {
    name: 'large-categories-not-listed',
    requirement: 'LIST-8',
    companions: ['CREATE-9'],
    description: 'The list joins categories by a 32-bit column and loses animals whose categoryId is larger.',
    patch: selectAmong((pets) =>
      pets.filter(({ categoryId }) => categoryId === BigInt.asIntN(32, categoryId)),
    ),
  },
  {
    name: 'namesakes-listed-once',
    requirement: 'LIST-8',
    companions: [],
    description: 'Of several animals with one name the list shows only the newest.',
    patch: selectAmong((pets) =>
      pets.filter((pet, at) => pets.findIndex(({ name }) => name === pet.name) === at),
    ),
  },
  {
    name: 'page-one-too-short',
    requirement: 'LIST-8',
    companions: [],
    description:
      'A page holds one animal less than the limit, even where more animals are there: limit=1 returns none.',
    patch: queryInstead((query) => ({ ...query, limit: query.limit - 1 })),
  },
  {
    name: 'pages-cut-at-fifty',
    requirement: 'LIST-8',
    companions: [],
    description:
      'A limit above 50 is silently taken for 50: the page is shorter than the limit, yet not the whole list.',
    patch: queryInstead((query) => ({ ...query, limit: Math.min(query.limit, 50) })),
  },
  {
    name: 'last-lost-where-the-limit-is-just-reached',
    requirement: 'LIST-8',
    companions: [],
    description:
      'One animal is read ahead to see whether more follow, and taken off even where none does: a list as long as the limit lacks its last.',
    patch: replace('select', (before) => (pets, query, call) => {
      const ahead = before(pets, { ...query, limit: query.limit + 1 }, call);
      return ahead.length >= query.limit ? ahead.slice(0, Math.max(ahead.length - 1, 1)) : ahead;
    }),
  },
  {
    name: 'last-dropped-as-if-more-followed',
    requirement: 'LIST-8',
    companions: [],
    description:
      'One animal more than the limit is read, to see whether more follow, and the last one dropped even where none does.',
    patch: replace(
      'select',
      (before) => (pets, query, call) =>
        before(pets, { ...query, limit: query.limit + 1 }, call).slice(0, -1),
    ),
  },
  {
    name: 'animals-of-the-beginning-not-under-their-status',
    requirement: 'LIST-8',
    companions: [],
    description:
      'The index by status holds what was created since the start; what stood in the store is in the plain list only.',
    patch: createdOnly((status) => status !== undefined),
  },
  {
    name: 'animals-of-the-beginning-under-their-status-only',
    requirement: 'LIST-8',
    companions: [],
    description:
      'The plain list holds what was created since the start, the lists by status the whole store.',
    patch: createdOnly((status) => status === undefined),
  },
];
