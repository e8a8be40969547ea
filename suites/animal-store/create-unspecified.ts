import {
  type ApiResponse,
  type CheckContext,
  type CheckDefinition,
  core,
  createPetWithBody,
  defineCheck,
  type Inputs,
  type Json,
  type JsonObject,
  smoke,
} from '../../src/check/index.ts';
import { stringifyJson } from '../../src/check/json.ts';
import { dropParts } from '../../src/check/schemas.ts';
import { category, createAnimal, createdPet, createNamesake, ordinaryPet } from './support/animals.ts';
import { getEventually, notFoundBreach } from './support/available.ts';
import { withStatus } from './support/new-pet.ts';
import { observeCreation } from './support/observed.ts';

interface OpenCase {
  readonly label: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body: (context: CheckContext) => {
    readonly text: string | Uint8Array;
    readonly sent?: JsonObject;
  };
  /** The created animal is requested by its id. */
  readonly looksUp?: true;
  /** Fewer unusual parts, if there are several. */
  readonly smaller?: () => Iterable<OpenCase>;
}

const json = (value: JsonObject) => ({ text: stringifyJson(value), sent: value });

/** Before the others, with values of every type and nested fields of the same names: a server that searches the text finds these. */
const extraFields: JsonObject = {
  owner: { name: 'Ann', categoryId: 7n, status: 'unknown' },
  tags: ['brown', null, {}],
  weight: 4.5,
  born: null,
  _id: 'x',
  category: { id: 7n, name: 'Ann' },
};

/** Document databases use such names for operators and paths. Some clients send absent fields as null. */
const unusuallyNamedFields: JsonObject = {
  $set: { name: 'Ann' },
  'a.b': 1n,
  '': 0n,
  id: null,
  hasOwnProperty: 1n,
  toString: 'x',
  length: -1n,
};

/** An unknown field, and whether it comes before or after the fields of a NewPet. */
type ExtraField = readonly [name: string, value: Json, place: 'before' | 'after'];

const extraFieldsIn = (place: ExtraField[2], fields: JsonObject): readonly ExtraField[] =>
  Object.entries(fields).map(([name, value]) => [name, value, place]);

const withExtraFields = (label: string, fields: readonly ExtraField[]): OpenCase => {
  const fieldsAt = (place: ExtraField[2]): JsonObject =>
    Object.fromEntries(fields.filter((field) => field[2] === place).map(([name, value]) => [name, value]));
  return {
    label,
    body: (context) => json({ ...fieldsAt('before'), ...ordinaryPet(context), ...fieldsAt('after') }),
    smaller: () =>
      dropParts(fields).map((some) => withExtraFields(`unknown extra fields ${namesOf(some)}`, some)),
  };
};

const namesOf = (fields: readonly ExtraField[]): string =>
  fields.map(([name, value]) => `${JSON.stringify(name)}:${stringifyJson(value)}`).join(',');

const categoryZero: OpenCase = {
  label: 'categoryId 0',
  body: (context) => json({ ...ordinaryPet(context), categoryId: 0n }),
  // A server that tests for truthiness reads 0 as no category.
  looksUp: true,
};

/** Inputs the document does not specify: everything but a server failure passes. */
const openCases: Inputs<OpenCase> = [
  smoke(
    withExtraFields('unknown extra fields', [
      ...extraFieldsIn('before', extraFields),
      ...extraFieldsIn('after', unusuallyNamedFields),
    ]),
  ),
  {
    label: 'unknown extra field __proto__',
    body: (context) => ({
      text: stringifyJson(ordinaryPet(context)).replace('{', '{"__proto__":{"status":"sold"},'),
    }),
  },
  {
    label: 'unknown category',
    body: (context) => json({ ...ordinaryPet(context), categoryId: 3_000_000_001n }),
  },
  {
    label: 'categoryId 0 and oddly named extra fields',
    body: (context) => json({ ...unusuallyNamedFields, ...ordinaryPet(context), categoryId: 0n }),
    smaller: () => [
      categoryZero,
      withExtraFields('oddly named extra fields', extraFieldsIn('before', unusuallyNamedFields)),
    ],
  },
  core({
    label: 'negative categoryId',
    body: (context) => json({ ...ordinaryPet(context), categoryId: -1n }),
  }),
  core({ label: 'no Content-Type', headers: [], body: (context) => json(ordinaryPet(context)) }),
  {
    label: 'Content-Type: text/plain',
    headers: [['Content-Type', 'text/plain']],
    body: (context) => json(ordinaryPet(context)),
  },
  {
    label: 'Content-Type: application/xml',
    headers: [['Content-Type', 'application/xml']],
    body: () => ({ text: '<pet/>' }),
  },
  {
    label: 'Content-Type: application/x-www-form-urlencoded',
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: () => ({ text: 'name=conformance&categoryId=1' }),
  },
  {
    label: 'Content-Type: application/json; charset=utf-8',
    headers: [['Content-Type', 'application/json; charset=utf-8']],
    body: (context) => json(ordinaryPet(context)),
  },
  core({
    label: 'Content-Type: application/json; charset=unknown',
    headers: [['Content-Type', 'application/json; charset=unknown']],
    body: (context) => json(ordinaryPet(context)),
  }),
  core({
    label: 'Content-Type: application/json; charset=utf-16, of a body in UTF-8',
    headers: [['Content-Type', 'application/json; charset=utf-16']],
    // An odd number of bytes, which is not a text in UTF-16.
    body: (context) => {
      const { text, sent } = json(ordinaryPet(context));
      return { text: Buffer.byteLength(text) % 2 === 0 ? `${text} ` : text, sent };
    },
  }),
  core({
    label: 'Content-Type: multipart/form-data without boundary',
    headers: [['Content-Type', 'multipart/form-data']],
    body: () => ({ text: '--a\r\n\r\nconformance\r\n--a--\r\n' }),
  }),
  core({
    label: 'Content-Encoding: gzip on an uncompressed body',
    headers: [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
    ],
    body: (context) => json(ordinaryPet(context)),
  }),
  core(categoryZero),
];

/** A store that keeps it returns lists that are not JSON from then on, to all clients. */
const lastingCases: readonly OpenCase[] = [
  {
    label: 'unknown extra field NaN',
    body: (context) => ({ text: stringifyJson(ordinaryPet(context)).replace(/}$/, ',"weight":NaN}') }),
  },
];

const lookUp = async (context: CheckContext, created: ApiResponse, label: string): Promise<void> => {
  const animal = createdPet(created);
  if (animal === null || context.run.removalState() !== 'before') return;
  const response = await getEventually(context, animal);
  if (response.status === 404) notFoundBreach(context, animal, response, 'created', label);
};

const openInputsDefinition: CheckDefinition<OpenCase> = {
  id: 'create-11-unspecified-inputs',
  title: 'unspecified inputs are recorded',
  requirement: 'CREATE-11',
  covers: ['GET-1'],
  cost: { requests: 1, readOnly: 0, creates: 0.8 },
  inputs: () => openCases,
  shrink: ({ smaller }) => smaller?.() ?? [],
  run: async ({ label, headers, body, looksUp }, context) => {
    const { text, sent } = body(context);
    const response = await context.send(
      createPetWithBody(text, {
        inputSpace: 'unspecified',
        label,
        ...(headers === undefined ? {} : { headers }),
        ...(sent === undefined ? {} : { sent }),
      }),
    );
    observeCreation(context, response, label);
    if (looksUp) await lookUp(context, response, label);
  },
};

export const openInputs = defineCheck(openInputsDefinition);

export const takenNames = defineCheck({
  id: 'create-11-same-name',
  title: 'a name that another animal has is recorded',
  requirement: 'CREATE-11',
  cost: { requests: 1, readOnly: 0, creates: 1 },
  inputs: () => [core(null)],
  run: async (_, context) => {
    const { categories, statuses } = context.run;
    const { pet } = context.run.created().at(-1) ?? (await createAnimal(context, withStatus(statuses[0])));
    const categoryId = categories.at(-1)?.id ?? category(context);
    await createNamesake(context, { name: pet.name ?? null, categoryId, ...withStatus(statuses.at(-1)) });
  },
});

/** Runs before the risky names, whose checks read the list. */
export const lastingInputs = defineCheck<OpenCase>({
  ...openInputsDefinition,
  id: 'create-11-risky-inputs',
  title: 'inputs that may corrupt a store are recorded',
  phase: 'risky',
  inputs: () => lastingCases,
});
