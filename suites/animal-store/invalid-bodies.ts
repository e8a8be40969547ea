import fc from 'fast-check';
import {
  type Check,
  type CheckContext,
  core,
  createPet,
  createPetWithBody,
  defineCheck,
  type Expectation,
  type Inputs,
  isJsonObject,
  type Json,
  type JsonObject,
  type RunContext,
  smoke,
} from '../../src/check/index.ts';
import { parseJson, stringifyJson } from '../../src/check/json.ts';
import { privateCategory } from '../../src/check/pets.ts';
import type { Violation } from '../../src/check/schemas.ts';
import { inputOf, mapInputs } from '../../src/check/tiers.ts';
import { malformedJson, type RawJson } from '../inputs/malformed-json.ts';
import { openInputs } from './create-unspecified.ts';
import { listAll } from './support/animals.ts';
import { type InvalidBody, withFewerInvalid, withFewerMembers } from './support/invalid-body.ts';
import {
  arbitraryFor,
  examplesFor,
  isOfName,
  isTracked,
  namePlaceholder,
  plainBody,
  rejected,
  violationsFor,
  withName,
} from './support/invalid-new-pet.ts';
import { realWorldMistakes } from './support/real-world-mistakes.ts';
import { coreNamed } from './support/tiers.ts';
import { unusualBodies } from './unusual-json.ts';

const becauseOf = {
  'CREATE-5': 'the body has no name or no categoryId',
  'CREATE-6': 'the body has an invalid value',
} as const;

const sendInvalid =
  (requirement: keyof typeof becauseOf) =>
  async ({ label, value, query }: InvalidBody, context: CheckContext) => {
    const expectation = rejected(requirement, becauseOf[requirement]);
    await context.send(
      createPet(withName(value, context), {
        query: query ?? '',
        inputSpace: 'undocumented',
        label,
        // An unknown parameter may be rejected for itself.
        expects: [query === undefined ? expectation : { ...expectation, statuses: ['4xx'] }],
      }),
    );
  };

const missingField = defineCheck<InvalidBody>({
  id: 'create-5-missing-field',
  title: 'a missing required field gets 400',
  requirement: 'CREATE-5',
  cost: { requests: 1, readOnly: 0 },
  share: 0.04,
  inputs: (run) => [...examplesFor('CREATE-5', () => 4)(run), ...realWorldMistakes('CREATE-5')(run)],
  arbitrary: arbitraryFor('CREATE-5'),
  shrink: withFewerMembers,
  run: sendInvalid('CREATE-5'),
});

const invalidValue = defineCheck<InvalidBody>({
  id: 'create-6-invalid-value',
  title: 'an invalid value gets 400',
  requirement: 'CREATE-6',
  cost: { requests: 1, readOnly: 0 },
  share: 0.08,
  inputs: (run) => [
    ...examplesFor('CREATE-6', ({ keyword }) => (keyword === 'enum' ? 12 : 2))(run),
    ...realWorldMistakes('CREATE-6')(run),
  ],
  arbitrary: arbitraryFor('CREATE-6'),
  shrink: (body, { document }) => withFewerInvalid(body, plainBody, document),
  run: sendInvalid('CREATE-6'),
});

const plain = ({ categories }: RunContext): JsonObject => ({
  name: namePlaceholder,
  categoryId: categories[0]?.id ?? 1n,
  status: 'available',
});

const plainText = (run: RunContext): string => stringifyJson(plain(run));

/** The arrays of NewPets below test more. */
const arrayWithin = '[[]]';

/** What lenient parsers accept, each in its own way, and what takes the place of JSON. */
const tellingMalformed: readonly string[] = [
  ...['an empty body', 'only white space', 'NUL behind', 'a form in place of JSON'],
  ...['a body cut short by one character', 'a bracket for a brace', 'a form feed behind'],
  ...['a trailing comma', 'two commas in a row', 'single quotes', 'a name without quotes'],
  ...['a leading zero', 'a leading plus', 'NaN'],
  ...['a control character in a string', 'a \\u escape that is not hexadecimal'],
];

const isJson = (body: string | Uint8Array): boolean => typeof body === 'string' && parseJson(body).ok;

/** As a value of the document, a number that is not an integer is invalid, whether or not the parser reads it. */
const rejectedAs = ({ body, notAnInteger }: RawJson): Expectation => {
  if (notAnInteger) return rejected('CREATE-6', becauseOf['CREATE-6']);
  return rejected('CREATE-7', isJson(body) ? 'the body is not a JSON object' : 'the body is not valid JSON');
};

const notAnObject = defineCheck<RawJson>({
  id: 'create-7-not-an-object',
  title: 'a body that is not a JSON object gets 400',
  requirement: 'CREATE-7',
  covers: ['CREATE-6'],
  cost: { requests: 1, readOnly: 0 },
  share: 0.04,
  inputs: (run) => [
    ...mapInputs(examplesFor('CREATE-7', () => 3)(run), ({ label, value }) => ({
      label,
      body: stringifyJson(value),
    })).filter((example) => inputOf(example).body !== arrayWithin),
    { label: 'array of two NewPets', body: `[${plainText(run)},${plainText(run)}]` },
    smoke({ label: 'array of one NewPet', body: `[${plainText(run)}]` }),
    core({ label: 'NewPet as JSON string', body: stringifyJson(plainText(run)) }),
    ...coreNamed(
      malformedJson(plainText(run)).filter(({ body }) => typeof body === 'string'),
      tellingMalformed,
      ({ label }) => label,
    ),
    core({ label: 'array of the values of a NewPet', body: stringifyJson(Object.values(plain(run))) }),
  ],
  arbitrary: (run) =>
    fc.oneof(
      arbitraryFor('CREATE-7')(run).map(({ label, value }) => ({ label, body: stringifyJson(value) })),
      fc.nat({ max: plainText(run).length - 1 }).map((length) => ({
        label: `body cut after ${length} characters`,
        body: plainText(run).slice(0, length),
      })),
    ),
  run: async (malformed, context) => {
    const { label, body } = malformed;
    const name = context.uniqueName();
    await context.send(
      createPetWithBody(typeof body === 'string' ? body.replaceAll(namePlaceholder, name) : body, {
        inputSpace: 'undocumented',
        label,
        // A streaming parser may store the animal before it rejects the rest.
        sent: { ...plain(context.run), name },
        expects: [rejectedAs(malformed)],
      }),
    );
  },
});

/** Bodies that are sent one after the other. One list shows what all of them stored. */
type RejectedBodies = readonly (InvalidBody & { readonly requirement: 'CREATE-5' | 'CREATE-6' })[];

/** What breaks one field. A missing field and an unknown status are the most common. */
const rejectedBodies = (run: RunContext): Inputs<RejectedBodies> => {
  const all = (['CREATE-6', 'CREATE-5'] as const).flatMap((requirement) =>
    violationsFor(requirement)(run).map((violation) => {
      const { label, examples } = violation;
      return { violation, body: { requirement, label, value: examples[0] ?? null } };
    }),
  );
  const isFirst = ({ keyword }: Violation): boolean => keyword === 'required' || keyword === 'enum';
  const among = (wanted: (violation: Violation) => boolean): RejectedBodies =>
    all.filter(({ violation }) => wanted(violation)).map(({ body }) => body);
  return [
    smoke(among((violation) => isTracked(violation) && isFirst(violation))),
    core(among((violation) => isOfName(violation) || (isTracked(violation) && !isFirst(violation)))),
  ].filter((bodies) => inputOf(bodies).length > 0);
};

const isNamed = (body: Json): boolean => isJsonObject(body) && typeof body.name === 'string';

/** An animal without a valid name is recognized by its category. */
const withFingerprint = (value: Json, context: CheckContext): Json =>
  isJsonObject(value) && !isNamed(value)
    ? { ...value, categoryId: privateCategory(context.uniqueName()) }
    : withName(value, context);

/** A complete list can show the animals of the bodies: the plain list or, if that is too long, the list of their status. */
const isListComplete = async (bodies: readonly Json[], context: CheckContext): Promise<boolean> => {
  if ((await listAll(context)).whole) return true;
  const sent = bodies.map((body) => (isJsonObject(body) ? body.status : undefined));
  const status = context.run.statuses.find((one) => sent.includes(one));
  return status !== undefined && (await listAll(context, status)).whole;
};

const rejectionStoresNothing = defineCheck<RejectedBodies>({
  id: 'create-8-stores-nothing',
  title: 'a creation that gets 400 stores nothing',
  requirement: 'CREATE-8',
  covers: ['CREATE-5', 'CREATE-6'],
  phase: 'first',
  cost: { requests: 9.5, most: 16, readOnly: 0 },
  inputs: rejectedBodies,
  shrink: (bodies) => (bodies.length > 1 ? bodies.map((one) => [one]) : []),
  run: async (bodies, context) => {
    const refused: Json[] = [];
    const others: number[] = [];
    for (const { requirement, label, value } of bodies) {
      const body = withFingerprint(value, context);
      const expectation = rejected(requirement, becauseOf[requirement]);
      // A server may reject a large category for other reasons.
      const expects = [isNamed(body) ? expectation : { ...expectation, statuses: ['4xx'] as const }];
      const { status } = await context.send(createPet(body, { inputSpace: 'undocumented', label, expects }));
      if (status === 400) refused.push(body);
      else others.push(status);
    }
    const [other] = others;
    if (other !== undefined && refused.length === 0)
      return context.skipCase({ code: 'precondition', detail: 'creation', status: other, expected: '400' });
    if (await isListComplete(refused, context)) context.passed();
    else context.inconclusive({ code: 'list-too-long', detail: 'incomplete' });
  },
});

export const refusals: readonly Check[] = [
  rejectionStoresNothing,
  missingField,
  invalidValue,
  notAnObject,
  openInputs,
  unusualBodies,
];
