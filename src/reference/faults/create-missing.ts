import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { Fault } from '../patch.ts';
import { accept, editSent, replace, together } from '../patches.ts';
import { answerWhere, internalError, problem } from './create-patches.ts';

const missing = (value: Json | undefined): boolean => value === undefined;

/** What was sent is completed in this way before it is judged. */
const completed = (
  name: string,
  description: string,
  complete: (body: JsonObject) => Readonly<Record<string, Json | undefined>>,
): Fault => ({ name, requirement: 'CREATE-5', companions: [], description, patch: editSent(complete) });

/** The field in whatever case its name is written. */
const inAnyCase = (body: JsonObject, field: string): Json | undefined =>
  body[field] ?? Object.entries(body).find(([name]) => name.toLowerCase() === field.toLowerCase())?.[1];

/** CREATE-5: without name or categoryId, 400. */
export const createMissingFaults: readonly Fault[] = [
  completed('name-optional', 'A creation without a name makes an animal with an empty one.', ({ name }) => ({
    name: name === undefined ? '' : name,
  })),
  completed(
    'category-optional',
    'A creation without a categoryId lands in the category 0.',
    ({ categoryId }) => ({
      categoryId: categoryId === undefined ? 0n : categoryId,
    }),
  ),
  completed('empty-object-completed', 'An object with no fields at all gets a default for each.', (body) =>
    Object.keys(body).length === 0 ? { name: 'Unnamed', categoryId: 1n } : {},
  ),
  completed(
    'name-optional-with-a-status',
    'A creation that has a status needs no name.',
    ({ name, status }) => ({
      name: name === undefined && status !== undefined ? '' : name,
    }),
  ),
  completed(
    'category-optional-without-a-status',
    'A creation that has no status needs no categoryId.',
    ({ categoryId, status }) => ({
      categoryId: categoryId === undefined && status === undefined ? 0n : categoryId,
    }),
  ),
  completed(
    'one-required-field-is-enough',
    'A creation needs a name or a categoryId, not both.',
    ({ name, categoryId }) => ({
      name: name === undefined && categoryId !== undefined ? '' : name,
      categoryId: categoryId === undefined && name !== undefined ? 0n : categoryId,
    }),
  ),
  completed(
    'fields-in-any-case',
    'Field names are matched without case: Name and CATEGORYID count.',
    (body) => ({
      name: inAnyCase(body, 'name'),
      categoryId: inAnyCase(body, 'categoryId'),
    }),
  ),
  {
    name: 'missing-name-stored-as-null',
    requirement: 'CREATE-5',
    companions: [],
    description: 'A creation without a name is stored with the name null.',
    patch: together(
      accept('name', missing),
      replace('toNewPet', (before) => (body, call) => {
        const pet = before(body, call);
        const unnamed = isJsonObject(body) && body.name === undefined;
        return unnamed ? { ...pet, extra: { ...pet.extra, name: null } } : pet;
      }),
    ),
  },
  {
    name: 'missing-category-crashes',
    requirement: 'CREATE-5',
    companions: ['GEN-4'],
    description: 'A creation without a categoryId fails in the database: 500.',
    patch: answerWhere(({ categoryId }) => categoryId === undefined, internalError),
  },
  {
    name: 'missing-name-is-422',
    requirement: 'CREATE-5',
    companions: [],
    description: 'A creation without a name is refused with 422.',
    patch: answerWhere(({ name }) => name === undefined, problem(422, 'unprocessable')),
  },
  {
    name: 'missing-category-is-404',
    requirement: 'CREATE-5',
    companions: [],
    description: 'A creation without a categoryId is refused with 404, for the category that is not found.',
    patch: answerWhere(({ categoryId }) => categoryId === undefined, problem(404, 'unknown_category')),
  },
];
