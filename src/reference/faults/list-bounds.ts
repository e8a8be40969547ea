import type { Patch } from '../patch.ts';
import { handle, replace } from '../patch-kit/core.ts';
import { crashWhen, failWith, respondWhen } from '../patch-kit/failures.ts';
import { limitOf, queryValue, readGivenLimit } from '../patch-kit/lists.ts';
import { refuseAs, setStatus } from '../patch-kit/responses.ts';
import { isPetStatus } from '../pet.ts';
import { family } from './family.ts';

/** Refuses some of the limits from 1 to 100. */
const refuse = (isRefused: (limit: number) => boolean): Patch =>
  readGivenLimit((_text, standard) =>
    standard.ok && isRefused(standard.value) ? { ok: false, message: 'limit is out of range' } : standard,
  );

/** Mistakes that refuse a valid `limit`. */
export const listRefusalFaults = family(
  'LIST-4',
  {
    'limit-of-one-hundred-refused': [
      'limit=100 is refused: the upper bound is exclusive.',
      refuse((limit) => limit >= 100),
    ],
    'limit-of-one-refused': [
      'limit=1 is refused: the lower bound is exclusive.',
      refuse((limit) => limit <= 1),
    ],
    'limit-of-fifty-refused': [
      'limit=50 is refused: it is neither a small page (below 50) nor a large one (above 50).',
      refuse((limit) => limit === 50),
    ],
    'limits-from-91-to-99-refused': [
      'The pattern for limit lacks 91 to 99.',
      refuse((limit) => limit > 90 && limit < 100),
    ],
    'page-sizes-enumerated': [
      'The server accepts only the page sizes of the dashboard: 1, 10, 20, 25, 50, and 100.',
      refuse((limit) => ![1, 10, 20, 25, 50, 100].includes(limit)),
    ],
    'limit-refused-together-with-status': [
      'limit and status together get 400.',
      respondWhen(
        'listPets',
        (call) => queryValue(call, 'limit') !== null && queryValue(call, 'status') !== null,
        refuseAs('invalid-parameter'),
      ),
    ],
    'limit-not-decoded': [
      'The server reads the query itself, and refuses a percent-encoded limit.',
      respondWhen(
        'listPets',
        ({ url }) => /[?&]limit=\d*%3\d/.test(url.search),
        refuseAs('invalid-parameter'),
      ),
    ],
    'status-not-decoded': [
      'The server reads the query itself, and refuses a percent-encoded status.',
      respondWhen(
        'listPets',
        ({ url }) => /[?&]status=%[67]/.test(url.search),
        refuseAs('invalid-parameter'),
      ),
      { requirement: 'LIST-1', companions: ['GEN-1'] },
    ],
    'limit-beyond-the-store-fails': [
      'A limit greater than the number of animals reads past the end: 500.',
      handle('listPets', async (call, before) => {
        const reply = await before(call);
        const limit = queryValue(call, 'limit');
        const isBeyond = limit !== null && Number(limit) > call.state.pets.length;
        return reply.status === 200 && isBeyond ? failWith('crash') : reply;
      }),
      { companions: ['GEN-1', 'GEN-4', 'LIST-1'] },
    ],
  },
  { companions: ['GEN-1', 'LIST-1'] },
);

const unlimited = limitOf(Number.POSITIVE_INFINITY);

/** Lists the whole store for some texts of `limit`. */
const allFor = (when: (text: string) => boolean): Patch =>
  readGivenLimit((text, standard) => (when(text) ? unlimited : standard));

/** Mistakes that list animals for a `limit` below 1, above 100, or not an integer. */
const listedFaults = family('LIST-5', {
  'limit-without-maximum': [
    'limit has no maximum: limit=1000 returns up to 1000 animals.',
    readGivenLimit((text, standard) => (/^[1-9]\d*$/.test(text) ? limitOf(Number(text)) : standard)),
  ],
  'limit-of-zero-means-all': [
    'limit=0 is falsy and returns the whole store.',
    allFor((text) => text === '0'),
  ],
  'limit-of-minus-one-means-all': [
    'limit=-1 means no limit, and returns the whole store.',
    allFor((text) => text === '-1'),
  ],
  'first-limit-checked-and-last-applied': [
    'The server validates the first of two limits, and applies the last.',
    replace('readLimit', (before) => (values) => {
      const first = before(values.slice(0, 1));
      return first.ok && values.length > 1 ? limitOf(Number(values.at(-1))) : first;
    }),
  ],
  'limit-in-words-means-all': [
    'A limit that is not a number becomes NaN, and no page is longer than that: the whole store.',
    allFor((text) => Number.isNaN(Number(text))),
  ],
  'limit-checked-by-parse-int-and-read-by-number': [
    'The server validates parseInt(limit) and applies Number(limit): limit=1e3 returns 1000.',
    readGivenLimit((text, standard) => {
      const checked = Number.parseInt(text, 10);
      return checked >= 1 && checked <= 100 ? limitOf(Number(text)) : standard;
    }),
  ],
});

/** Fails with 500 for some texts of `limit`. */
const failsOn = (when: (text: string) => boolean): Patch =>
  crashWhen('listPets', (call) => {
    const text = queryValue(call, 'limit');
    return text !== null && when(text);
  });

/** Mistakes that fail for a `limit` below 1, above 100, or not an integer. */
const failingFaults = family(
  'LIST-5',
  {
    'negative-limit-fails': [
      'A negative limit reaches the database, which refuses it: 500.',
      failsOn((text) => /^-\d+$/.test(text)),
    ],
    'limit-beyond-int32-fails': [
      'A limit beyond 32 bits overflows: 500.',
      failsOn((text) => /^\d+$/.test(text) && BigInt(text) >= 2n ** 31n),
    ],
    'fractional-limit-fails': [
      'A fractional limit is not a slice bound: 500.',
      failsOn((text) => /^\d+\.\d+$/.test(text)),
    ],
    'superscript-limit-fails': [
      'A superscript digit passes as a digit, but cannot be parsed: 500.',
      failsOn((text) => /^[\u00b2\u00b3\u00b9]$/.test(text)),
    ],
    'largest-int64-as-limit-fails': [
      'offset + limit overflows for limit=9223372036854775807: 500.',
      failsOn((text) => text === '9223372036854775807'),
    ],
    'limit-out-of-range-with-status-fails': [
      'With status, a limit out of range reaches the database unvalidated: 500.',
      crashWhen('listPets', (call) => {
        const limit = call.parts.readLimit(call.url.searchParams.getAll('limit'));
        return !limit.ok && isPetStatus(queryValue(call, 'status') ?? undefined);
      }),
    ],
    'limit-out-of-range-answered-with-200': [
      'A limit out of range gets an Error with the status 200.',
      setStatus(200, {
        operation: 'listPets',
        status: 400,
        when: (_reply, call) => queryValue(call, 'limit') !== null && queryValue(call, 'status') === null,
      }),
      { companions: ['LIST-1', 'GEN-3', 'ERR-2'] },
    ],
  },
  { companions: ['GEN-4'] },
);

export const listOutOfRangeFaults = [...listedFaults, ...failingFaults];
