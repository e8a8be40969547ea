import { isMalformed } from '../malformed-path.ts';
import type { Call } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { around } from '../patches.ts';
import { failOn, htmlPage } from './gen-answers.ts';

const limits = ({ url }: Call): readonly string[] => url.searchParams.getAll('limit');
const status = ({ url }: Call): string | null => url.searchParams.get('status');
const petId = ({ route }: Call): string => (route.operation === 'getPet' ? route.petId : '');
const integer = (text: string): bigint | null => (/^-?\d+$/.test(text) ? BigInt(text) : null);

const failing = (name: string, description: string, companions: readonly string[], patch: Patch): Fault => ({
  name,
  requirement: 'GEN-4',
  companions,
  description,
  patch,
});

/** An unknown id is within the documented input space. */
const unknownId = ['GEN-1', 'GET-2'];

/** Mistakes with odd paths and queries: inputs on which the server fails. */
export const parameterCrashFaults: readonly Fault[] = [
  failing(
    'limit-zero-crashes',
    'The number of pages is computed with limit=0: a division by zero, 500.',
    ['LIST-5'],
    failOn('listPets', (call) => limits(call)[0] === '0'),
  ),
  failing(
    'negative-limit-crashes',
    'A negative limit reaches the database, which refuses it: 500.',
    ['LIST-5'],
    failOn('listPets', (call) => /^-\d+$/.test(limits(call)[0] ?? '')),
  ),
  failing(
    'worded-limit-crashes',
    'A limit that is no number becomes NaN in the query to the database: 500.',
    ['LIST-5'],
    failOn('listPets', (call) => limits(call).some((limit) => Number.isNaN(Number(limit)))),
  ),
  failing(
    'empty-limit-crashes',
    'limit= with nothing after it is parsed as an integer: 500.',
    ['LIST-5'],
    failOn('listPets', (call) => limits(call)[0] === ''),
  ),
  failing(
    'huge-limit-crashes',
    'A limit beyond 64 bits overflows the parser of integers: 500.',
    ['LIST-5'],
    failOn('listPets', (call) => (integer(limits(call)[0] ?? '') ?? 0n) >= 2n ** 63n),
  ),
  failing(
    'repeated-limit-crashes',
    'A limit that is given twice becomes an array, which has no such method: 500.',
    ['LIST-5'],
    failOn('listPets', (call) => limits(call).length > 1),
  ),
  failing(
    'parameter-without-a-value-crashes',
    'Where no = stands behind a parameter, its value is null, and null has no such method: 500.',
    [],
    failOn('listPets', ({ url }) => /[?&](limit|status)(&|$)/.test(url.search)),
  ),
  failing(
    'limit-as-an-object-crashes',
    'limit[gte] makes limit an object, which is no number to the database: 500.',
    [],
    failOn('listPets', ({ url }) => [...url.searchParams.keys()].some((key) => /^limit\[\w+\]$/.test(key))),
  ),
  failing(
    'empty-status-crashes',
    'status= with nothing after it makes the conversion throw: 500.',
    ['LIST-7'],
    failOn('listPets', (call) => status(call) === ''),
  ),
  failing(
    'long-query-crashes',
    'The access log has room for a query of 2,000 characters: a longer one is an error, 500.',
    ['LIST-5', 'LIST-7'],
    failOn('listPets', ({ url }) => url.search.length > 2_000),
  ),
  failing(
    'offset-that-is-no-offset-crashes',
    'Lists take an offset that no document shows: the database refuses one that is negative or no number, 500.',
    [],
    failOn('listPets', ({ url }) => !(Number(url.searchParams.get('offset') ?? 0) >= 0)),
  ),
  failing(
    'worded-id-crashes',
    'A petId that is no number makes the conversion throw: 500.',
    ['GET-3'],
    failOn('getPet', (call) => integer(petId(call)) === null),
  ),
  failing(
    'huge-id-crashes',
    'A petId beyond 64 bits overflows the parser of integers: 500.',
    ['GET-3'],
    failOn(
      'getPet',
      (call) => BigInt.asIntN(64, integer(petId(call)) ?? 0n) !== (integer(petId(call)) ?? 0n),
    ),
  ),
  failing(
    'id-beyond-int32-crashes',
    'The column of ids has 32 bits: the database refuses a petId beyond 2^31 with an error, 500.',
    [...unknownId, 'GET-3'],
    failOn(
      'getPet',
      (call) => BigInt.asIntN(32, integer(petId(call)) ?? 0n) !== (integer(petId(call)) ?? 0n),
    ),
  ),
  failing(
    'quote-in-id-crashes',
    'petId is pasted into SQL: an apostrophe is a syntax error, 500.',
    ['GET-3'],
    failOn('getPet', (call) => petId(call).includes("'")),
  ),
  failing(
    'nul-in-id-drops-the-connection',
    'A NUL in the path ends the worker that reads it.',
    ['GET-3'],
    failOn('getPet', (call) => petId(call).includes('\0'), 'drop'),
  ),
  failing(
    'id-zero-hangs',
    'petId 0 is falsy, so that the lookup waits for an id that never comes.',
    unknownId,
    failOn('getPet', (call) => integer(petId(call)) === 0n, 'hang'),
  ),
  failing(
    'hundred-digits-hang',
    'A backtracking pattern checks petId: hundreds of digits take it a minute.',
    ['GET-3'],
    failOn('getPet', (call) => petId(call).length >= 300, 'hang'),
  ),
  failing(
    'malformed-percent-crashes',
    'Malformed percent-encoding in a path makes the router throw: an HTML page with 500, before all else.',
    ['GET-3', 'AUTH-4'],
    around(async ({ url }, next) =>
      isMalformed(url.pathname) ? htmlPage(500, 'URIError: URI malformed') : next(),
    ),
  ),
];
