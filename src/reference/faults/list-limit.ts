import { replace } from '../patch-kit/core.ts';
import { limitOf, queryInstead, queryValue, readGivenLimit, serveInstead } from '../patch-kit/lists.ts';
import { petStatuses } from '../pet.ts';
import { family } from './family.ts';

const defaultLimit = (limit: number) =>
  replace('readLimit', (before) => (values) => (values.length === 0 ? limitOf(limit) : before(values)));

/** Mistakes in the default page size. */
export const listDefaultFaults = family('LIST-2', {
  // A limit that is not an integer counts as absent.
  'no-default-limit': [
    'Without limit the whole store is returned.',
    defaultLimit(Number.POSITIVE_INFINITY),
    { companions: ['LIST-5'] },
  ],
  'default-limit-one-too-many': [
    'Without limit 21 animals are returned: the one that is read ahead is not removed.',
    defaultLimit(21),
  ],
  'default-limit-lost-with-status': [
    'With status and without limit all animals of that status are returned.',
    queryInstead((query, call) =>
      queryValue(call, 'limit') === null && query.status !== undefined
        ? { ...query, limit: Number.POSITIVE_INFINITY }
        : query,
    ),
  ],
  'default-limit-for-each-status': [
    'Without limit and status the list has 20 animals of each status.',
    replace('select', (before) => (pets, query, call) => {
      if (query.status !== undefined || queryValue(call, 'limit') !== null) return before(pets, query, call);
      const all = [...pets];
      return petStatuses.flatMap((status) => before(all, { ...query, status }, call));
    }),
  ],
});

/** Mistakes in honouring a valid `limit`. */
export const listLimitFaults = family('LIST-3', {
  'limit-ignored': [
    'limit is ignored: every page has the default size.',
    serveInstead(() => 20),
    { companions: ['LIST-8'] },
  ],
  'limit-one-too-many': ['With limit n, n + 1 animals are returned.', serveInstead((limit) => limit + 1)],
  'limit-of-one-means-none': [
    'limit=1 is ignored: the server tests limit > 1.',
    serveInstead((limit) => (limit > 1 ? limit : 20)),
  ],
  'limit-of-one-hundred-one-too-many': [
    'Only limit=100 returns one animal too many.',
    serveInstead((limit) => (limit === 100 ? 101 : limit)),
  ],
  'limit-equal-to-the-default-dropped': [
    'A limit equal to the default is dropped from the query: limit=20 returns up to 100.',
    serveInstead((limit) => (limit === 20 ? 100 : limit)),
  ],
  'limit-rounded-up-to-batches': [
    'The server reads pages above 25 in batches of 25, and does not cut the last batch.',
    serveInstead((limit) => (limit > 25 ? Math.ceil(limit / 25) * 25 : limit)),
  ],
  'limit-read-as-hexadecimal': [
    'limit is parsed in base 16: limit=10 returns 16 animals.',
    readGivenLimit((text, standard) =>
      standard.ok ? limitOf(Math.min(100, Number.parseInt(text, 16))) : standard,
    ),
  ],
  'limit-ignored-with-status': [
    'With status, limit is ignored and up to 100 animals are returned.',
    queryInstead((query, call) =>
      query.status !== undefined && queryValue(call, 'limit') !== null ? { ...query, limit: 100 } : query,
    ),
  ],
  'limit-behind-status-overlooked': [
    'The pattern for the query expects limit first: limit after status is ignored.',
    queryInstead((query, call) =>
      /status=.*&limit=/.test(call.url.search) ? { ...query, limit: 100 } : query,
    ),
  ],
});
