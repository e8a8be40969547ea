import {
  type CheckContext,
  createPetWithBody,
  defineCheck,
  type Expectation,
  type JsonObject,
} from '../../src/check/index.ts';
import { stringifyJson } from '../../src/check/json.ts';
import { expecting } from '../../src/check/requests.ts';
import { type UnusualJson, unusualJson } from '../inputs/unusual-json.ts';
import { checkNext } from './connection.ts';
import { asDocumented, category, expectsCreated, isCategoryKnown } from './support/animals.ts';
import { withStatus } from './support/new-pet.ts';
import { observeCreation } from './support/observed.ts';
import { coreNamed } from './support/tiers.ts';

/** A function from a name to a body: each time the case is sent, the name is new. */
interface UnusualBody {
  readonly label: string;
  of(name: string, context: Pick<CheckContext, 'run'>): UnusualJson;
  /** Fewer unusual parts, or none, if there are several. */
  readonly smaller?: () => Iterable<UnusualBody>;
}

const unusualBodiesOf = (name: string, { run }: Pick<CheckContext, 'run'>): readonly UnusualJson[] => {
  const pet = asDocumented(
    { run },
    { name, categoryId: category({ run }), ...withStatus(run.statuses.at(-1)) },
  );
  const unusual = unusualJson(pet, { text: 'name', integer: 'categoryId' });
  return [...unusual.filter(({ harmful }) => harmful !== true), largeBody(String(pet.name))];
};

/** Bodies that are created with a new name each time they are sent. */
const madeBy = (
  make: (name: string, context: Pick<CheckContext, 'run'>) => readonly UnusualJson[],
  context: Pick<CheckContext, 'run'>,
): readonly UnusualBody[] =>
  make(sampleName, context).map(({ label, smaller }, index): UnusualBody => {
    const of: UnusualBody['of'] = (name, again) => itemAt(make(name, again), index);
    if (smaller === undefined) return { label, of };
    return { label, of, smaller: () => madeBy((...made) => [...(of(...made).smaller?.() ?? [])], context) };
  });

const itemAt = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no unusual body ${index}`);
  return item;
};

const sampleName = 'conformance-name';

/** Characters: some servers accept no more. */
const longBody = 100_000;

/** Longer than many buffers and default limits. Its categoryId is invalid, so that nothing is stored. */
const largeBody = (name: string): UnusualJson => ({
  malformed: false,
  invalid: true,
  label: '140,000-character unknown field',
  // Written by hand, because these bodies are made often.
  body: `${stringifyJson({ name, categoryId: 'x' }).slice(0, -1)},"note":"${'a'.repeat(140_000)}"}`,
  smaller: () => [
    {
      malformed: false,
      invalid: true,
      label: 'categoryId: a string instead of an integer',
      body: stringifyJson({ name, categoryId: 'x' }),
    },
  ],
});

/** JSON has many spellings of one value: a server must accept each and return the same value. */
const inAnySpelling = (context: CheckContext, sent: JsonObject) => ({
  sent,
  ...(isCategoryKnown(context)
    ? { inputSpace: 'documented' as const, expects: expectsCreated(context, String(sent.name), true) }
    : {}),
});

/** A gateway may reject it with a body of its own. */
const neverAccepted = expecting('CREATE-6', ['4xx'], 'the body has an integer far beyond int64');

/**
 * Bytes that are not UTF-8 may be replaced, and another animal may have the name that results. A category that is not known to exist may
 * be rejected with any 4xx.
 */
const notUtf8 = (context: CheckContext): Expectation => ({
  requirement: 'CREATE-7',
  statuses: isCategoryKnown(context) ? [400, 201, 409, 422] : ['4xx', 201],
  because: 'the body is not valid JSON, as it is not UTF-8',
});

const expectationsOf = ({ beyondInt64, malformed, body }: UnusualJson, context: CheckContext) => [
  ...(beyondInt64 ? [neverAccepted] : []),
  ...(malformed && typeof body !== 'string' ? [notUtf8(context)] : []),
];

export const unusualBodies = defineCheck<UnusualBody>({
  id: 'gen-4-unusual-json',
  title: 'unusual JSON causes no server error',
  requirement: 'GEN-4',
  covers: ['CREATE-1', 'CREATE-2', 'CREATE-6', 'CREATE-7'],
  cost: { requests: 1, readOnly: 0, creates: 0.3 },
  inputs: (run) =>
    coreNamed(
      madeBy(unusualBodiesOf, { run }),
      [
        'a duplicate name, another value',
        'escapes in names and strings, members in another order, and white space',
        'letters of other scripts, an emoji, and a tab as escapes',
        'a number of 400 digits',
        'an extra number of 5,000 digits, deep nesting, and no categoryId',
        'a Latin-1 letter',
        '140,000-character unknown field',
      ],
      ({ label }) => label,
    ),
  shrink: ({ smaller }) => smaller?.() ?? [],
  run: async (unusual, context) => {
    // The last letter identifies the spelling.
    const made = unusual.of(`${context.uniqueName()}a`, context);
    const { label, body, invalid, means: sent } = made;
    const inputSpace = invalid ? 'undocumented' : 'unspecified';
    const expects = { expects: expectationsOf(made, context) };
    const spelling = sent === undefined ? expects : inAnySpelling(context, sent);
    const connectionId = body.length > longBody ? context.uniqueName() : null;
    const options = connectionId === null ? {} : { connectionId };
    const response = await context.send(createPetWithBody(body, { inputSpace, label, ...spelling }), options);
    if (label !== '') observeCreation(context, response, label);
    // A server that refuses a body for its size may leave it unread.
    if (connectionId === null || response.status !== 413) return;
    const request = `POST /pets with a ${label}`;
    await checkNext(context, { connectionId, unread: 'body', request, limit: 5 }, response);
  },
});
