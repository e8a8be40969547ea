import type { Fault } from '../patch.ts';
import { replace } from '../patches.ts';
import { petStatuses } from '../pet.ts';
import { asked, limitOf, queryInstead, readGivenLimit, serveInstead } from './list-tools.ts';

const defaultLimit = (limit: number) =>
  replace('readLimit', (before) => (values) => (values.length === 0 ? limitOf(limit) : before(values)));

/** Mistakes in the page size that holds without `limit`. */
export const listDefaultFaults: readonly Fault[] = [
  {
    name: 'no-default-limit',
    requirement: 'LIST-2',
    // A limit that is no integer counts as none.
    companions: ['LIST-5'],
    description: 'Without limit the whole store is returned.',
    patch: defaultLimit(Number.POSITIVE_INFINITY),
  },
  {
    name: 'default-limit-one-too-many',
    requirement: 'LIST-2',
    companions: [],
    description: 'Without limit 21 animals are returned: one is read ahead and not taken off.',
    patch: defaultLimit(21),
  },
  {
    name: 'default-limit-lost-with-status',
    requirement: 'LIST-2',
    companions: [],
    description: 'With status and without limit every animal of that status is returned.',
    patch: queryInstead((query, call) =>
      asked(call, 'limit') === null && query.status !== undefined
        ? { ...query, limit: Number.POSITIVE_INFINITY }
        : query,
    ),
  },
  {
    name: 'default-limit-for-each-status',
    requirement: 'LIST-2',
    companions: [],
    description: 'Without limit and status the list is joined from 20 animals of each status.',
    patch: replace('select', (before) => (pets, query, call) => {
      if (query.status !== undefined || asked(call, 'limit') !== null) return before(pets, query, call);
      const all = [...pets];
      return petStatuses.flatMap((status) => before(all, { ...query, status }, call));
    }),
  },
];

/** Mistakes in honouring a valid `limit`. */
export const listLimitFaults: readonly Fault[] = [
  {
    name: 'limit-ignored',
    requirement: 'LIST-3',
    companions: ['LIST-8'],
    description: 'limit is read and then forgotten: every page has the default size.',
    patch: serveInstead(() => 20),
  },
  {
    name: 'limit-one-too-many',
    requirement: 'LIST-3',
    companions: [],
    description: 'With limit n, n + 1 animals are returned.',
    patch: serveInstead((limit) => limit + 1),
  },
  {
    name: 'limit-of-one-means-none',
    requirement: 'LIST-3',
    companions: [],
    description: 'limit=1 counts as no limit, since the test asks whether it is greater than 1.',
    patch: serveInstead((limit) => (limit > 1 ? limit : 20)),
  },
  {
    name: 'limit-of-one-hundred-one-too-many',
    requirement: 'LIST-3',
    companions: [],
    description: 'Only limit=100 returns one animal too many.',
    patch: serveInstead((limit) => (limit === 100 ? 101 : limit)),
  },
  {
    name: 'limit-equal-to-the-default-dropped',
    requirement: 'LIST-3',
    companions: [],
    description:
      'A limit equal to the default is taken for none and left out of the query: limit=20 returns up to 100.',
    patch: serveInstead((limit) => (limit === 20 ? 100 : limit)),
  },
  {
    name: 'limit-rounded-up-to-batches',
    requirement: 'LIST-3',
    companions: [],
    description: 'Pages above 25 are read in batches of 25, and the last batch is not cut.',
    patch: serveInstead((limit) => (limit > 25 ? Math.ceil(limit / 25) * 25 : limit)),
  },
  {
    name: 'limit-read-as-hexadecimal',
    requirement: 'LIST-3',
    companions: [],
    description: 'limit is read in base 16: limit=10 returns 16 animals, limit=9 returns 9.',
    patch: readGivenLimit((text, standard) =>
      standard.ok ? limitOf(Math.min(100, Number.parseInt(text, 16))) : standard,
    ),
  },
  {
    name: 'limit-ignored-with-status',
    requirement: 'LIST-3',
    companions: [],
    description: 'With status, limit is ignored and up to 100 animals are returned.',
    patch: queryInstead((query, call) =>
      query.status !== undefined && asked(call, 'limit') !== null ? { ...query, limit: 100 } : query,
    ),
  },
  {
    name: 'limit-behind-status-overlooked',
    requirement: 'LIST-3',
    companions: [],
    description: 'The query is matched by a pattern with limit first: behind status, limit goes unseen.',
    patch: queryInstead((query, call) =>
      /status=.*&limit=/.test(call.url.search) ? { ...query, limit: 100 } : query,
    ),
  },
];
