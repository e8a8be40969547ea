import fc from 'fast-check';
import type { ApiDocument } from '../../src/document/api-document.ts';
import { compileSchema, type SchemaValidator } from '../../src/document/schema.ts';
import { sidesOf } from '../../src/document/sides.ts';
import { boundaries, valid } from '../../src/generate/valid.ts';
import { isJsonObject, type JsonObject } from '../../src/json/json.ts';
import { memoised } from '../../src/memo/memo.ts';

/** What the document says of a NewPet, as requests have it. */
const newPet = memoised((document: ApiDocument) => {
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

/** What keeps a value from being a NewPet. */
export const problemsOf = (document: ApiDocument): SchemaValidator => newPet(document).problems;

/** Without one the member is left out. */
export const withStatus = (status: string | undefined): JsonObject =>
  status === undefined ? {} : { status };

/** A NewPet with valid values for whatever else the document requires of one. */
export const withRequired = (document: ApiDocument, members: JsonObject): JsonObject => ({
  ...newPet(document).others,
  ...members,
});

/** A NewPet whose name the document accepts: as it stands, else its end, which tells names apart, else another one. */
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

/** The same for the same name. */
const seedOf = (name: string): number =>
  [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) | 0, 0);
