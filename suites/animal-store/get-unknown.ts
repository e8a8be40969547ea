import fc from 'fast-check';
import { nullIfEnded } from '../../src/check/case-skipped.ts';
import {
  type ApiResponse,
  type Check,
  type CheckContext,
  core,
  defineCheck,
  getPet,
  type Inputs,
  type JsonObject,
  smoke,
} from '../../src/check/index.ts';
import { idOf, petOf } from '../../src/check/pets.ts';
import { dropParts, invalidTexts, malformedTexts } from '../../src/check/schemas.ts';
import { scalarValue } from '../inputs/unusual-name.ts';
import { createAnimal, existingAnimal } from './support/animals.ts';
import { getEventually, notFoundBreach, skipIfRemoved } from './support/available.ts';
import { coreNamed } from './support/tiers.ts';

const int64 = { max: 2n ** 63n - 1n, min: -(2n ** 63n) };

/** An id, or a function of an existing id. */
type UnknownId = bigint | ((existing: bigint) => bigint);

const isInt64 = (id: bigint): boolean => id >= int64.min && id <= int64.max;

/** Ids that contain a shard or a time before a counter may be this far apart. */
const apart = 2n ** 32n;
const nextPart = (existing: bigint): bigint => existing + apart;
const isOfParts = (unknown: UnknownId): boolean => unknown === nextPart || unknown === apart + 1n;
/** An id without its last digit. Any client may have created an animal with it. */
const beginning = (existing: bigint): bigint => existing / 10n;

export const unknownId = defineCheck<UnknownId>({
  id: 'get-2-unknown-id',
  title: 'an unknown id gets 404',
  requirement: 'GET-2',
  share: 0.04,
  inputs: () => [
    smoke(8_999_999_999_999_999_999n),
    int64.max,
    int64.min,
    core(0n),
    -1n,
    2n ** 31n + 12_345_678n,
    2n ** 53n + 1n,
    core((existing: bigint) => -existing),
    // A store that compares ids as text may find the animal by the beginning of its id.
    beginning,
    // A request for an id must not make it known.
    core(8_999_999_999_999_999_999n),
    core(nextPart),
    apart + 1n,
  ],
  arbitrary: () =>
    fc
      .tuple(fc.bigInt({ min: 2n ** 40n, max: int64.max }), fc.constantFrom(1n, -1n))
      .map(([id, sign]) => id * sign),
  run: async (unknown, context) => {
    skipIfRemoved(context);
    // GET-2 is meaningful only if existing animals are served.
    const existing = await nullIfEnded(existingAnimal(context));
    if (typeof unknown === 'function' && existing === null)
      return context.skipCase({ code: 'no-animal', detail: 'none' });
    const id = typeof unknown === 'function' ? unknown(existing?.id ?? 0n) : unknown;
    if (!isInt64(id)) return context.skipCase({ code: 'precondition', detail: 'not-int64', id: `${id}` });
    if (context.run.isKnownId(id)) return context.skipCase({ code: 'id-in-use', id: `${id}` });
    const isHidden =
      unknown === beginning || (isListedInPart(context) && (isOfParts(unknown) || mayBeHidden(context, id)));
    await context.send(
      getPet(id, {
        label: '',
        expects: [
          {
            requirement: 'GET-2',
            statuses: [404],
            because: 'no animal has that id',
            error: true,
            unless: (response) => context.run.isOwnId(id) || (isHidden && isFound(response, id)),
          },
        ],
      }),
    );
  },
});

const isListedInPart = ({ run }: CheckContext): boolean => !run.listedWhole;

/** The response has an animal with exactly that id. A server that truncates ids returns another. */
const isFound = (response: ApiResponse, id: bigint): boolean => {
  const pet = response.status === 200 ? petOf(response) : null;
  return pet !== null && idOf(pet) === id;
};

/** How far apart ids of a counter may be. */
const counterGap = 1_000_000n;

const isNear = (a: bigint, b: bigint): boolean => a - b < counterGap && b - a < counterGap;

/**
 * If the list was incomplete, an id near listed ids, or near the start of counters (upwards or downwards), may belong to an animal that
 * no page has shown. If nothing could be read of it, any id may.
 */
const mayBeHidden = (context: CheckContext, id: bigint): boolean => {
  const listed = context.run.initialList.map(idOf).filter((each) => each !== null);
  return listed.length === 0 || [0n, int64.max, int64.min, ...listed].some((each) => isNear(id, each));
};

interface IdText {
  readonly label: string;
  /** What is sent, percent-encoded, made of an existing id if it uses one. */
  readonly text: (existing: bigint) => string;
  /** Some parsers correctly read it as an integer: only a server failure fails. */
  readonly disputed?: true;
  /** The characters after an existing id, to shrink. */
  readonly marks?: readonly string[];
}

/** The id in the digits of a script, given by its digit zero. */
const inDigitsFrom = (zero: number, id: bigint): string =>
  encodeURIComponent(id.toString().replaceAll(/\d/g, (digit) => String.fromCharCode(zero + Number(digit))));

const withMarks = (marks: readonly string[]): IdText => ({
  label: `existing id, then ${marks.join('')}`,
  text: (id) => `${id}${encodeURIComponent(marks.join('')).replaceAll("'", '%27')}`,
  marks,
});

const notInt64: Inputs<IdText> = [
  smoke({ label: 'existing id, then a hyphen and letters', text: (id) => `${id}-abc` }),
  core({ label: 'existing id with a fraction (.5)', text: (id) => `${id}.5` }),
  core({ label: 'existing id with an exponent (e0)', text: (id) => `${id}e0` }),
  core({ label: 'existing id in hexadecimal', text: (id) => `0x${id.toString(16)}` }),
  core(withMarks([...`'"%;:<{[(*`])),
  { label: 'existing id, then OR 1=1', text: (id) => `${id}%20OR%201%3D1` },
  core({ label: 'existing id plus 2^64', text: (id) => `${id + 2n ** 64n}` }),
  { label: 'existing id, then a line break', text: (id) => `${id}%0A` },
  smoke({ label: '2^63', text: () => '9223372036854775808' }),
  { label: '-2^63 - 1', text: () => '-9223372036854775809' },
  { label: '10^30', text: () => '1000000000000000000000000000000' },
  { label: 'existing id with a plus sign', text: (id) => `%2B${id}`, disputed: true },
  { label: 'existing id with leading zeros', text: (id) => `000${id}`, disputed: true },
  core({ label: 'existing id with a leading space', text: (id) => `%20${id}` }),
  { label: 'existing id with a fraction of zero (.0)', text: (id) => `${id}.0`, disputed: true },
  // Instead of integer-like texts, because not every store has animals with those integers.
  core({ label: 'existing id in full-width digits', text: (id) => inDigitsFrom(0xff10, id) }),
  { label: 'existing id in Arabic-Indic digits', text: (id) => inDigitsFrom(0x0660, id) },
  { label: 'existing id after "0,"', text: (id) => `0%2C${id}` },
  { label: 'existing id after "0_"', text: (id) => `0_${id}` },
  core({ label: 'existing id, then NUL', text: (id) => `${id}%00` }),
  { label: 'existing id minus 2^64', text: (id) => `${id - 2n ** 64n}` },
  core({ label: 'existing id, then a line of letters', text: (id) => `${id}%0Aabc` }),
  ...coreNamed(
    [...invalidTexts, ...malformedTexts]
      .filter(({ text, integerLike }) => text !== '' && !text.startsWith('..') && integerLike !== true)
      .map(({ label, text }) => ({ label, text: () => text })),
    ['five thousand digits', 'broken percent-encoding'],
    ({ label }) => label,
  ),
  core({ label: 'constructor', text: () => 'constructor' }),
];

/** Texts without a digit in any script. */
const anyText: fc.Arbitrary<IdText> = fc
  .string({ unit: scalarValue, minLength: 1, maxLength: 12 })
  .filter((text) => text.isWellFormed() && !/\d|^\.+$/u.test(text) && !/\p{Nd}/u.test(text))
  .map((text) => ({ label: 'generated', text: () => encodeURIComponent(text) }));

/** Fewer characters after the id. */
const smallerMarks = ({ marks }: IdText): Iterable<IdText> =>
  marks === undefined ? [] : dropParts(marks).map(withMarks);

export const noInt64 = defineCheck<IdText>({
  id: 'get-3-not-int64',
  title: 'a petId that is not an int64 gets a 4xx with an Error',
  requirement: 'GET-3',
  share: 0.04,
  inputs: () => notInt64,
  arbitrary: () => anyText,
  shrink: smallerMarks,
  run: async ({ label, text, disputed }, context) => {
    skipIfRemoved(context);
    const { id } = await existingAnimal(context);
    const requirement = 'GET-3';
    const because = 'petId is not an int64';
    const probe = getPet(text(id), {
      inputSpace: 'undocumented',
      label,
      expects: disputed === true ? [] : [{ requirement, statuses: ['4xx'], because, error: true }],
    });
    await context.send({ ...probe, labelsPath: true });
  },
});

/** How often newer animals are followed to the newest. */
const maxFollow = 6;

/** Gets the id at a distance after another. If that is a newer animal, gets the id after it in turn. */
const getAfter = async (
  context: CheckContext,
  id: bigint,
  distance: bigint,
  left = maxFollow,
): Promise<{
  readonly requested: bigint;
  readonly response: ApiResponse;
  readonly served: JsonObject | null;
}> => {
  const requested = id + distance;
  if (requested > int64.max) return context.skipCase({ code: 'precondition', detail: 'no-larger-id' });
  const response = await context.send(getPet(requested));
  const served = petOf(response);
  const isNewer = served !== null && idOf(served) === requested;
  return isNewer && left > 1
    ? getAfter(context, requested, distance, left - 1)
    : { requested, response, served: isNewer ? null : served };
};

/** The id after an animal's is unknown, or that of a newer animal. Returns the last id requested. */
const checkIdAfter = async (context: CheckContext, id: bigint, distance: bigint): Promise<bigint> => {
  const { requested, response, served } = await getAfter(context, id, distance);
  if (response.status === 404) context.passed('GET-2');
  if (response.status !== 200 || served === null) return requested;
  context.breach({
    requirement: 'GET-2',
    problem: { rule: 'wrong-animal', requested, got: idOf(served), isConcurrent: false },
    response,
  });
  return requested;
};

/**
 * Ids right after that of a new animal: stores with a counter may be off by one. Other clients may create animals meanwhile. An id that is
 * assigned after it was requested must be known from then on.
 */
const nextId = defineCheck({
  id: 'get-2-next-ids',
  title: 'ids after the newest animal get 404',
  requirement: 'GET-2',
  covers: ['GET-1'],
  // Hardly any other check creates animals meanwhile: ids need not be consecutive.
  phase: 'look-back',
  cost: { requests: 6, readOnly: 0, creates: 2 },
  inputs: () => [core(null)],
  run: async (_, context) => {
    if (context.run.removalState() !== 'before')
      return context.skipCase({ code: 'after-removal', detail: 'since' });
    const requested = await checkIdAfter(context, (await createAnimal(context)).id, 1n);
    const next = await createAnimal(context);
    // Another check may have created it first.
    const given = [next, ...context.run.created()].find(({ id }) => id === requested);
    if (given !== undefined) {
      const response = await getEventually(context, given);
      if (response.status === 404) notFoundBreach(context, given, response, 'requested');
    }
    // The first animal may not have been the newest: another check of this phase creates one, too.
    for (const distance of [1n, 2n]) await checkIdAfter(context, next.id, distance);
  },
});

export const nextIds: readonly Check[] = [nextId];
