import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { compose, replace } from '../patch-kit/core.ts';
import { accept, editSent, respondToObject } from '../patch-kit/creations.ts';
import { errorReply, internalError } from '../patch-kit/responses.ts';
import { family } from './family.ts';

const missing = (value: Json | undefined): boolean => value === undefined;

/** The value of a field whose name is in any case. */
const inAnyCase = (body: JsonObject, field: string): Json | undefined =>
  body[field] ?? Object.entries(body).find(([name]) => name.toLowerCase() === field.toLowerCase())?.[1];

/** CREATE-5: without name or categoryId, 400. */
export const createMissingFaults = family('CREATE-5', {
  'name-optional': [
    'A missing name becomes an empty name.',
    editSent(({ name }) => ({ name: name === undefined ? '' : name })),
  ],
  'category-optional': [
    'A missing categoryId becomes 0.',
    editSent(({ categoryId }) => ({ categoryId: categoryId === undefined ? 0n : categoryId })),
  ],
  'empty-object-completed': [
    'An object without fields gets a default for each.',
    editSent((body) => (Object.keys(body).length === 0 ? { name: 'Unnamed', categoryId: 1n } : {})),
  ],
  'name-optional-with-a-status': [
    'A creation with a status needs no name.',
    editSent(({ name, status }) => ({ name: name === undefined && status !== undefined ? '' : name })),
  ],
  'category-optional-without-a-status': [
    'A creation without a status needs no categoryId.',
    editSent(({ categoryId, status }) => ({
      categoryId: categoryId === undefined && status === undefined ? 0n : categoryId,
    })),
  ],
  'one-required-field-is-enough': [
    'A creation needs a name or a categoryId, not both.',
    editSent(({ name, categoryId }) => ({
      name: name === undefined && categoryId !== undefined ? '' : name,
      categoryId: categoryId === undefined && name !== undefined ? 0n : categoryId,
    })),
  ],
  'fields-in-any-case': [
    'The server compares field names without case: Name and CATEGORYID are accepted.',
    editSent((body) => ({ name: inAnyCase(body, 'name'), categoryId: inAnyCase(body, 'categoryId') })),
  ],
  'name-in-any-case': [
    'The server compares the field name without case: NAME and Name are accepted.',
    editSent((body) => ({ name: inAnyCase(body, 'name') })),
  ],
  'category-under-a-short-name': [
    'The server reads an integer in the field category if categoryId is missing.',
    editSent(({ categoryId, category }) => ({ categoryId: categoryId ?? category })),
  ],
  'name-under-an-old-name': [
    'The field name was once called title, and old clients are still served.',
    editSent(({ name, title }) => ({ name: name ?? title })),
  ],
  'missing-name-stored-as-null': [
    'The server stores a missing name as null.',
    compose(
      accept('name', missing),
      replace('toNewPet', (before) => (body, call) => {
        const pet = before(body, call);
        const unnamed = isJsonObject(body) && body.name === undefined;
        return unnamed ? { ...pet, extra: { ...pet.extra, name: null } } : pet;
      }),
    ),
  ],
  'missing-category-crashes': [
    'A missing categoryId fails in the database: 500.',
    respondToObject(({ categoryId }) => categoryId === undefined, internalError),
    { companions: ['GEN-4'] },
  ],
  'missing-name-is-422': [
    'A missing name gets 422.',
    respondToObject(({ name }) => name === undefined, errorReply(422, 'unprocessable')),
  ],
  'missing-category-is-404': [
    'A missing categoryId gets 404, as a category that is not found.',
    respondToObject(({ categoryId }) => categoryId === undefined, errorReply(404, 'unknown_category')),
  ],
});
