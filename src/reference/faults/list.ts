import type { Fault } from '../patch.ts';
import { replace } from '../patches.ts';

/** Mistakes in listing animals. */
export const listFaults: readonly Fault[] = [
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
];
