import fc from 'fast-check';
import {
  type Check,
  type CheckContext,
  core,
  createPet,
  defineCheck,
  type JsonObject,
  smoke,
} from '../../src/check/index.ts';
import { privateCategory } from '../../src/check/pets.ts';
import { simplerTexts } from '../../src/check/schemas.ts';
import { isOrdinaryName, ordinaryName, ordinaryNameExamples } from '../inputs/ordinary-name.ts';
import { freeIdIsNotChosen, idsAreUnique, takenIdIsNotChosen } from './create-ids.ts';
import { integersAreExact } from './create-int64.ts';
import { nameComesBack, riskyNames } from './create-names.ts';
import { lastingInputs, takenNames } from './create-unspecified.ts';
import {
  asDocumented,
  category,
  createNamesake,
  createOrdinary,
  isCategoryKnown,
  ordinaryPet,
} from './support/animals.ts';
import { withStatus } from './support/new-pet.ts';
import { coreWhere } from './support/tiers.ts';

/** An ordinary name after the run's prefix, and the status. */
interface OrdinaryCase {
  readonly rest: string;
  /** The whole name, for short names: without the run's prefix. */
  readonly whole?: string;
  readonly status?: string;
  /** Absent: the body is sent at once. */
  readonly framing?: keyof typeof framings;
}

/** An ordinary name of at most 64 characters: the run's prefix, then the rest. */
const nameWith = (context: CheckContext, rest: string): string =>
  `${context.uniqueName()}-${rest}`.slice(0, 64).replace(/ $/, 'x');

/** The document does not specify how a body arrives. RFC 9112 only lets a server require Content-Length (6.3). */
const framings = {
  pieces: {
    label: 'the body in two pieces',
    inputSpace: 'documented',
    statuses: [201],
    because: 'the body is a valid NewPet, in however many pieces it arrives',
  },
  chunks: {
    label: 'the body in chunks (Transfer-Encoding: chunked)',
    inputSpace: 'unspecified',
    statuses: [201, 411],
    because:
      'the body is a valid NewPet, and a server must read chunks (RFC 9112 7.1) or ask for a length (411)',
  },
} as const;

/** In one piece, then without a status, then without the run's prefix, then with a simpler name. */
const smaller = function* ({ framing, ...value }: OrdinaryCase): Generator<OrdinaryCase> {
  if (framing) yield value;
  for (const one of plainer(value)) yield framing ? { ...one, framing } : one;
};

const plainer = function* ({ rest, whole, status }: OrdinaryCase): Generator<OrdinaryCase> {
  const others = status === undefined ? {} : { status };
  const isFit = ({ whole: name }: OrdinaryCase): boolean => name === undefined || isOrdinaryName(name);
  if (status !== undefined) yield whole === undefined ? { rest } : { rest, whole };
  if (whole === undefined && isOrdinaryName(rest)) yield { rest: '', whole: rest, ...others };
  yield* simplerTexts(whole ?? rest)
    .map((name) => (whole === undefined ? { rest: name, ...others } : { rest, whole: name, ...others }))
    .filter(isFit);
};

const validIsCreated = defineCheck<OrdinaryCase>({
  id: 'create-1-valid-new-pet',
  title: 'a valid NewPet gets 201',
  requirement: 'CREATE-1',
  covers: ['CREATE-2', 'CREATE-3', 'CREATE-4'],
  cost: { requests: 1, readOnly: 0, creates: 1 },
  share: 0.08,
  inputs: ({ statuses }) => [
    ...coreWhere(
      ordinaryNameExamples('').map(
        (rest, index): OrdinaryCase => ({
          rest,
          ...statusAt(statuses, index),
          ...(rest === 'Z' ? { framing: 'chunks' } : {}),
        }),
      ),
      ({ framing }) => framing !== undefined,
    ),
    core({ rest: `A-b 1 - c--d ${'-'.repeat(64)}`, framing: 'pieces' }),
    ...Object.keys(forms).map((whole, index) => core({ rest: '', whole, ...statusAt(statuses, index) })),
  ],
  arbitrary: ({ statuses }) =>
    fc
      .record({ rest: ordinaryName('a'), status: fc.option(fc.constantFrom(...statuses), { nil: null }) })
      .map(({ rest, status }) => (status === null ? { rest } : { rest, status })),
  shrink: smaller,
  run: async ({ rest, whole, status, framing }, context) => {
    const free = whole === undefined ? nameWith(context, rest) : freeNameLike(context, whole);
    const pet = { name: free ?? whole ?? '', categoryId: category(context), ...withStatus(status) };
    if (free === null) await createNamesake(context, pet);
    else if (framing && isCategoryKnown(context)) await createFramed(context, pet, framing);
    else await createOrdinary(context, pet);
  },
});

/** Names of one form, each made of a number: no animal is known to have one of a random number, however long the lists are. */
const forms: Readonly<Record<string, (random: bigint) => string>> = {
  '-': (random) => `-${random}`,
  NO: (random) => [...String(random)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join(''),
  '2024-02-29': (random) => {
    const [year, month, day] = [1_000n + (random % 9_000n), 1n + (random % 12n), 1n + (random % 28n)];
    return [year, ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
  },
};

/** The name if it is free, or else a free one of its form; null: none is known. */
const freeNameLike = (context: CheckContext, name: string): string | null => {
  const { run } = context;
  const free = [name, ...(name.length === 1 ? letters : [])].find((each) => run.isFreeName(each));
  return free ?? forms[name]?.(privateCategory(context.uniqueName())) ?? null;
};

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

const createFramed = async (context: CheckContext, pet: JsonObject, framing: keyof typeof framings) => {
  const { label, inputSpace, statuses, because } = framings[framing];
  const expects = [{ requirement: 'CREATE-1', statuses, because }];
  const { request, ...probe } = createPet(asDocumented(context, pet), { label, inputSpace, expects });
  await context.send({ ...probe, request: { ...request, framing } });
};

const statusAt = (statuses: readonly string[], index: number): { status?: string } => {
  const status = [...statuses, undefined][index % (statuses.length + 1)];
  return status === undefined ? {} : { status };
};

const statusMayBeOmitted = defineCheck({
  id: 'create-4-without-status',
  title: 'a creation without status gets a valid status or none',
  requirement: 'CREATE-4',
  cost: { requests: 1, readOnly: 0, creates: 1 },
  inputs: () => [smoke(null)],
  run: async (_, context) => {
    await createOrdinary(context, ordinaryPet(context));
  },
});

export const creations: readonly Check[] = [
  validIsCreated,
  statusMayBeOmitted,
  integersAreExact,
  freeIdIsNotChosen,
  takenIdIsNotChosen,
  idsAreUnique,
  nameComesBack,
  takenNames,
  lastingInputs,
  riskyNames,
];
