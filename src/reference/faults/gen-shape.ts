import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { Fault, Patch } from '../patch.ts';
import { editFields, editJson, editPets, replace, together, withFields } from '../patches.ts';
import { petStatuses } from '../pet.ts';

const listed = { operation: 'listPets', status: 200 } as const;
const created = { operation: 'createPet', status: 201 } as const;
const fetched = { operation: 'getPet', status: 200 } as const;

const statusNames: readonly string[] = petStatuses;

const asText = (value: Json | undefined): Json | undefined =>
  typeof value === 'bigint' ? value.toString() : value;
const capital = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' ? value.charAt(0).toUpperCase() + value.slice(1) : value;

const items = (body: Json): readonly Json[] => (Array.isArray(body) ? body : []);
/** Changes each animal of a list. */
const editItems = (edit: (pet: JsonObject) => Readonly<Record<string, Json | undefined>>): Patch =>
  editJson(listed, (body) =>
    items(body).map((pet) => (isJsonObject(pet) ? withFields(pet, edit(pet)) : pet)),
  );

const everywhere = ['LIST-1', 'CREATE-1', 'GET-1', 'GET-4'];
const inList = ['LIST-1', 'LIST-8'];
const inCreation = ['CREATE-1', 'CREATE-2'];
const alone = ['GET-1', 'GET-4'];

const shape = (name: string, description: string, companions: readonly string[], patch: Patch): Fault => ({
  name,
  requirement: 'GEN-3',
  companions,
  description,
  patch,
});

/** Mistakes in the shape of successful answers. */
export const shapeFaults: readonly Fault[] = [
  shape(
    'ids-as-strings',
    'Ids are strings of digits.',
    [...everywhere, 'CREATE-3', 'LIST-8'],
    editPets({}, ({ id }) => ({ id: asText(id) })),
  ),
  shape(
    'fetched-id-as-string',
    'GET /pets/{petId} repeats the id as a string.',
    alone,
    editFields(fetched, ({ id }) => ({ id: asText(id) })),
  ),
  shape(
    'large-categories-as-strings',
    'categoryId is a string beyond 2^53, for the sake of JavaScript.',
    [...everywhere, 'CREATE-2', 'CREATE-9', 'LIST-8'],
    editPets({}, ({ categoryId }) =>
      typeof categoryId === 'bigint' && (categoryId > 2n ** 53n || categoryId < -(2n ** 53n))
        ? { categoryId: asText(categoryId) }
        : {},
    ),
  ),
  shape(
    'listed-category-as-string',
    'Lists show categoryId as a string.',
    inList,
    editItems(({ categoryId }) => ({ categoryId: asText(categoryId) })),
  ),
  shape(
    'ids-beyond-int64',
    'Ids are unsigned: they start at 2^63.',
    [...everywhere, 'CREATE-3'],
    together(
      replace('assignId', (before) => async (pet, world) => 2n ** 63n + (await before(pet, world))),
      replace('readPetId', () => (text) => (/^\d{1,20}$/.test(text) ? BigInt(text) : null)),
    ),
  ),
  shape(
    'ids-with-a-fraction',
    'Ids are doubles that have gathered a rounding error: 7.000001.',
    [...everywhere, 'CREATE-3', 'LIST-8'],
    editPets({}, ({ id }) => ({ id: Number(id) + 0.000001 })),
  ),
  shape(
    'listed-names-null-while-pending',
    'Lists show the names of pending animals as null.',
    inList,
    editItems(({ status }) => (status === 'pending' ? { name: null } : {})),
  ),
  shape(
    'listed-names-missing',
    'Lists are a summary: animals have no name in them.',
    inList,
    editItems(() => ({ name: undefined })),
  ),
  shape(
    'status-capitalised',
    'Statuses are shown as they are displayed: Available, Pending, Sold.',
    [...everywhere, 'CREATE-2', 'CREATE-4', 'LIST-6', 'LIST-8'],
    editPets({}, ({ status }) => ({ status: capital(status) })),
  ),
  shape(
    'fetched-status-in-capitals',
    'GET /pets/{petId} shows the name of the enumeration constant: SOLD.',
    alone,
    editFields(fetched, ({ status }) => ({
      status: typeof status === 'string' ? status.toUpperCase() : status,
    })),
  ),
  shape(
    'listed-status-as-number',
    'Lists show the status as its ordinal.',
    [...inList, 'LIST-6'],
    editItems(({ status }) => ({ status: BigInt(statusNames.indexOf(String(status))) })),
  ),
  shape(
    'fetched-category-in-snake-case',
    'GET /pets/{petId} calls categoryId category_id.',
    alone,
    editFields(fetched, ({ categoryId }) => ({ categoryId: undefined, category_id: categoryId })),
  ),
  shape(
    'created-animal-nested',
    'A created animal is wrapped: {"pet": …}.',
    [...inCreation, 'CREATE-3', 'CREATE-9'],
    editJson(created, (pet) => ({ pet })),
  ),
  shape(
    'fetched-animal-nested',
    'A fetched animal is wrapped: {"data": …}.',
    alone,
    editJson(fetched, (data) => ({ data })),
  ),
  shape(
    'fetched-animal-in-an-array',
    'A fetched animal is the only item of an array.',
    alone,
    editJson(fetched, (pet) => [pet]),
  ),
  shape(
    'list-wrapped-in-data',
    'Lists are wrapped: {"data": […], "total": n}.',
    ['LIST-1', 'LIST-8'],
    editJson(listed, (data) => ({ data, total: BigInt(items(data).length) })),
  ),
  shape(
    'filtered-list-wrapped',
    'With a status, a list is wrapped: {"pets": […]}.',
    ['LIST-1', 'LIST-8'],
    editJson({ ...listed, when: (_reply, { url }) => url.searchParams.has('status') }, (pets) => ({ pets })),
  ),
  shape(
    'single-animal-for-a-list-of-one',
    'A list of one animal is that animal, without the array.',
    ['LIST-1', 'LIST-8'],
    editJson(listed, (body) => (items(body).length === 1 ? (items(body)[0] ?? body) : body)),
  ),
  shape(
    'list-padded-with-null',
    'The array has as many places as the limit, and null where animals end.',
    ['LIST-1'],
    editJson(listed, (body, { url }) => [
      ...items(body),
      ...Array<null>(Math.max(0, Number(url.searchParams.get('limit') ?? 20) - items(body).length)).fill(
        null,
      ),
    ]),
  ),
  shape(
    'fetched-animal-encoded-twice',
    'A fetched animal is a JSON string that holds JSON.',
    alone,
    editJson(fetched, stringifyJson),
  ),
  shape(
    'empty-names-left-out',
    'Falsy fields are left out: an animal with an empty name has no name.',
    [...everywhere, 'CREATE-2', 'LIST-8'],
    editPets({}, ({ name }) => (name === '' ? { name: undefined } : {})),
  ),
  shape(
    'category-zero-left-out',
    'Falsy fields are left out: an animal of the category 0 has no categoryId.',
    [...everywhere, 'CREATE-2', 'LIST-8'],
    editPets({}, ({ categoryId }) => (categoryId === 0n ? { categoryId: undefined } : {})),
  ),
];
