import fc from 'fast-check';
import { plainerTexts } from '../src/generate/narrowing.ts';
import { isOrdinaryName, ordinaryName, ordinaryNameExamples } from '../src/generate/ordinary-name.ts';
import type { JsonObject } from '../src/json/json.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import { createPetOf } from '../src/run/probes.ts';
import { freeIdIsNotChosen, idsAreUnique, takenIdIsNotChosen } from './create-ids.ts';
import { integersAreExact } from './create-integers.ts';
import { nameComesBack, riskyNames } from './create-names.ts';
import { lastingInputs, takenNames } from './create-open.ts';
import {
  asDocumented,
  category,
  createNamesake,
  createOrdinary,
  isCategoryKnown,
  ordinaryPet,
} from './support/animals.ts';
import { withStatus } from './support/new-pet.ts';

/** What follows the run's prefix in an ordinary name, and the status. */
interface OrdinaryCase {
  readonly rest: string;
  /** The whole name, without the run's prefix: for tests of short names. */
  readonly whole?: string;
  readonly status?: string;
  /** Sent in two pieces: networks split bodies anywhere, so a server must read to the end. */
  readonly inPieces?: true;
}

/** An ordinary name of at most 64 characters: the run's prefix, then the rest. */
const nameWith = (context: CaseContext, rest: string): string =>
  `${context.freshName()}-${rest}`.slice(0, 64).replace(/ $/, 'x');

/** Tries one piece, then no status, then no prefix, then simpler names. */
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
  name: 'CREATE-1 a valid NewPet gets 201',
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

/** The name, or for a single letter that an animal has, another free letter. */
const freeNameLike = ({ fixtures }: CaseContext, name: string): string =>
  name.length > 1 ? name : ([name, ...letters].find((letter) => fixtures.isFreeName(letter)) ?? name);

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

const createInPieces = async (context: CaseContext, pet: JsonObject): Promise<void> => {
  const { request, ...probe } = createPetOf(asDocumented(context, pet), { label: 'a body in two packets' });
  const because = 'the body is a valid NewPet, whatever pieces it arrives in';
  const expects = [{ requirement: 'CREATE-1', statuses: [201], because }];
  await context.send({ ...probe, request: { ...request, inPieces: true }, expects });
};

const statusAt = (statuses: readonly string[], index: number): { status?: string } => {
  const status = [...statuses, undefined][index % (statuses.length + 1)];
  return status === undefined ? {} : { status };
};

const statusMayBeOmitted: Check<null> = {
  name: 'CREATE-4 a creation without status gets a valid status or none',
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
  anyCase(lastingInputs),
  anyCase(riskyNames),
];
