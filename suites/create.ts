import fc from 'fast-check';
import { plainerTexts } from '../src/generate/narrowing.ts';
import { isOrdinaryName, ordinaryName, ordinaryNameExamples } from '../src/generate/ordinary-name.ts';
import type { JsonObject } from '../src/json/json.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import { createPetOf } from '../src/run/probes.ts';
import { freeIdIsNotChosen, idsAreUnique, takenIdIsNotChosen } from './create-ids.ts';
import { integersAreExact } from './create-integers.ts';
import { nameComesBack, riskyNames } from './create-names.ts';
import { lastingChoices, takenNames } from './create-open.ts';
import {
  asDocumented,
  category,
  createNamesake,
  createOrdinary,
  isCategoryKnown,
  ordinaryPet,
} from './support/animals.ts';
import { withStatus } from './support/new-pet.ts';

/** What is put behind the recognisable start of an ordinary name, and which status goes with it. */
interface OrdinaryCase {
  readonly rest: string;
  /** The whole name, where its shortness is what is tried: it leaves no room for the recognisable start. */
  readonly whole?: string;
  readonly status?: string;
  /** A network parts what is sent where it likes: a server reads a body to its end. */
  readonly inPieces?: true;
}

/** An ordinary name of at most 64 characters: the recognisable start, then the rest. */
const nameWith = (context: CaseContext, rest: string): string =>
  `${context.freshName()}-${rest}`.slice(0, 64).replace(/ $/, 'x');

/** In one piece, then without a status, then without the recognisable start, then with less that is odd in the name. */
const smaller = function* ({ inPieces, ...value }: OrdinaryCase): Generator<OrdinaryCase> {
  if (inPieces) yield value;
  for (const one of plainer(value)) yield inPieces ? { ...one, inPieces } : one;
};

const plainer = function* ({ rest, whole, status }: OrdinaryCase): Generator<OrdinaryCase> {
  const others = status === undefined ? {} : { status };
  const isFit = ({ whole: name }: OrdinaryCase): boolean => name === undefined || isOrdinaryName(name);
  if (status !== undefined) yield whole === undefined ? { rest } : { rest, whole };
  if (whole === undefined && isOrdinaryName(rest)) yield { rest: '', whole: rest, ...others };
  yield* plainerTexts(whole ?? rest)
    .map((name) => (whole === undefined ? { rest: name, ...others } : { rest, whole: name, ...others }))
    .filter(isFit);
};

const validIsCreated: Check<OrdinaryCase> = {
  name: 'CREATE-1 a valid NewPet is created',
  gives: ['CREATE-1', 'CREATE-2', 'CREATE-3', 'CREATE-4'],
  phase: 'main',
  share: 0.12,
  examples: ({ statuses }) => [
    ...ordinaryNameExamples('').map((rest, index) => ({ rest, ...statusAt(statuses, index) })),
    { rest: `A-b 1 - c--d ${'-'.repeat(64)}`, inPieces: true },
    ...['c', 'NO', '2024-02-29'].map((whole, index) => ({ rest: '', whole, ...statusAt(statuses, index) })),
  ],
  arbitrary: ({ statuses }) =>
    fc
      .record({ rest: ordinaryName('a'), status: fc.option(fc.constantFrom(...statuses), { nil: null }) })
      .map(({ rest, status }) => (status === null ? { rest } : { rest, status })),
  smaller,
  attempt: async ({ rest, whole, status, inPieces }, context) => {
    const name = whole === undefined ? nameWith(context, rest) : freeNameLike(context, whole);
    const pet = { name, categoryId: category(context), ...withStatus(status) };
    if (whole !== undefined && !context.fixtures.isFreeName(name)) await createNamesake(context, pet);
    else if (inPieces && isCategoryKnown(context)) await createInPieces(context, pet);
    else await createOrdinary(context, pet);
  },
};

/** A name as short as this one that no animal is known to have: for one letter another one, if there is one. */
const freeNameLike = ({ fixtures }: CaseContext, name: string): string =>
  name.length > 1 ? name : ([name, ...letters].find((letter) => fixtures.isFreeName(letter)) ?? name);

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

const createInPieces = async (context: CaseContext, pet: JsonObject): Promise<void> => {
  const { request, ...probe } = createPetOf(asDocumented(context, pet), { label: 'the body in two pieces' });
  const because = 'the body is a valid NewPet, in however many pieces it comes';
  const expects = [{ requirement: 'CREATE-1', statuses: [201], because }];
  await context.send({ ...probe, request: { ...request, inPieces: true }, expects });
};

const statusAt = (statuses: readonly string[], index: number): { status?: string } => {
  const status = [...statuses, undefined][index % (statuses.length + 1)];
  return status === undefined ? {} : { status };
};

const statusMayBeOmitted: Check<null> = {
  name: 'CREATE-4 status may be omitted',
  gives: ['CREATE-4'],
  phase: 'main',
  examples: () => [null],
  attempt: async (_, context) => {
    await createOrdinary(context, ordinaryPet(context));
  },
};

export const creations: readonly Check<unknown>[] = [
  anyCase(validIsCreated),
  anyCase(statusMayBeOmitted),
  anyCase(integersAreExact),
  anyCase(freeIdIsNotChosen),
  anyCase(takenIdIsNotChosen),
  anyCase(idsAreUnique),
  anyCase(nameComesBack),
  anyCase(takenNames),
  anyCase(lastingChoices),
  anyCase(riskyNames),
];
