import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { respondInFront } from '../patch-kit/core.ts';
import { type Failure, failOn } from '../patch-kit/failures.ts';
import { authorization } from '../patch-kit/keys.ts';
import { queryValue } from '../patch-kit/lists.ts';
import { isMalformedPath, petIdOf } from '../patch-kit/paths.ts';
import { htmlPage } from '../patch-kit/responses.ts';
import { family } from './family.ts';

const integer = (text: string): bigint => (/^-?\d+$/.test(text) ? BigInt(text) : 0n);
const isBeyond = (bits: number, text: string): boolean =>
  BigInt.asIntN(bits, integer(text)) !== integer(text);

/** The server fails on some lists, by all their limits or the first, or on some values of petId. */
const crash = {
  list: (when: (call: Call) => boolean): Patch => failOn('listPets', when),
  limits: (when: (limits: readonly string[]) => boolean): Patch =>
    crash.list(({ url }) => when(url.searchParams.getAll('limit'))),
  limit: (when: (limit: string | undefined) => boolean): Patch => crash.limits(([limit]) => when(limit)),
  petId: (when: (petId: string) => boolean, failure?: Failure): Patch =>
    failOn('getPet', (call) => when(petIdOf(call)), failure),
};

const limitFaults = family(
  'GEN-4',
  {
    'limit-zero-crashes': ['The server divides by limit=0: 500.', crash.limit((limit) => limit === '0')],
    'negative-limit-crashes': [
      'A negative limit reaches the database, which refuses it: 500.',
      crash.limit((limit) => /^-\d+$/.test(limit ?? '')),
    ],
    'worded-limit-crashes': [
      'A limit that is not a number becomes NaN in the query to the database: 500.',
      crash.limits((limits) => limits.some((limit) => Number.isNaN(Number(limit)))),
    ],
    'empty-limit-crashes': [
      'The server parses an empty limit as an integer: 500.',
      crash.limit((limit) => limit === ''),
    ],
    'huge-limit-crashes': [
      'A limit beyond 64 bits overflows the integer parser: 500.',
      crash.limit((limit = '') => integer(limit) >= 2n ** 63n),
    ],
    'repeated-limit-crashes': [
      'A repeated limit becomes an array, and the server calls a method of strings: 500.',
      crash.limits((limits) => limits.length > 1),
    ],
  },
  { companions: ['LIST-5'] },
);

/** An unusual header. */
const headerFaults = family('GEN-4', {
  'two-spaces-before-the-key-crash': [
    'The server checks the trimmed key, and looks its limit up by the text with a second space: 500.',
    failOn('listPets', (call) => /^bearer {2}/i.test(authorization(call) ?? '')),
  ],
});

const queryFaults = family('GEN-4', {
  'parameter-without-a-value-crashes': [
    'A parameter without = has the value null, and the server calls a method of strings: 500.',
    crash.list(({ url }) => /[?&](limit|status)(&|$)/.test(url.search)),
  ],
  'limit-as-an-object-crashes': [
    'limit[gte] makes limit an object, which is not a number for the database: 500.',
    crash.list(({ url }) => [...url.searchParams.keys()].some((key) => /^limit\[\w+\]$/.test(key))),
  ],
  'empty-status-crashes': [
    'The conversion of an empty status throws: 500.',
    crash.list((call) => queryValue(call, 'status') === ''),
    { companions: ['LIST-7'] },
  ],
  'long-query-crashes': [
    'A query of more than 2,000 characters overflows the access log: 500.',
    crash.list(({ url }) => url.search.length > 2_000),
    { companions: ['LIST-5', 'LIST-7'] },
  ],
  'offset-that-is-no-offset-crashes': [
    'The database refuses an undocumented offset that is negative or not a number: 500.',
    crash.list(({ url }) => !(Number(url.searchParams.get('offset') ?? 0) >= 0)),
  ],
});

/** An unknown id is a documented input. */
const unknownId = ['GEN-1', 'GET-2'];

const petIdFaults = family(
  'GEN-4',
  {
    'worded-id-crashes': [
      'The conversion of a petId that is not a number throws: 500.',
      crash.petId((id) => !/^-?\d+$/.test(id)),
    ],
    'huge-id-crashes': [
      'A petId beyond 64 bits overflows the integer parser: 500.',
      crash.petId((id) => isBeyond(64, id)),
    ],
    'id-beyond-int32-crashes': [
      'The column of ids has 32 bits: the database refuses a petId beyond 2^31, 500.',
      crash.petId((id) => isBeyond(32, id)),
      { companions: [...unknownId, 'GET-3'] },
    ],
    'quote-in-id-crashes': [
      'The server pastes petId into SQL: an apostrophe is a syntax error, 500.',
      crash.petId((id) => id.includes("'")),
    ],
    'nul-in-id-drops-the-connection': [
      'A NUL in the path ends the worker that reads it.',
      crash.petId((id) => id.includes('\0'), 'drop'),
    ],
    'id-zero-hangs': [
      'petId 0 is falsy, and the lookup waits for an id.',
      crash.petId((id) => /^-?0+$/.test(id), 'hang'),
      { companions: unknownId },
    ],
    'hundred-digits-hang': [
      'A backtracking pattern takes a minute for a petId of hundreds of digits.',
      crash.petId((id) => id.length >= 300, 'hang'),
    ],
    'found-animals-hang': [
      'getPet forgets to end the response with an animal.',
      failOn('getPet', (call) => call.state.petsById.has(integer(petIdOf(call))), 'hang'),
    ],
    'malformed-percent-crashes': [
      'The router throws on malformed percent-encoding, before the key is checked: an HTML page with 500.',
      respondInFront((call) => (isMalformedPath(call) ? htmlPage(500, 'URIError: URI malformed') : null)),
      { companions: ['GET-3', 'AUTH-4'] },
    ],
  },
  { companions: ['GET-3'] },
);

/** Mistakes with unusual paths and queries: inputs on which the server fails. */
export const parameterCrashFaults = [...headerFaults, ...limitFaults, ...queryFaults, ...petIdFaults];
