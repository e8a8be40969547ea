import fc from 'fast-check';
import type { ApiDocument } from '../../../src/check/document.ts';
import { isJsonObject, type JsonObject } from '../../../src/check/index.ts';
import { memoized } from '../../../src/check/memoized.ts';
import {
  boundaries,
  compileSchema,
  type SchemaValidator,
  sidesOf,
  valid,
} from '../../../src/check/schemas.ts';

/** The request schema of NewPet in the document. */
const newPet = memoized((document: ApiDocument) => {
  const { request } = sidesOf(document.root);
  const operation = document.operations.find(({ id }) => id === 'createPet');
  const schema = request(operation?.requestBody?.schema ?? true);
  const root = request(document.root);
  const [smallest = {}] = boundaries(schema, root)
    .filter(isJsonObject)
    .toSorted((a, b) => Object.keys(a).length - Object.keys(b).length);
  const { name: _name, categoryId: _category, ...others } = smallest;
  return { others, problems: compileSchema(schema, root), any: valid(schema, root) };
});

/** The problems of a value that is not a NewPet. */
export const problemsOf = (document: ApiDocument): SchemaValidator => newPet(document).problems;

/** The field, or nothing without a status. */
export const withStatus = (status: string | undefined): { readonly status?: string } =>
  status === undefined ? {} : { status };

/** A NewPet with valid values for all other required fields. */
export const withRequired = (document: ApiDocument, members: JsonObject): JsonObject => ({
  ...newPet(document).others,
  ...members,
});

/** A NewPet with a name that the document accepts: the name, otherwise its unique end, otherwise another one. */
export const withFittingName = (document: ApiDocument, pet: JsonObject): JsonObject => {
  const { problems, any } = newPet(document);
  const fits = (name: string) => !problems({ ...pet, name }).some(({ pointer }) => pointer === '/name');
  if (typeof pet.name !== 'string' || fits(pet.name)) return pet;
  const { name } = pet;
  const end = Array.from(name, (_, index) => name.slice(index).trimStart()).find(
    (text) => text !== '' && fits(text),
  );
  if (end !== undefined) return { ...pet, name: end };
  const [other] = fc.sample(any, { seed: seedOf(name), numRuns: 1 });
  return { ...pet, ...(isJsonObject(other) && other.name !== undefined ? { name: other.name } : {}) };
};

/** A hash: the same name gives the same seed. */
const seedOf = (name: string): number =>
  [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) | 0, 0);
