import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, counter, handle, replace, withState } from '../patch-kit/core.ts';
import { editCreated, showInstead, statusByDefault, storeAnyway } from '../patch-kit/creations.ts';
import { alsoViolates, failAs, refuseValid } from '../patch-kit/refusals.ts';
import { editPets } from '../patch-kit/responses.ts';
import { whileSeeding } from '../patch-kit/store.ts';
import { isInt64, type Pet, petStatuses } from '../pet.ts';
import { choices, independent } from './choices.ts';

const statusInTurn = withState(() => {
  const creations = counter();
  return statusByDefault(() => petStatuses[creations() % petStatuses.length]);
});

/** Returns whether a category exists: an animal has it, or it is one of these. */
const isKnown = (id: bigint, known: readonly bigint[], { state }: Call): boolean =>
  known.includes(id) || state.pets.some(({ categoryId }) => categoryId === id);

const knownCategories = (known: readonly bigint[], status: number): Patch =>
  refuseValid(({ categoryId }, call) =>
    typeof categoryId === 'bigint' && !isKnown(categoryId, known, call)
      ? failAs(status, 'invalid-body', call, 'there is no such category')
      : null,
  );

const oneToSeven = [1n, 2n, 3n, 4n, 5n, 6n, 7n];

/** Refuses a category by its number, unless an animal has it already. */
const categoryRule = (refuses: (categoryId: bigint) => boolean): Patch =>
  refuseValid(({ categoryId }, call) =>
    typeof categoryId === 'bigint' && refuses(categoryId) && !isKnown(categoryId, [], call)
      ? failAs(400, 'invalid-body', call, 'there is no such category')
      : null,
  );

const firstOfEarlierRun = 4_000_000_000n;

const leftBehind = (pet: Pet): Pet => ({
  ...pet,
  name: `conformance-0abcdef-create-11-up-${pet.id}`,
  categoryId: firstOfEarlierRun + pet.id,
});

const isOfEarlierRun = (categoryId: bigint): boolean =>
  categoryId >= firstOfEarlierRun && categoryId < firstOfEarlierRun + 1_000n;

const idOf = (pet: Json): bigint | null => (isJsonObject(pet) && isInt64(pet.id) ? pet.id : null);

const documented = new Set(['name', 'categoryId', 'status']);
const unknownMember = (body: JsonObject): string | undefined =>
  Object.keys(body).find((name) => !documented.has(name));

const mediaTypeOf = ({ request }: Call): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

const jsonOnly = (status: number): Patch =>
  handle('createPet', (call, before) =>
    mediaTypeOf(call) === 'application/json'
      ? before(call)
      : failAs(status, 'invalid-body', call, 'it is not application/json'),
  );

const keptFields = showInstead((_pet, body) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !documented.has(name) && name !== 'id')),
);

/** Restores nesting that the parser did not read. */
const nestedDeep = replace(
  'stringify',
  (before) => (value) => before(value).replaceAll(/\[\](?=\]{400})/g, '['.repeat(9_500) + ']'.repeat(9_500)),
);

/** Stored with the animal, so that it never changes. */
const createdAt = showInstead((_pet, _body, { at }) => ({ createdAt: new Date(at).toISOString() }));

/** Choices about creations that the document does not specify (CREATE-4, CREATE-10, CREATE-11). */
export const creationDialects = [
  ...choices('default-status', {
    'status-absent-by-default': [
      'An animal created without a status has none.',
      statusByDefault(() => undefined),
    ],
    'status-pending-by-default': [
      'An animal created without a status is pending.',
      statusByDefault(() => 'pending'),
    ],
    'status-sold-by-default': ['An animal created without a status is sold.', statusByDefault(() => 'sold')],
    'default-status-not-in-the-201': [
      'The 201 shows what was sent; the default status comes from the database, and is shown afterwards.',
      compose(
        statusByDefault(() => 'available'),
        editCreated((pet, { status }) => ({ status: status === undefined ? undefined : pet.status })),
      ),
    ],
    'status-varies-by-default': ['Animals created without a status get each status in turn.', statusInTurn],
  }),
  ...choices('unknown-category', {
    'unknown-category-400': ['An unknown category gets 400.', knownCategories(oneToSeven, 400)],
    'unknown-category-404': ['An unknown category gets 404.', knownCategories(oneToSeven, 404)],
    'unknown-category-409': ['An unknown category gets 409.', knownCategories(oneToSeven, 409)],
    'unknown-category-422': ['An unknown category gets 422.', knownCategories(oneToSeven, 422)],
    'categories-positive': ['Categories start at 1.', categoryRule((id) => id < 1n)],
    'categories-of-an-earlier-run-unknown': [
      'Animals that an earlier run left have categories that are unknown now, and get 400.',
      compose(
        whileSeeding((isSeeding) =>
          replace(
            'insert',
            (before) => (pet, state) =>
              before(isSeeding() && pet.id % 3n === 0n ? leftBehind(pet) : pet, state),
          ),
        ),
        refuseValid(({ categoryId }, call) =>
          typeof categoryId === 'bigint' && isOfEarlierRun(categoryId)
            ? failAs(400, 'invalid-body', call, 'there is no such category')
            : null,
        ),
      ),
    ],
    'categories-of-31-bits': ['Categories end at 2^31 - 1.', categoryRule((id) => id > 2n ** 31n - 1n)],
  }),
  ...choices(
    'store',
    {
      // The lists show no category.
      'store-with-only-category-seven': [
        'The store is empty at first, and 7 is the only category: others get 400.',
        knownCategories([7n], 400),
      ],
      'store-with-only-category-seven-404': [
        'The store is empty at first, and 7 is the only category: others get 404.',
        knownCategories([7n], 404),
      ],
    },
    { seedPets: 0 },
  ),
  ...independent({
    'extra-fields-refused': [
      'Unknown fields in a creation get 400.',
      alsoViolates((body) => {
        const name = unknownMember(body);
        return name === undefined ? null : `${JSON.stringify(name)} is unknown`;
      }),
    ],
    'extra-fields-kept': [
      'Unknown fields are stored and shown, however deep they are nested.',
      compose(keptFields, nestedDeep),
    ],
    'creations-stored-twice': [
      'Each creation stores two animals with the same fields, and returns the first.',
      handle('createPet', async (call, before) => {
        const reply = await before(call);
        const id = reply.body !== null && 'json' in reply.body ? idOf(reply.body.json) : null;
        const pet = reply.status === 201 && id !== null ? call.state.petsById.get(id) : undefined;
        if (pet !== undefined) await storeAnyway(pet, call);
        return reply;
      }),
    ],
    'sent-ids-refused': [
      'An id in a creation gets 400.',
      alsoViolates(({ id }) => (id === undefined ? null : 'id is assigned by the server')),
    ],
  }),
  ...choices('other-media-type', {
    'other-media-types-415': ['A creation that is not application/json gets 415.', jsonOnly(415)],
    'other-media-types-400': ['A creation that is not application/json gets 400.', jsonOnly(400)],
    'other-charsets-415': [
      'A creation in another charset than UTF-8 gets 415.',
      handle('createPet', (call, before) =>
        /charset=(?!"?utf-8)/i.test(call.request.headers.get('content-type') ?? '')
          ? failAs(415, 'invalid-body', call, 'it is not in UTF-8')
          : before(call),
      ),
    ],
  }),
  ...independent({
    'pets-with-a-creation-time': ['Animals show their creation time.', createdAt],
    'pets-with-links': [
      'Animals show a link to themselves, their category as an object, and a null.',
      editPets({}, ({ id, categoryId }) => ({
        _links: { self: { href: `/v1/pets/${id}` } },
        category: { id: categoryId ?? null, name: 'Category' },
        owner: null,
        tags: [],
      })),
    ],
  }),
];
