import type { Json, JsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { Patch } from '../patch.ts';
import { compose, replace } from '../patch-kit/core.ts';
import { editFields, editJson, editPets, type Fields } from '../patch-kit/responses.ts';
import { idsBeyond, whileSeeding } from '../patch-kit/store.ts';
import { petStatuses } from '../pet.ts';
import { family } from './family.ts';

const listed = { operation: 'listPets', status: 200 } as const;
const created = { operation: 'createPet', status: 201 } as const;
const fetched = { operation: 'getPet', status: 200 } as const;

const statusNames: readonly string[] = petStatuses;

const asText = (value: Json | undefined): Json | undefined =>
  typeof value === 'bigint' ? value.toString() : value;
const capital = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' ? value.charAt(0).toUpperCase() + value.slice(1) : value;

const items = (body: Json): readonly Json[] => (Array.isArray(body) ? body : []);
const editItems = (edit: (pet: JsonObject) => Fields): Patch => editPets({ operation: 'listPets' }, edit);

const everywhere = ['LIST-1', 'CREATE-1', 'GET-1', 'GET-4'];
const inList = ['LIST-1', 'LIST-8'];
const inCreation = ['CREATE-1', 'CREATE-2'];
const alone = ['GET-1', 'GET-4'];

/** Mistakes in the shape of successful responses. */
export const shapeFaults = family('GEN-3', {
  'ids-as-strings': [
    'Ids are strings of digits.',
    editPets({}, ({ id }) => ({ id: asText(id) })),
    { companions: [...everywhere, 'CREATE-3', 'LIST-8'] },
  ],
  'fetched-id-as-string': [
    'GET /pets/{petId} shows the id as a string.',
    editFields(fetched, ({ id }) => ({ id: asText(id) })),
    { companions: alone },
  ],
  'large-categories-as-strings': [
    'A categoryId beyond 2^53 is a string, for JavaScript.',
    editPets({}, ({ categoryId }) =>
      typeof categoryId === 'bigint' && (categoryId > 2n ** 53n || categoryId < -(2n ** 53n))
        ? { categoryId: asText(categoryId) }
        : {},
    ),
    { companions: [...everywhere, 'CREATE-2', 'CREATE-9', 'LIST-8'] },
  ],
  'listed-category-as-string': [
    'Lists show categoryId as a string.',
    editItems(({ categoryId }) => ({ categoryId: asText(categoryId) })),
    { companions: inList },
  ],
  'category-beyond-int64-left-by-an-earlier-run': [
    'An earlier version stored a categoryId beyond int64, which this version lists and would refuse.',
    whileSeeding((isSeeding) =>
      replace('insert', (before) => (pet, state) => {
        const left = { name: 'conformance-0abcdef-create-6-md-5', categoryId: 9_223_372_036_854_776_000n };
        return before(isSeeding() && pet.id % 2n === 1n ? { ...pet, ...left } : pet, state);
      }),
    ),
    { companions: ['LIST-1', 'GET-1', 'GET-4'] },
  ],
  'ids-beyond-int64': [
    'Ids are unsigned: they start at 2^63.',
    compose(
      idsBeyond(2n ** 63n),
      replace('readPetId', () => (text) => (/^\d{1,20}$/.test(text) ? BigInt(text) : null)),
    ),
    { companions: [...everywhere, 'CREATE-3'] },
  ],
  'ids-with-a-fraction': [
    'Ids are doubles with a rounding error: 7.000001.',
    editPets({}, ({ id }) => ({ id: Number(id) + 0.000001 })),
    { companions: [...everywhere, 'CREATE-3', 'LIST-8'] },
  ],
  'listed-names-null-while-pending': [
    'Lists show the names of pending animals as null.',
    editItems(({ status }) => (status === 'pending' ? { name: null } : {})),
    { companions: inList },
  ],
  'listed-names-missing': [
    'Lists are summaries without names.',
    editItems(() => ({ name: undefined })),
    { companions: inList },
  ],
  'status-capitalised': [
    'Statuses are shown as labels: Available, Pending, Sold.',
    editPets({}, ({ status }) => ({ status: capital(status) })),
    { companions: [...everywhere, 'CREATE-2', 'CREATE-4', 'LIST-6', 'LIST-8'] },
  ],
  'fetched-status-in-capitals': [
    'GET /pets/{petId} shows the constant of the status: SOLD.',
    editFields(fetched, ({ status }) => ({
      status: typeof status === 'string' ? status.toUpperCase() : status,
    })),
    { companions: alone },
  ],
  'listed-status-as-number': [
    'Lists show the status as its number.',
    editItems(({ status }) => ({ status: BigInt(statusNames.indexOf(String(status))) })),
    { companions: [...inList, 'LIST-6'] },
  ],
  'fetched-category-in-snake-case': [
    'GET /pets/{petId} shows categoryId as category_id.',
    editFields(fetched, ({ categoryId }) => ({ categoryId: undefined, category_id: categoryId })),
    { companions: alone },
  ],
  'created-animal-nested': [
    'A created animal is wrapped: {"pet": …}.',
    editJson(created, (pet) => ({ pet })),
    { companions: [...inCreation, 'CREATE-3', 'CREATE-9'] },
  ],
  'fetched-animal-nested': [
    'A fetched animal is wrapped: {"data": …}.',
    editJson(fetched, (data) => ({ data })),
    { companions: alone },
  ],
  'fetched-animal-in-an-array': [
    'A fetched animal is an array of one.',
    editJson(fetched, (pet) => [pet]),
    { companions: alone },
  ],
  'list-wrapped-in-data': [
    'Lists are wrapped: {"data": […], "total": n}.',
    editJson(listed, (data) => ({ data, total: BigInt(items(data).length) })),
    { companions: ['LIST-1', 'LIST-8'] },
  ],
  'filtered-list-wrapped': [
    'With a status, a list is wrapped: {"pets": […]}.',
    editJson({ ...listed, when: (_reply, { url }) => url.searchParams.has('status') }, (pets) => ({ pets })),
    { companions: ['LIST-1', 'LIST-8'] },
  ],
  'single-animal-for-a-list-of-one': [
    'A list of one animal is that animal, without the array.',
    editJson(listed, (body) => (items(body).length === 1 ? (items(body)[0] ?? body) : body)),
    { companions: ['LIST-1', 'LIST-8'] },
  ],
  'list-padded-with-null': [
    'Null fills the array up to the limit.',
    editJson(listed, (body, { url }) => {
      // Another fault may allow any limit.
      const length = Math.min(100, Number(url.searchParams.get('limit') ?? 20));
      return [...items(body), ...Array<null>(Math.max(0, length - items(body).length)).fill(null)];
    }),
    { companions: ['LIST-1'] },
  ],
  'fetched-animal-encoded-twice': [
    'A fetched animal is a JSON string that contains JSON.',
    editJson(fetched, stringifyJson),
    { companions: alone },
  ],
  'empty-names-left-out': [
    'Falsy fields are omitted: an animal with an empty name has no name.',
    editPets({}, ({ name }) => (name === '' ? { name: undefined } : {})),
    { companions: [...everywhere, 'CREATE-2', 'LIST-8'] },
  ],
  'category-zero-left-out': [
    'Falsy fields are omitted: an animal of category 0 has no categoryId.',
    editPets({}, ({ categoryId }) => (categoryId === 0n ? { categoryId: undefined } : {})),
    { companions: [...everywhere, 'CREATE-2', 'LIST-8'] },
  ],
});
