import fc from 'fast-check';
import {
  type Check,
  type CheckContext,
  core,
  createPet,
  defineCheck,
  type Expectation,
  type JsonObject,
  type Probe,
  smoke,
} from '../../src/check/index.ts';
import { privateCategory } from '../../src/check/pets.ts';
import { expecting, type Framing } from '../../src/check/requests.ts';
import { unexpectedStatus } from '../../src/check/responses.ts';
import { simplerTexts } from '../../src/check/schemas.ts';
import {
  isOrdinaryName,
  longestOrdinaryName,
  ordinaryName,
  ordinaryNameExamples,
} from '../inputs/ordinary-name.ts';
import { freeIdIsNotChosen, idsAreUnique, takenIdIsNotChosen } from './create-ids.ts';
import { integersAreExact } from './create-int64.ts';
import { nameComesBack, riskyNames } from './create-names.ts';
import { lastingInputs, takenNames } from './create-unspecified.ts';
import {
  asDocumented,
  category,
  createAnimal,
  createNamesake,
  createOrdinary,
  isCategoryKnown,
  ordinaryPet,
} from './support/animals.ts';
import { withStatus } from './support/new-pet.ts';

/** An ordinary name after the run's prefix, and the status. */
interface OrdinaryCase {
  readonly rest: string;
  /** The whole name, for short names: without the run's prefix. */
  readonly whole?: string;
  readonly status?: string;
  readonly inPieces?: true;
}

/** An ordinary name: the run's prefix, a number of this check, then the rest, as far as there is room. */
const nameWith = (context: CheckContext, rest: string): string => {
  const count = context.uniqueName().replace(/^.*-/, '');
  const name = `${context.run.namePrefix}${count}-${rest}`;
  return name.slice(0, longestOrdinaryName).replace(/ $/, 'x');
};

/** At once, then without a status, then without the run's prefix, then with a simpler name. */
const smaller = function* ({ inPieces, ...value }: OrdinaryCase): Generator<OrdinaryCase> {
  if (inPieces) yield value;
  for (const one of plainer(value)) yield inPieces ? { ...one, inPieces } : one;
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
  share: 0.04,
  inputs: ({ statuses }) => [
    ...ordinaryNameExamples('').map((rest, index): OrdinaryCase => ({ rest, ...statusAt(statuses, index) })),
    core({ rest: `A-b 1 - c--d ${'-'.repeat(64)}`, inPieces: true }),
    ...Object.keys(forms).map((whole, index) => core({ rest: '', whole, ...statusAt(statuses, index) })),
  ],
  arbitrary: ({ statuses }) =>
    fc
      .record({ rest: ordinaryName('a'), status: fc.option(fc.constantFrom(...statuses), { nil: null }) })
      .map(({ rest, status }) => (status === null ? { rest } : { rest, status })),
  shrink: smaller,
  run: async ({ rest, whole, status, inPieces }, context) => {
    const free = whole === undefined ? nameWith(context, rest) : freeNameLike(context, whole);
    const pet = { name: free ?? whole ?? '', categoryId: category(context), ...withStatus(status) };
    if (free === null) await createNamesake(context, pet);
    else if (inPieces && isCategoryKnown(context)) await createInPieces(context, pet);
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

/** The document does not specify how a body arrives. */
const createInPieces = async (context: CheckContext, pet: JsonObject): Promise<void> => {
  const because = 'the body is a valid NewPet, in however many pieces it arrives';
  const expects = [expecting('CREATE-1', [201], because)];
  const options = { label: 'the body in two pieces', expects };
  await context.send(withFraming('pieces', createPet(asDocumented(context, pet), options)));
};

const withFraming = (framing: Framing, { request, ...probe }: Probe): Probe => ({
  ...probe,
  request: { ...request, framing },
});

const readsChunks =
  'the body is a valid NewPet, and a server reads chunks (RFC 9112 7.1) or asks for a length (411)';

/** Some servers read only Content-Length. RFC 9112 6.3 lets them return 411; other statuses are judged as without chunks. */
const chunksAreRead = defineCheck({
  id: 'gen-5-chunks',
  title: 'a body in chunks is read',
  requirement: 'GEN-5',
  covers: ['CREATE-1', 'CREATE-2'],
  cost: { requests: 1, readOnly: 0, creates: 1 },
  inputs: () => [core(null)],
  run: async (_, context) => {
    if (!isCategoryKnown(context)) await createAnimal(context);
    const unless: Expectation['unless'] = ({ status }) => status === 400 || status === 411;
    const expects = [{ ...expecting('CREATE-1', [201], readsChunks), unless }];
    const label = 'the body in chunks (Transfer-Encoding: chunked)';
    const options = { label, inputSpace: 'unspecified', expects } as const;
    const response = await context.send(withFraming('chunks', createPet(ordinaryPet(context), options)));
    if (response.status === 201 || response.status === 411) return context.passed();
    if (response.status !== 400) return;
    // With a length, the server must accept it.
    await createAnimal(context);
    const problem = unexpectedStatus(expecting('GEN-5', [201, 411], readsChunks), response);
    context.breach({ problem, response });
  },
});

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
  chunksAreRead,
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
