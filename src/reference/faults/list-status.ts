import type { Patch } from '../patch.ts';
import { compose, replace } from '../patch-kit/core.ts';
import { statusByDefault } from '../patch-kit/creations.ts';
import { crashWhen } from '../patch-kit/failures.ts';
import { queryInstead, queryValue } from '../patch-kit/lists.ts';
import { setStatus } from '../patch-kit/responses.ts';
import { isPetStatus, type PetStatus } from '../pet.ts';
import { family } from './family.ts';

/** Lists animals of other statuses too if the query has this one. */
const listing = (wanted: PetStatus, isListed: (status: PetStatus | undefined) => boolean): Patch =>
  replace('select', (before) => (pets, query, call) => {
    if (query.status !== wanted) return before(pets, query, call);
    const listed = [...pets].filter(({ status }) => isListed(status));
    return before(listed, { ...query, status: undefined }, call);
  });

/** Mistakes in the filter by status. */
export const listFilterFaults = family('LIST-6', {
  'status-filter-ignored': [
    'The status filter is ignored.',
    queryInstead((query) => ({ ...query, status: undefined })),
  ],
  'status-filter-ignored-with-limit': [
    'The status filter is ignored if limit is sent.',
    queryInstead((query, call) =>
      queryValue(call, 'limit') === null ? query : { ...query, status: undefined },
    ),
  ],
  'encoded-status-lists-all': [
    'The server reads the query itself, and ignores a percent-encoded status.',
    queryInstead((query, { url }) =>
      /[?&]status=%[67]/.test(url.search) ? { ...query, status: undefined } : query,
    ),
  ],
  'status-filter-skipped-on-the-largest-page': [
    'limit=100 returns a cached page of all animals, of every status.',
    queryInstead((query) => (query.limit === 100 ? { ...query, status: undefined } : query)),
  ],
  'pending-lists-sold-too': [
    'status=pending selects all animals that are not available, sold ones too.',
    listing('pending', (status) => status !== 'available'),
  ],
  'page-filled-up-with-others': [
    'The server fills a page with animals of other statuses.',
    replace('select', (before) => (pets, query, call) => {
      const all = [...pets];
      const page = before(all, query, call);
      return [...page, ...all.filter((pet) => !page.includes(pet))].slice(0, query.limit);
    }),
  ],
  'animals-without-status-listed-as-available': [
    'An animal created without a status has none, but status=available returns it.',
    compose(
      statusByDefault(() => undefined),
      listing('available', (status) => status === undefined || status === 'available'),
    ),
  ],
});

/** Fails with 500 for some values of `status`. */
const failsOn = (when: (status: string) => boolean): Patch =>
  crashWhen('listPets', (call) => {
    const status = queryValue(call, 'status');
    return status !== null && when(status);
  });

/** Mistakes with a `status` outside the enumeration. */
export const listUnknownStatusFaults = family(
  'LIST-7',
  {
    'unknown-status-fails': [
      'The lookup of an unknown status in the enumeration throws: 500.',
      failsOn((status) => /^\w+$/.test(status) && !isPetStatus(status)),
    ],
    'empty-status-fails': ['An empty status fails: 500.', failsOn((status) => status === '')],
    'long-status-fails': [
      'A status of more than 32 characters overflows its column: 500.',
      failsOn((status) => status.length > 32),
    ],
    'quote-in-status-fails': [
      'The server pastes the status into SQL: a quote ends the string, 500.',
      failsOn((status) => status.includes("'")),
    ],
    'brace-in-status-fails': [
      'The template of the error message fails on braces in a status: 500.',
      failsOn((status) => /[{}]/.test(status)),
    ],
    'status-of-four-bytes-fails': [
      'The database compares three bytes for each character, and fails on an emoji: 500.',
      failsOn((status) => /[\u{10000}-\u{10ffff}]/u.test(status)),
    ],
    'unknown-status-with-limit-fails': [
      'With limit, an unknown status reaches the database unvalidated: 500.',
      crashWhen('listPets', (call) => {
        const status = queryValue(call, 'status');
        return status !== null && !isPetStatus(status) && queryValue(call, 'limit') !== null;
      }),
    ],
    'status-named-like-an-inherited-property-fails': [
      'The lookup of a status such as constructor finds an inherited property: 500.',
      failsOn((status) => status in Object.prototype),
    ],
    'status-given-twice-fails': [
      'A repeated status becomes an array, and the server calls a method of strings: 500.',
      crashWhen('listPets', ({ url }) => url.searchParams.getAll('status').length > 1),
    ],
    'status-as-an-array-fails': [
      'status[] becomes an array, and the database expects a string: 500.',
      crashWhen('listPets', ({ url }) => url.searchParams.has('status[]')),
    ],
    'unknown-status-answered-with-200': [
      'An unknown status gets an Error with the status 200.',
      setStatus(200, {
        operation: 'listPets',
        status: 400,
        when: (_reply, call) => queryValue(call, 'status') !== null && queryValue(call, 'limit') === null,
      }),
      { companions: ['LIST-1', 'GEN-3', 'ERR-2'] },
    ],
  },
  { companions: ['GEN-4'] },
);
