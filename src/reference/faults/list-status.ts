import type { Fault, Patch } from '../patch.ts';
import { replace, setStatus, together } from '../patches.ts';
import { isPetStatus } from '../pet.ts';
import { asked, failWhen, queryInstead, statusStaysOmitted } from './list-tools.ts';

/** Mistakes in the filter by status. */
export const listFilterFaults: readonly Fault[] = [
  {
    name: 'status-filter-ignored',
    requirement: 'LIST-6',
    companions: [],
    description: 'status is checked and then forgotten: animals of every status are returned.',
    patch: queryInstead((query) => ({ ...query, status: undefined })),
  },
  {
    name: 'status-filter-ignored-with-limit',
    requirement: 'LIST-6',
    companions: [],
    description: 'With limit, status is ignored.',
    patch: queryInstead((query, call) =>
      asked(call, 'limit') === null ? query : { ...query, status: undefined },
    ),
  },
  {
    name: 'status-filter-skipped-on-the-largest-page',
    requirement: 'LIST-6',
    companions: [],
    description: 'With limit=100 the page comes from a cache of all animals, whatever their status.',
    patch: queryInstead((query) => (query.limit === 100 ? { ...query, status: undefined } : query)),
  },
  {
    name: 'pending-lists-sold-too',
    requirement: 'LIST-6',
    companions: [],
    description: 'status=pending stands for everything that is not available, so sold animals come along.',
    patch: replace('select', (before) => (pets, query, call) => {
      if (query.status !== 'pending') return before(pets, query, call);
      const taken = [...pets].filter(({ status }) => status !== 'available');
      return before(taken, { ...query, status: undefined }, call);
    }),
  },
  {
    name: 'page-filled-up-with-others',
    requirement: 'LIST-6',
    companions: [],
    description: 'Where fewer animals than the limit have the status, the page is filled up with others.',
    patch: replace('select', (before) => (pets, query, call) => {
      const all = [...pets];
      const page = before(all, query, call);
      return [...page, ...all.filter((pet) => !page.includes(pet))].slice(0, query.limit);
    }),
  },
  {
    name: 'animals-without-status-listed-as-available',
    requirement: 'LIST-6',
    companions: [],
    description:
      'An animal created without a status has none, and is returned for status=available all the same.',
    patch: together(
      statusStaysOmitted,
      replace('select', (before) => (pets, query, call) => {
        if (query.status !== 'available') return before(pets, query, call);
        const taken = [...pets].filter(({ status }) => status === undefined || status === 'available');
        return before(taken, { ...query, status: undefined }, call);
      }),
    ),
  },
];

/** Fails with 500 for some values of `status`. */
const failFor = (fails: (status: string) => boolean): Patch =>
  failWhen('listPets', (call) => {
    const status = asked(call, 'status');
    return status !== null && fails(status);
  });

/** Mistakes with a `status` outside the enumeration. */
export const listUnknownStatusFaults: readonly Fault[] = [
  {
    name: 'unknown-status-fails',
    requirement: 'LIST-7',
    companions: ['GEN-4'],
    description: 'A word outside the enumeration throws where the enumeration is looked up: 500.',
    patch: failFor((status) => /^\w+$/.test(status) && !isPetStatus(status)),
  },
  {
    name: 'empty-status-fails',
    requirement: 'LIST-7',
    companions: ['GEN-4'],
    description: 'An empty status fails: 500.',
    patch: failFor((status) => status === ''),
  },
  {
    name: 'long-status-fails',
    requirement: 'LIST-7',
    companions: ['GEN-4'],
    description: 'A status longer than the column of the database (32 characters) fails: 500.',
    patch: failFor((status) => status.length > 32),
  },
  {
    name: 'quote-in-status-fails',
    requirement: 'LIST-7',
    companions: ['GEN-4'],
    description: 'A status with a quote ends the string in the query that it is pasted into: 500.',
    patch: failFor((status) => status.includes("'")),
  },
  {
    name: 'brace-in-status-fails',
    requirement: 'LIST-7',
    companions: ['GEN-4'],
    description: 'A message about an unknown status is made by a template that trips over braces in it: 500.',
    patch: failFor((status) => /[{}]/.test(status)),
  },
  {
    name: 'status-of-four-bytes-fails',
    requirement: 'LIST-7',
    companions: ['GEN-4'],
    description:
      'The database compares texts of three bytes a character: a status with an emoji is an error, 500.',
    patch: failFor((status) => /[\u{10000}-\u{10ffff}]/u.test(status)),
  },
  {
    name: 'unknown-status-with-limit-fails',
    requirement: 'LIST-7',
    companions: ['GEN-4'],
    description: 'With limit as well, a status outside the enumeration goes unchecked to the database: 500.',
    patch: failWhen('listPets', (call) => {
      const status = asked(call, 'status');
      return status !== null && !isPetStatus(status) && asked(call, 'limit') !== null;
    }),
  },
  {
    name: 'status-named-like-an-inherited-property-fails',
    requirement: 'LIST-7',
    companions: ['GEN-4'],
    description:
      'A status such as constructor is found among the properties that every object inherits: 500.',
    patch: failFor((status) => status in Object.prototype),
  },
  {
    name: 'status-given-twice-fails',
    requirement: 'LIST-7',
    companions: ['GEN-4'],
    description: 'Two statuses come as an array, of which a method of strings is called: 500.',
    patch: failWhen('listPets', (call) => call.url.searchParams.getAll('status').length > 1),
  },
  {
    name: 'status-as-an-array-fails',
    requirement: 'LIST-7',
    companions: ['GEN-4'],
    description: 'status[] comes as an array, and is handed to the database as if it were a string: 500.',
    patch: failWhen('listPets', (call) => call.url.searchParams.has('status[]')),
  },
  {
    name: 'unknown-status-answered-with-200',
    requirement: 'LIST-7',
    companions: ['LIST-1', 'GEN-3', 'ERR-2'],
    description: 'A status outside the enumeration gets an Error with the status 200.',
    patch: setStatus(200, {
      operation: 'listPets',
      status: 400,
      when: (_reply, call) => asked(call, 'status') !== null && asked(call, 'limit') === null,
    }),
  },
];
