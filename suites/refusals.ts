import fc from 'fast-check';
import { malformedJson, type RawJson } from '../src/generate/malformed-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../src/json/json.ts';
import { parseJson } from '../src/json/parse.ts';
import { stringifyJson } from '../src/json/stringify.ts';
import { rareCategory } from '../src/oracle/rare-category.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import type { Fixtures } from '../src/run/fixtures.ts';
import { createPet, createPetOf } from '../src/run/probes.ts';
import { oddBodies, openChoices } from './create-open.ts';
import { listAll } from './support/animals.ts';
import { type InvalidBody, withFewerInvalid, withFewerMembers } from './support/invalid-body.ts';
import {
  arbitraryFor,
  examplesFor,
  isTracked,
  namePlaceholder,
  plainBody,
  refused,
  violationsFor,
  withName,
} from './support/invalid-new-pet.ts';

const becauseOf = {
  'CREATE-5': 'a required field is missing from the body',
  'CREATE-6': 'the body holds an invalid value',
} as const;

const sendInvalid =
  (requirement: keyof typeof becauseOf) =>
  async ({ label, value, query }: InvalidBody, context: CaseContext) => {
    const due = refused(requirement, becauseOf[requirement]);
    await context.send(
      createPetOf(withName(value, context), {
        query: query ?? '',
        space: 'outside',
        label,
        // A parameter that the document does not have may be refused as such.
        expects: [query === undefined ? due : { ...due, statuses: ['4xx'] }],
      }),
    );
  };

/** No value at all, names that every object has, and words that a store of animals might know as well. */
const oddStatuses: readonly string[] = [
  ...['', ' ', 'constructor', '__proto__', 'null', '0'],
  ...['unknown', 'reserved'],
];

/** Letters that Unicode normalisation makes plain ones of. */
const inFullWidth = (text: string): string =>
  text.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x61 + 0xff41));

/** Slips of real servers that the schema alone does not suggest: a value within a value, names of other spelling. */
const realWorldMistakes =
  (requirement: 'CREATE-5' | 'CREATE-6') =>
  (fixtures: Fixtures): readonly InvalidBody[] => {
    const valid = plainBody;
    const name = namePlaceholder;
    const categoryId = fixtures.categories[0]?.id ?? 1n;
    const status = fixtures.statuses[0] ?? 'available';
    const under = {
      'CREATE-5': [
        ['no fields at all', {}],
        [
          'a category, the name in the query, and names',
          { categoryId, names: name },
          `name=${fixtures.namePrefix}query`,
        ],
        ['names in another case', { Name: name, CATEGORYID: categoryId }],
        [
          'category_id, CATEGORYID, category.id, and categoryId in the query',
          { name, category_id: categoryId, CATEGORYID: categoryId, category: { id: categoryId } },
          `categoryId=${categoryId}`,
        ],
        ['everything in an envelope', { pet: valid, data: valid }],
      ],
      'CREATE-6': [
        ['status: an array of one status', { ...valid, status: [status] }],
        ['categoryId: an array of one integer', { ...valid, categoryId: [categoryId] }],
        ['name: an array of one string', { ...valid, name: [name] }],
        ['categoryId: nearly whole', { ...valid, categoryId: 1.0000000001 }],
        ['categoryId: digits, letters and quotation marks', { ...valid, categoryId: `${categoryId}abc"\\"` }],
        ['categoryId: an integer as a string', { ...valid, categoryId: String(categoryId) }],
        ['categoryId: an integer as a string, with a space', { ...valid, categoryId: ` ${categoryId}` }],
        ['categoryId: an integer within an object', { ...valid, categoryId: { id: categoryId } }],
        ['categoryId: an integer beyond int64, with an exponent', { ...valid, categoryId: 1e30 }],
        ['categoryId: hexadecimal', { ...valid, categoryId: `0x${categoryId.toString(16)}` }],
        ...[
          ...oddStatuses,
          inFullWidth(status),
          `${fixtures.statuses.at(-1) ?? status}s`,
          `${status},${status}`,
          `${status}\n`,
          `${status}\0`,
        ].map((other) => [`status: ${JSON.stringify(other)}`, { ...valid, status: other }] as const),
        ['every value invalid', { name: 7n, categoryId: 'x', status: 'gone' }],
        [
          'categoryId: an integer beyond 2^53 as a string, with a status',
          { ...valid, categoryId: '9007199254740993', status },
        ],
        ['name: without a status', { ...valid, name: null }],
      ],
    } as const;
    return under[requirement].map(([label, value, query]) => ({
      label,
      value,
      ...(query === undefined ? {} : { query }),
    }));
  };

const missingField: Check<InvalidBody> = {
  name: 'CREATE-5 a missing required field is refused with 400',
  gives: ['CREATE-5'],
  phase: 'main',
  share: 0.12,
  examples: (fixtures) => [
    ...examplesFor('CREATE-5', () => 4)(fixtures),
    ...realWorldMistakes('CREATE-5')(fixtures),
  ],
  arbitrary: arbitraryFor('CREATE-5'),
  smaller: withFewerMembers,
  attempt: sendInvalid('CREATE-5'),
};

const invalidValue: Check<InvalidBody> = {
  name: 'CREATE-6 an invalid value is refused with 400',
  gives: ['CREATE-6'],
  phase: 'main',
  share: 0.28,
  examples: (fixtures) => [
    ...examplesFor('CREATE-6', ({ keyword }) => (keyword === 'enum' ? 8 : 2))(fixtures),
    ...realWorldMistakes('CREATE-6')(fixtures),
  ],
  arbitrary: arbitraryFor('CREATE-6'),
  smaller: (body, { document }) => withFewerInvalid(body, plainBody, document),
  attempt: sendInvalid('CREATE-6'),
};

const plain = ({ categories }: Fixtures): JsonObject => ({
  name: namePlaceholder,
  categoryId: categories[0]?.id ?? 1n,
  status: 'available',
});

const plainText = (fixtures: Fixtures): string => stringifyJson(plain(fixtures));

/** Arrays of NewPets show more. */
const arrayWithin = '[[]]';

const isJson = (body: string | Uint8Array): boolean => typeof body === 'string' && parseJson(body).ok;

const notAnObject: Check<RawJson> = {
  name: 'CREATE-7 a body that is no JSON object is refused with 400',
  gives: ['CREATE-7'],
  phase: 'main',
  share: 0.08,
  examples: (fixtures) => [
    ...examplesFor(
      'CREATE-7',
      () => 3,
    )(fixtures)
      .map(({ label, value }) => ({ label, body: stringifyJson(value) }))
      .filter(({ body }) => body !== arrayWithin),
    { label: 'an array of two NewPets', body: `[${plainText(fixtures)},${plainText(fixtures)}]` },
    { label: 'an array of one NewPet', body: `[${plainText(fixtures)}]` },
    { label: 'a NewPet as a JSON string', body: stringifyJson(plainText(fixtures)) },
    ...malformedJson(plainText(fixtures)).filter(({ label }) => !label.includes('UTF-16')),
    { label: 'an array of the values of a NewPet', body: stringifyJson(Object.values(plain(fixtures))) },
  ],
  arbitrary: (fixtures) =>
    fc.oneof(
      arbitraryFor('CREATE-7')(fixtures).map(({ label, value }) => ({ label, body: stringifyJson(value) })),
      fc.nat({ max: plainText(fixtures).length - 1 }).map((length) => ({
        label: `cut after ${length} characters`,
        body: plainText(fixtures).slice(0, length),
      })),
    ),
  attempt: async ({ label, body }, context) => {
    const name = context.freshName();
    await context.send(
      createPet(typeof body === 'string' ? body.replaceAll(namePlaceholder, name) : body, {
        space: 'outside',
        label,
        // Who reads a body bit by bit may store the animal in it, and refuse what stands around that.
        sent: { ...plain(context.fixtures), name },
        expects: [
          refused('CREATE-7', isJson(body) ? 'the body is no JSON object' : 'the body is no valid JSON'),
        ],
      }),
    );
  },
};

interface RefusedBody extends InvalidBody {
  readonly requirement: 'CREATE-5' | 'CREATE-6';
}

/** Without a name an animal is known again by its category. */
const nameless = (context: CaseContext): Json => ({ categoryId: rareCategory(context.freshName()) });

/** Whether a list shows all that could have come of a body: the plain one, or where that is too long the one of its status. */
const isListedWhole = async (body: Json, context: CaseContext): Promise<boolean> => {
  if ((await listAll(context)).whole) return true;
  const { statuses } = context.fixtures;
  const status = isJsonObject(body) ? statuses.find((one) => one === body.status) : undefined;
  return status !== undefined && (await listAll(context, status)).whole;
};

const refusalStoresNothing: Check<RefusedBody> = {
  name: 'CREATE-8 a creation that is refused with 400 stores nothing',
  gives: ['CREATE-8', 'CREATE-5', 'CREATE-6'],
  phase: 'whole-list',
  cost: 2,
  examples: (fixtures) =>
    (['CREATE-6', 'CREATE-5'] as const).flatMap((requirement) =>
      violationsFor(requirement)(fixtures)
        .filter(isTracked)
        .map(({ label, examples }) => ({ requirement, label, value: examples[0] ?? null })),
    ),
  attempt: async ({ requirement, label, value }, context) => {
    const body = withName(value, context);
    const expects = [refused(requirement, becauseOf[requirement])];
    const reading = await context.send(createPetOf(body, { space: 'outside', label, expects }));
    // That it is refused is judged with a plain category: a server may have trouble of its own with a large one.
    if (requirement === 'CREATE-5')
      await context.send(createPetOf(nameless(context), { space: 'outside', label: 'name missing' }));
    if (reading.status !== 400)
      return context.end(`the creation was answered with ${reading.status}, not refused with 400`);
    if (await isListedWhole(body, context)) context.met('CREATE-8');
    else context.undecided('CREATE-8', 'the list is longer than one page, so it cannot be seen whole');
  },
};

export const refusals: readonly Check<unknown>[] = [
  anyCase(refusalStoresNothing),
  anyCase(missingField),
  anyCase(invalidValue),
  anyCase(notAnObject),
  anyCase(openChoices),
  anyCase(oddBodies),
];
