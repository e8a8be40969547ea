import fc from 'fast-check';
import { fewer } from '../src/generate/narrowing.ts';
import { brokenTexts, oddTexts } from '../src/generate/odd-texts.ts';
import { scalarValue } from '../src/generate/unusual-name.ts';
import type { JsonObject } from '../src/json/json.ts';
import { idOf, petOf } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import { getPet } from '../src/run/probes.ts';
import { createAnimal, existingAnimal } from './support/animals.ts';
import { getEventually, notFoundBreach, skipIfRemoved } from './support/available.ts';
import { nullIfEnded } from './support/ended.ts';

const int64 = { max: 2n ** 63n - 1n, min: -(2n ** 63n) };

/** An id as it stands, or one made of an existing id. */
type UnknownId = bigint | ((existing: bigint) => bigint);

const isInt64 = (id: bigint): boolean => id >= int64.min && id <= int64.max;

/** Ids that hold a shard, or a time, before a number may lie so far apart. */
const apart = 2n ** 32n;
const nextPart = (existing: bigint): bigint => existing + apart;
const isOfParts = (unknown: UnknownId): boolean => unknown === nextPart || unknown === apart + 1n;

export const unknownId: Check<UnknownId> = {
  name: 'GET-2 an unknown id gets 404',
  gives: ['GET-2'],
  phase: 'main',
  share: 0.08,
  examples: () => [
    8_999_999_999_999_999_999n,
    int64.max,
    int64.min,
    0n,
    -1n,
    2n ** 31n + 12_345_678n,
    2n ** 53n + 1n,
    (existing) => -existing,
    // To ask for an id must not make it known.
    8_999_999_999_999_999_999n,
    nextPart,
    apart + 1n,
  ],
  arbitrary: () =>
    fc
      .tuple(fc.bigInt({ min: 2n ** 40n, max: int64.max }), fc.constantFrom(1n, -1n))
      .map(([id, sign]) => id * sign),
  attempt: async (unknown, context) => {
    skipIfRemoved(context);
    // GET-2 means something only on a server that serves what exists.
    const existing = await nullIfEnded(existingAnimal(context));
    if (typeof unknown === 'function' && existing === null) return context.end('no animal exists');
    const id = typeof unknown === 'function' ? unknown(existing?.id ?? 0n) : unknown;
    if (!isInt64(id)) return context.end(`${id} is no int64`);
    if (context.fixtures.isSeenId(id)) return context.end(`the id ${id} exists`);
    const isHidden = isOfParts(unknown) || mayBeHidden(context, id);
    await context.send(
      getPet(id.toString(), {
        label: '',
        expects: [
          {
            requirement: 'GET-2',
            statuses: [404],
            because: 'no animal has that id',
            error: true,
            unless: (reading) =>
              context.fixtures.isCreatedId(id) || (isHidden && isFound(context, reading, id)),
          },
        ],
      }),
    );
  },
};

const isListedInPart = ({ fixtures }: CaseContext): boolean => !fixtures.listedWhole;

/** An animal with that very id, in a store of which more may be hidden: who takes an id for a shorter one answers with another's. */
const isFound = (context: CaseContext, reading: Reading, id: bigint): boolean => {
  const pet = reading.status === 200 ? petOf(reading) : null;
  return isListedInPart(context) && pet !== null && idOf(pet) === id;
};

/** By so much ids that are counted may lie apart. */
const counted = 1_000_000n;

const isNear = (a: bigint, b: bigint): boolean => a - b < counted && b - a < counted;

/**
 * Where the list was not seen whole, an id that counting may have given out can be that of an animal which no page has shown: near
 * those that one has, and near where stores begin to count, upwards or downwards.
 */
const mayBeHidden = (context: CaseContext, id: bigint): boolean => {
  if (!isListedInPart(context)) return false;
  const listed = context.fixtures.listedAtStart.map(idOf).filter((each) => each !== null);
  return [0n, int64.max, int64.min, ...listed].some((each) => isNear(id, each));
};

interface IdText {
  readonly label: string;
  /** What is sent, percent-encoded; `ID` stands for an existing id. */
  readonly text: string;
  /** Some parsers take it for an integer, with reason: only a failure is judged. */
  readonly disputed?: true;
}

/** In place of odd texts that some parsers take for 1, 3 or 1000, which not every store has for ids. */
const madeOfExisting: ReadonlyMap<string, IdText> = new Map([
  ['a full-width digit', { label: 'an existing id in full-width digits', text: 'WIDE' }],
  ['an Arabic-Indic digit', { label: 'an existing id in Arabic-Indic digits', text: 'ARABIC' }],
  ['digits grouped by a comma', { label: 'an existing id behind 0 and a comma', text: '0%2CID' }],
  ['digits grouped by an underscore', { label: 'an existing id behind 0 and an underscore', text: '0_ID' }],
  ['a digit, then NUL', { label: 'an existing id, then NUL', text: 'ID%00' }],
  ['minus twenty nines', { label: 'an existing id minus 2^64', text: 'BELOW' }],
  ['SQL', { label: 'an existing id, then a line of letters', text: 'ID%0Aabc' }],
]);

const notInt64: readonly IdText[] = [
  { label: 'an existing id, then a hyphen and letters', text: 'ID-abc' },
  { label: 'an existing id with a fraction', text: 'ID.5' },
  { label: 'an existing id as an exponent', text: 'IDe0' },
  { label: 'an existing id in hexadecimal', text: '0xHEX' },
  { label: 'an existing id, then marks', text: 'ID%27%22%25%3B%3A%3C%7B%5B(*' },
  { label: 'an existing id, then SQL', text: 'ID%20OR%201%3D1' },
  { label: 'an existing id plus 2^64', text: 'WRAPPED' },
  { label: 'two existing ids', text: 'ID%2CID' },
  { label: '2^63', text: '9223372036854775808' },
  { label: 'less than -2^63', text: '-9223372036854775809' },
  { label: '2^64', text: '18446744073709551616' },
  { label: '10^30', text: '1000000000000000000000000000000' },
  { label: 'a plus sign', text: '%2BID', disputed: true },
  { label: 'leading zeros', text: '000ID', disputed: true },
  { label: 'a space before', text: '%20ID' },
  { label: 'a fraction of zero', text: 'ID.0', disputed: true },
  ...[...oddTexts, ...brokenTexts]
    .filter(({ text }) => text !== '' && !text.startsWith('..'))
    .map((odd) => madeOfExisting.get(odd.label) ?? odd),
  { label: 'a property that every object has', text: 'constructor' },
];

/** Texts that could be read as an int64 that exists would prove nothing. */
const fill = (text: string, id: bigint): string =>
  text
    .replaceAll('ID', id.toString())
    .replace('HEX', id.toString(16))
    .replace('WRAPPED', (id + 2n ** 64n).toString())
    .replace('BELOW', (id - 2n ** 64n).toString())
    .replace('WIDE', () => encodeURIComponent(inDigitsFrom(0xff10, id)))
    .replace('ARABIC', () => encodeURIComponent(inDigitsFrom(0x0660, id)));

/** Written in the digits of a script whose 0 stands there. */
const inDigitsFrom = (zero: number, id: bigint): string =>
  id.toString().replaceAll(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));

/** Texts without a digit of any script. */
const anyText: fc.Arbitrary<IdText> = fc
  .string({ unit: scalarValue, minLength: 1, maxLength: 12 })
  .filter((text) => text.isWellFormed() && !/\d|^\.+$/u.test(text) && !/\p{Nd}/u.test(text))
  .map((text) => ({ label: 'generated', text: encodeURIComponent(text) }));

/** Several marks behind an id. */
const marks = /^ID(?:%[0-9A-F]{2}|[!'()*])+$/;

const smallerMarks = ({ text }: IdText): Iterable<IdText> =>
  marks.test(text)
    ? fewer([...decodeURIComponent(text.slice('ID'.length))]).map((some) => ({
        label: `an existing id, then ${some.join('')}`,
        text: `ID${encodeURIComponent(some.join(''))}`,
      }))
    : [];

export const noInt64: Check<IdText> = {
  name: 'GET-3 a petId that is no int64 gets a 4xx with an Error',
  gives: ['GET-3'],
  phase: 'main',
  share: 0.08,
  examples: () => notInt64,
  arbitrary: () => anyText,
  smaller: smallerMarks,
  attempt: async ({ label, text, disputed }, context) => {
    skipIfRemoved(context);
    const { id } = await existingAnimal(context);
    const requirement = 'GET-3';
    const because = 'petId is no int64';
    await context.send(
      getPet(fill(text, id), {
        space: 'outside',
        label: `(${label})`,
        expects: disputed === true ? [] : [{ requirement, statuses: ['4xx'], because, error: true }],
      }),
    );
  },
};

/** How often newer animals are followed to the newest. */
const maxFollow = 6;

/** The answer for an id so far behind another; where it is that of a newer animal, for the id so far behind that one. */
const getAfter = async (
  context: CaseContext,
  id: bigint,
  distance: bigint,
  left = maxFollow,
): Promise<{ readonly asked: bigint; readonly reading: Reading; readonly served: JsonObject | null }> => {
  const asked = id + distance;
  if (asked > int64.max) return context.end('no int64 is larger');
  const reading = await context.send(getPet(asked.toString()));
  const served = petOf(reading);
  const isNewer = served !== null && idOf(served) === asked;
  return isNewer && left > 1
    ? getAfter(context, asked, distance, left - 1)
    : { asked, reading, served: isNewer ? null : served };
};

/** The id behind an animal's is unknown, or that of a newer one. Gives the id that was asked for last. */
const checkIdAfter = async (context: CaseContext, id: bigint, distance: bigint): Promise<bigint> => {
  const { asked, reading, served } = await getAfter(context, id, distance);
  if (reading.status === 404) context.met('GET-2');
  if (reading.status !== 200 || served === null) return asked;
  context.breach({
    requirement: 'GET-2',
    rule: 'another animal',
    message: `GET /pets/${asked} is answered with an animal of another id.`,
    expected: `status 404, or the animal ${asked}`,
    actual: `the animal ${idOf(served)}`,
    exchange: reading.exchange,
  });
  return asked;
};

/**
 * Ids right behind that of an animal just created, where stores that count are off by one. Others may create meanwhile. An id that is
 * given out once it was asked for must be known from then on.
 */
const nextId: Check<null> = {
  name: 'GET-2 the ids behind the newest are unknown, or those of newer animals',
  gives: ['GET-1', 'GET-2'],
  // When least is created.
  phase: 'late',
  cost: 5,
  examples: () => [null],
  attempt: async (_, context) => {
    if (context.fixtures.removal() !== 'before') return context.end('getPet is removed');
    const asked = await checkIdAfter(context, (await createAnimal(context)).id, 1n);
    const next = await createAnimal(context);
    // Another check may have been faster.
    const given = [next, ...context.fixtures.created()].find(({ id }) => id === asked);
    if (given !== undefined) {
      const reading = await getEventually(context, given);
      if (reading.status === 404)
        notFoundBreach(context, given, reading, 'created after its id had been asked for');
    }
    await checkIdAfter(context, next.id, 2n);
  },
};

export const nextIds: readonly Check<unknown>[] = [anyCase(nextId)];
