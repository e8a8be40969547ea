import type { Fault, Patch } from '../patch.ts';
import { handle, replace, setStatus } from '../patches.ts';
import { isPetStatus } from '../pet.ts';
import { asked, errorPage, failWhen, limitOf, readGivenLimit } from './list-tools.ts';

/** Refuses some of the limits from 1 to 100. */
const refuse = (refused: (limit: number) => boolean): Patch =>
  readGivenLimit((_text, standard) =>
    standard.ok && refused(standard.value) ? { ok: false, message: 'limit is out of range' } : standard,
  );

/** Mistakes that refuse a valid `limit`. */
export const listRefusalFaults: readonly Fault[] = [
  {
    name: 'limit-of-one-hundred-refused',
    requirement: 'LIST-4',
    companions: ['GEN-1', 'LIST-1'],
    description: 'limit=100 is refused: the upper bound is taken for exclusive.',
    patch: refuse((limit) => limit >= 100),
  },
  {
    name: 'limit-of-one-refused',
    requirement: 'LIST-4',
    companions: ['GEN-1', 'LIST-1'],
    description: 'limit=1 is refused: the lower bound is taken for exclusive.',
    patch: refuse((limit) => limit <= 1),
  },
  {
    name: 'limit-of-fifty-refused',
    requirement: 'LIST-4',
    companions: ['GEN-1', 'LIST-1'],
    description: 'limit=50 falls between small pages (below 50) and large ones (above 50), and is refused.',
    patch: refuse((limit) => limit === 50),
  },
  {
    name: 'limits-from-91-to-99-refused',
    requirement: 'LIST-4',
    companions: ['GEN-1', 'LIST-1'],
    description: 'The pattern that limit must match forgets 91 to 99.',
    patch: refuse((limit) => !/^([1-9]|[1-8][0-9]|90|100)$/.test(String(limit))),
  },
  {
    name: 'page-sizes-enumerated',
    requirement: 'LIST-4',
    companions: ['GEN-1', 'LIST-1'],
    description: 'Only the page sizes of the dashboard are accepted: 1, 10, 20, 25, 50 and 100.',
    patch: refuse((limit) => ![1, 10, 20, 25, 50, 100].includes(limit)),
  },
  {
    name: 'limit-refused-together-with-status',
    requirement: 'LIST-4',
    companions: ['GEN-1', 'LIST-1'],
    description: 'limit and status together are refused with 400.',
    patch: handle('listPets', (call, before) =>
      asked(call, 'limit') !== null && asked(call, 'status') !== null
        ? call.parts.fail('invalid-parameter', call)
        : before(call),
    ),
  },
  {
    name: 'limit-beyond-the-store-fails',
    requirement: 'LIST-4',
    companions: ['GEN-1', 'GEN-4', 'LIST-1'],
    description: 'A limit greater than the number of animals reads past the end: 500.',
    patch: handle('listPets', async (call, before) => {
      const reply = await before(call);
      const limit = asked(call, 'limit');
      return reply.status === 200 && limit !== null && Number(limit) > call.world.pets.length
        ? errorPage
        : reply;
    }),
  },
];

const unlimited = limitOf(Number.POSITIVE_INFINITY);

/** Fails with 500 for some texts of `limit`. */
const failFor = (fails: (text: string) => boolean): Patch =>
  failWhen('listPets', (call) => {
    const text = asked(call, 'limit');
    return text !== null && fails(text);
  });

/** Mistakes with a `limit` below 1, above 100 or not an integer. */
export const listOutOfRangeFaults: readonly Fault[] = [
  {
    name: 'limit-without-maximum',
    requirement: 'LIST-5',
    companions: [],
    description: 'A limit above 100 is honoured: limit=1000 returns up to 1000 animals.',
    patch: readGivenLimit((text, standard) => (/^[1-9]\d*$/.test(text) ? limitOf(Number(text)) : standard)),
  },
  {
    name: 'limit-of-zero-means-all',
    requirement: 'LIST-5',
    companions: [],
    description: 'limit=0 is falsy and returns the whole store.',
    patch: readGivenLimit((text, standard) => (text === '0' ? unlimited : standard)),
  },
  {
    name: 'limit-of-minus-one-means-all',
    requirement: 'LIST-5',
    companions: [],
    description: 'limit=-1 stands for no limit, and returns the whole store.',
    patch: readGivenLimit((text, standard) => (text === '-1' ? unlimited : standard)),
  },
  {
    name: 'first-limit-checked-and-last-applied',
    requirement: 'LIST-5',
    companions: [],
    description: 'Of two limits the first is held against the bounds, and the last is applied.',
    patch: replace('readLimit', (before) => (values) => {
      const first = before(values.slice(0, 1));
      return first.ok && values.length > 1 ? limitOf(Number(values.at(-1))) : first;
    }),
  },
  {
    name: 'limit-in-words-means-all',
    requirement: 'LIST-5',
    companions: [],
    description:
      'A limit that is no number becomes NaN, and no page is ever longer than that: the whole store.',
    patch: readGivenLimit((text, standard) => (Number.isNaN(Number(text)) ? unlimited : standard)),
  },
  {
    name: 'limit-checked-by-parse-int-and-read-by-number',
    requirement: 'LIST-5',
    companions: [],
    description:
      'The bounds are checked on what parseInt reads and applied to what Number reads: limit=1e3 returns 1000.',
    patch: readGivenLimit((text, standard) => {
      const checked = Number.parseInt(text, 10);
      return checked >= 1 && checked <= 100 ? limitOf(Number(text)) : standard;
    }),
  },
  {
    name: 'negative-limit-fails',
    requirement: 'LIST-5',
    companions: ['GEN-4'],
    description: 'A negative limit reaches the database, which refuses it: 500.',
    patch: failFor((text) => /^-\d+$/.test(text)),
  },
  {
    name: 'limit-beyond-int32-fails',
    requirement: 'LIST-5',
    companions: ['GEN-4'],
    description: 'A limit beyond 32 bits overflows: 500.',
    patch: failFor((text) => /^\d+$/.test(text) && BigInt(text) >= 2n ** 31n),
  },
  {
    name: 'fractional-limit-fails',
    requirement: 'LIST-5',
    companions: ['GEN-4'],
    description: 'A limit with a fraction is no slice bound: 500.',
    patch: failFor((text) => /^\d+\.\d+$/.test(text)),
  },
  {
    name: 'superscript-limit-fails',
    requirement: 'LIST-5',
    companions: ['GEN-4'],
    description: 'A limit of a superscript digit passes for a digit, and is none that can be read: 500.',
    patch: failFor((text) => /^[\u00b2\u00b3\u00b9]$/.test(text)),
  },
  {
    name: 'largest-int64-as-limit-fails',
    requirement: 'LIST-5',
    companions: ['GEN-4'],
    description: 'The end of the page is offset plus limit: 9223372036854775807 overflows, 500.',
    patch: failFor((text) => text === '9223372036854775807'),
  },
  {
    name: 'limit-out-of-range-with-status-fails',
    requirement: 'LIST-5',
    companions: ['GEN-4'],
    description: 'The query by status checks no limit, and the database refuses what is out of range: 500.',
    patch: failWhen('listPets', (call) => {
      const limit = call.parts.readLimit(call.url.searchParams.getAll('limit'));
      return !limit.ok && isPetStatus(asked(call, 'status') ?? undefined);
    }),
  },
  {
    name: 'limit-out-of-range-answered-with-200',
    requirement: 'LIST-5',
    companions: ['LIST-1', 'GEN-3', 'ERR-2'],
    description: 'A limit out of range gets an Error with the status 200.',
    patch: setStatus(200, {
      operation: 'listPets',
      status: 400,
      when: (_reply, call) => asked(call, 'limit') !== null && asked(call, 'status') === null,
    }),
  },
];
