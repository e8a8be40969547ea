import fc from 'fast-check';
import { bearer, noCredential } from '../src/client/credentials.ts';
import type { Credential } from '../src/client/exchange.ts';
import { brokenTexts, oddTexts } from '../src/generate/odd-texts.ts';
import { scalarValue } from '../src/generate/unusual-name.ts';
import type { JsonObject } from '../src/json/json.ts';
import { stringifyJson } from '../src/json/stringify.ts';
import { idOf, petMembers, petOf } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import type { CreatedPet, Fixtures } from '../src/run/fixtures.ts';
import { getPet } from '../src/run/probes.ts';
import { createAnimal, existingAnimal, listAll, untilSeen } from './support/animals.ts';

/** Ends the case from the day of the removal on: either answer passes then. */
const whileOffered = (context: CaseContext): void => {
  const removal = context.fixtures.removal();
  if (removal === 'after') context.end('getPet is removed');
  if (removal === 'on the day') context.end('today is the day of the removal, on which either answer passes');
};

/** The first member in which two representations of an animal differ. */
const differingMember = (a: JsonObject, b: JsonObject): string | undefined =>
  petMembers.find((member) => a[member] !== b[member]);

/** GET-1: the animal is served, and is what it was. */
const judgeServed = (
  context: CaseContext,
  { id, pet }: CreatedPet,
  reading: Reading,
  whence: string,
): void => {
  const served = petOf(reading);
  if (reading.status !== 200) {
    context.breach({
      requirement: 'GET-1',
      rule: 'not served',
      message: `The animal ${id}, which was ${whence}, is not served by GET /pets/${id}.`,
      expected: 'status 200 with that animal',
      actual: `status ${reading.status}`,
      exchange: reading.exchange,
    });
    if (reading.status === 410) earlyRemoval(context, reading);
    return;
  }
  if (served === null) return;
  const member = differingMember(pet, served);
  if (member === undefined) {
    context.met('GET-1');
    return;
  }
  context.breach({
    requirement: 'GET-1',
    rule: `${member} differs as ${whence}`,
    message: `GET /pets/${id} does not give the animal as it was ${whence}: its ${member} differs.`,
    expected: stringifyJson(pick(pet)),
    actual: stringifyJson(pick(served)),
    exchange: reading.exchange,
  });
};

/** GET-4: 410 says that the operation is gone, though it is not to be until its removal. */
const earlyRemoval = (context: CaseContext, reading: Reading): void =>
  context.breach({
    requirement: 'GET-4',
    rule: 'gone too early',
    message: 'GET /pets/{petId} says that it is gone, although its removal is still ahead.',
    expected: 'status 200 for an existing id, until 5 December 2030',
    actual: `status ${reading.status}`,
    exchange: reading.exchange,
  });

const pick = (pet: JsonObject): JsonObject =>
  Object.fromEntries(
    petMembers.flatMap((member) => (pet[member] === undefined ? [] : [[member, pet[member]]])),
  );

/** Gets an animal, and for as long as a replica may lag, again. */
const getUntilServed = async (context: CaseContext, { id, at }: CreatedPet): Promise<Reading> => {
  let last: Reading | null = null;
  await untilSeen(context, at, async () => {
    last = await context.send(getPet(id.toString()));
    return last.status === 404 ? null : last;
  });
  return last ?? context.end('the animal could not be asked for');
};

export const createdIsServed: Check<JsonObject> = {
  name: 'GET-1 a created animal is served as it was created',
  gives: ['GET-1'],
  phase: 'main',
  cost: 2,
  examples: ({ statuses }) => [...statuses.map((status) => ({ status })), {}],
  attempt: async (members, context) => {
    whileOffered(context);
    const animal = await createAnimal(context, members);
    judgeServed(context, animal, await getUntilServed(context, animal), 'created');
  },
};

const named =
  (tells: (name: string) => boolean) =>
  ({ name }: JsonObject): boolean =>
    typeof name === 'string' && tells(name);

/** Animals that naive code spoils, each in a way of its own. */
const telling: readonly ((pet: JsonObject) => boolean)[] = [
  ({ categoryId }) => typeof categoryId === 'bigint' && BigInt(Number(categoryId)) !== categoryId,
  named((name) => name.length > 64),
  named((name) => /[<>&]/.test(name)),
  named((name) => !/^[\x20-\x7e]*$/.test(name)),
  ({ status }) => status === undefined,
  named((name) => /["'\\]/.test(name)),
  named((name) => / {2}|^ | $/.test(name)),
  named((name) => name.length > 40),
  named((name) => name === ''),
];

/** Every other pick is one that tells something; the others stand from the first to the last. */
const pickAmong = <Item extends { readonly pet: JsonObject }>(
  items: readonly Item[],
  index: number,
  of: number,
): Item | undefined => {
  const tells = index % 2 === 1 ? telling[(index - 1) / 2] : undefined;
  const found = items.find(({ pet }) => tells?.(pet) === true);
  return found ?? items[Math.min(items.length - 1, Math.floor((index * items.length) / (of - 1)))];
};

/** Others may change or remove their animals between a list and what getPet says then: what differs is listed again. */
const judgeListed = async (context: CaseContext, id: bigint, listed: JsonObject): Promise<void> => {
  let pet = listed;
  for (let looks = 0; looks < 3; looks += 1) {
    const animal = { id, pet, at: context.clock.now() };
    const reading = await getUntilServed(context, animal);
    const served = petOf(reading);
    const agrees = reading.status === 200 && served !== null && differingMember(pet, served) === undefined;
    const again = agrees ? pet : (await listAll(context)).pets.find((other) => idOf(other) === id);
    if (again === undefined) return context.end('the animal is listed no longer');
    if (differingMember(pet, again) === undefined) return judgeServed(context, animal, reading, 'listed');
    pet = again;
  }
  context.end('the animal is changed by others again and again');
};

/** Members of another type are breaches of their own (GEN-3). */
const isPet = ({ fixtures }: CaseContext, { name, categoryId, status }: JsonObject): boolean =>
  typeof name === 'string' &&
  typeof categoryId === 'bigint' &&
  (status === undefined || (typeof status === 'string' && fixtures.statuses.includes(status)));

export const listedIsServed: Check<number> = {
  name: 'GET-1 a listed animal is served as it is listed',
  gives: ['GET-1'],
  phase: 'late',
  examples: () => [0, 1, 2, 3, 4, 5, 6, 7],
  cost: 2,
  attempt: async (index, context) => {
    whileOffered(context);
    const { pets } = await listAll(context);
    const pet = pickAmong(
      pets.map((each) => ({ pet: each })),
      index,
      8,
    )?.pet;
    const id = pet === undefined ? null : idOf(pet);
    if (pet === undefined || id === null) return context.end('no animal is listed');
    if (!isPet(context, pet)) return context.end('the list does not show the animal as a Pet');
    await judgeListed(context, id, pet);
  },
};

/** Looks again at what the run created, once much else was created since: first, last, and some between. */
export const createdStays: Check<number> = {
  name: 'GET-1 a created animal stays as it was',
  gives: ['GET-1'],
  phase: 'late',
  looksBack: true,
  examples: () => Array.from({ length: 24 }, (_, index) => index),
  attempt: async (index, context) => {
    whileOffered(context);
    const animal = pickAmong(context.fixtures.created(), index, 24);
    if (animal === undefined) return context.end('the run has created no animal');
    judgeServed(context, animal, await getUntilServed(context, animal), 'created');
  },
};

const int64 = { max: 2n ** 63n - 1n, min: -(2n ** 63n) };

/** An id as it stands, or one made of an existing id. */
type UnknownId = bigint | ((existing: bigint) => bigint);

const isInt64 = (id: bigint): boolean => id >= int64.min && id <= int64.max;

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
    2n ** 32n + 1n,
    4_611_686_018_427_387_905n,
    (existing) => existing + 2n ** 32n,
    (existing) => -existing,
  ],
  arbitrary: () => fc.bigInt({ min: 2n ** 40n, max: int64.max }),
  attempt: async (unknown, context) => {
    whileOffered(context);
    // GET-2 means something only on a server that serves what exists.
    const existing = await existingAnimal(context).catch(() => null);
    if (typeof unknown === 'function' && existing === null) return context.end('no animal exists');
    const id = typeof unknown === 'function' ? unknown(existing?.id ?? 0n) : unknown;
    if (!isInt64(id)) return context.end(`${id} is no int64`);
    if (context.fixtures.isSeenId(id)) return context.end(`the id ${id} exists`);
    if (mayBeHidden(context, id))
      return context.end(`an animal with the id ${id} may stand beyond the first page`);
    await context.send(
      getPet(id.toString(), {
        label: '',
        expects: [{ requirement: 'GET-2', statuses: [404], because: 'no animal has that id', error: true }],
      }),
    );
  },
};

/** Where the list was not seen whole, an id that counting may have given out can be that of an animal which no page has shown. */
const mayBeHidden = ({ fixtures }: CaseContext, id: bigint): boolean =>
  fixtures.listedAtStart.length >= fixtures.page.maximum && id > -1_000_000n && id < 1_000_000n;

interface IdText {
  readonly label: string;
  /** What is sent, percent-encoded; `ID` stands for an existing id. */
  readonly text: string;
  /** Some parsers take it for an integer, with reason: only a failure is judged. */
  readonly disputed?: true;
}

const notInt64: readonly IdText[] = [
  { label: 'an existing id, then letters', text: 'IDabc' },
  { label: 'an existing id with a fraction', text: 'ID.5' },
  { label: 'an existing id as an exponent', text: 'IDe0' },
  { label: 'an existing id in hexadecimal', text: '0xHEX' },
  { label: 'an existing id, then a quotation mark', text: 'ID%27' },
  { label: 'an existing id, then SQL', text: 'ID%20OR%201%3D1' },
  { label: 'an existing id plus 2^64', text: 'WRAPPED' },
  { label: 'two existing ids', text: 'ID%2CID' },
  { label: '2^63', text: '9223372036854775808' },
  { label: 'less than -2^63', text: '-9223372036854775809' },
  { label: '2^64', text: '18446744073709551616' },
  { label: '10^30', text: '1000000000000000000000000000000' },
  { label: 'a plus sign', text: '%2BID', disputed: true },
  { label: 'leading zeros', text: '000ID', disputed: true },
  { label: 'a space before', text: '%20ID', disputed: true },
  { label: 'a space behind', text: 'ID%20', disputed: true },
  { label: 'a fraction of zero', text: 'ID.0', disputed: true },
  ...[...oddTexts, ...brokenTexts].filter(({ text }) => text !== '' && !text.startsWith('..')),
];

/** Texts that could be read as an int64 that exists would prove nothing. */
const fill = (text: string, id: bigint): string =>
  text
    .replaceAll('ID', id.toString())
    .replace('HEX', id.toString(16))
    .replace('WRAPPED', (id + 2n ** 64n).toString());

/** Texts without a digit of any script. */
const anyText: fc.Arbitrary<IdText> = fc
  .string({ unit: scalarValue, minLength: 1, maxLength: 12 })
  .filter((text) => text.isWellFormed() && !/\d|^\.+$/u.test(text) && !/\p{Nd}/u.test(text))
  .map((text) => ({ label: 'generated', text: encodeURIComponent(text) }));

export const noInt64: Check<IdText> = {
  name: 'GET-3 a petId that is no int64 gets a 4xx with an Error',
  gives: ['GET-3'],
  phase: 'main',
  share: 0.08,
  examples: () => notInt64,
  arbitrary: () => anyText,
  attempt: async ({ label, text, disputed }, context) => {
    whileOffered(context);
    const { id } = await existingAnimal(context);
    const requirement = 'GET-3';
    const because = 'petId is no int64';
    await context.send(
      getPet(fill(text, id), {
        space: 'outside',
        label: `petId: ${label}`,
        expects: disputed === true ? [] : [{ requirement, statuses: ['4xx'], because, error: true }],
      }),
    );
  },
};

export const stillWorks: Check<null> = {
  name: 'GET-4 the deprecated operation works until its removal',
  gives: ['GET-4'],
  phase: 'main',
  cost: 2,
  examples: () => [null],
  attempt: async (_, context) => {
    if (context.fixtures.removal() === 'after') return context.end('getPet is removed');
    const statuses: number[] = [];
    let last: Reading | null = null;
    const animals = [await existingAnimal(context), ...otherAnimals(context.fixtures)].slice(0, 3);
    for (const animal of animals) {
      last = await getUntilServed(context, animal);
      statuses.push(last.status);
      if (last.status === 200) return context.met('GET-4');
    }
    if (context.fixtures.removal() === 'on the day' || last === null) {
      return context.undecided('GET-4', 'today is the day of the removal, on which either answer passes');
    }
    if (!(await stillStands(context, animals)))
      return context.undecided('GET-4', 'the animals that were asked for are listed no longer');
    context.breach({
      requirement: 'GET-4',
      rule: 'gone too early',
      message: 'GET /pets/{petId} serves no existing animal, although its removal is still ahead.',
      expected: 'status 200 for an existing id, until 5 December 2030',
      actual: `status ${statuses.join(', ')}`,
      exchange: last.exchange,
    });
  },
};

/** Others may have removed their animals meanwhile; nobody removes those of the run. */
const stillStands = async (context: CaseContext, animals: readonly CreatedPet[]): Promise<boolean> => {
  const own = new Set(context.fixtures.created().map(({ id }) => id));
  if (animals.some(({ id }) => own.has(id))) return true;
  const listed = new Set((await listAll(context)).pets.map(idOf));
  return animals.some(({ id }) => listed.has(id));
};

const otherAnimals = ({ created, listedAtStart }: Fixtures): readonly CreatedPet[] => [
  ...created().slice(1, 2),
  ...listedAtStart.slice(0, 2).flatMap((pet) => {
    const id = idOf(pet);
    return id === null ? [] : [{ id, pet, at: 0 }];
  }),
];

interface RemovedCase {
  readonly which: 'new' | 'old';
  readonly credential: Credential;
}

/** Which animals of a removed operation are asked for, and how often: an old release may go on serving some. */
const removedCases: readonly RemovedCase[] = (['new', 'old', 'old', 'new', 'old'] as const).flatMap(
  (which) => [
    { which, credential: bearer('main') },
    { which, credential: noCredential },
  ],
);

export const removed: Check<RemovedCase> = {
  name: 'GET-5 the deprecated operation is gone from its removal on',
  gives: ['GET-5'],
  phase: 'main',
  cost: 2,
  examples: ({ removal }) => (removal() === 'before' ? [] : removedCases),
  attempt: async ({ which, credential }, context) => {
    const removal = context.fixtures.removal();
    const { id } =
      which === 'old' || context.fixtures.readOnly
        ? await existingAnimal(context)
        : await createAnimal(context);
    const because = 'getPet was removed on 5 December 2030';
    const reading = await context.send(
      getPet(id.toString(), {
        credential,
        space: 'outside',
        expects: removal === 'after' ? [{ requirement: 'GET-5', statuses: ['4xx'], because }] : [],
      }),
    );
    if (removal === 'on the day' && reading.status >= 400) context.met('GET-5');
  },
};

export const deprecationHeaders: Check<null> = {
  name: 'GET-6 Deprecation and Sunset agree with the document',
  gives: ['GET-6'],
  phase: 'main',
  examples: () => [null],
  attempt: async (_, context) => {
    whileOffered(context);
    await context.send(getPet((await existingAnimal(context)).id.toString()));
  },
};

export const gets: readonly Check<unknown>[] = [
  anyCase(createdIsServed),
  anyCase(stillWorks),
  anyCase(removed),
  anyCase(unknownId),
  anyCase(noInt64),
  anyCase(deprecationHeaders),
  anyCase(listedIsServed),
  anyCase(createdStays),
];
