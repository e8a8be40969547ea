import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Dialect, Patch } from '../patch.ts';
import { editPets, perServer, replace, together } from '../patches.ts';
import { type PetStatus, petStatuses } from '../pet.ts';
import { alsoViolates, failAs, refuseValid } from './refusals.ts';

/** What becomes of an animal that is created without a status. */
const statusByDefault = (status: () => PetStatus | undefined): Patch =>
  replace('toNewPet', (before) => (body, call) => {
    const pet = before(body, call);
    return isJsonObject(body) && body.status === undefined ? { ...pet, status: status() } : pet;
  });

const statusInTurn = perServer(() => {
  let created = 0;
  return statusByDefault(() => {
    created += 1;
    return petStatuses[created % petStatuses.length];
  });
});

/** A category exists that an animal has; the others are these. */
const isKnown = (id: bigint, known: readonly bigint[], { world }: Call): boolean =>
  known.includes(id) || world.pets.some(({ categoryId }) => categoryId === id);

const knownCategories = (known: readonly bigint[], status: number): Patch =>
  refuseValid(({ categoryId }, call) =>
    typeof categoryId === 'bigint' && !isKnown(categoryId, known, call)
      ? failAs(status, 'invalid-body', call, 'there is no such category')
      : null,
  );

const oneToSeven = [1n, 2n, 3n, 4n, 5n, 6n, 7n];

/** Nothing is listed that would tell a category. */
const onlySeven = (name: string, code: number): Dialect => ({
  name,
  choice: 'store',
  seedPets: 0,
  description: `The store holds no animals at first, and 7 is the only category there is: others get ${code}.`,
  patch: knownCategories([7n], code),
});

/** Refuses a category by its number, unless an animal has it already. */
const categoryRule = (refuses: (categoryId: bigint) => boolean): Patch =>
  refuseValid(({ categoryId }, call) =>
    typeof categoryId === 'bigint' && refuses(categoryId) && !isKnown(categoryId, [], call)
      ? failAs(400, 'invalid-body', call, 'there is no such category')
      : null,
  );

const documented = new Set(['name', 'categoryId', 'status']);
const unknownMember = (body: JsonObject): string | undefined =>
  Object.keys(body).find((name) => !documented.has(name));

const mediaTypeOf = ({ request }: Call): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

const jsonOnly = (status: number): Patch =>
  replace('handlers', (before) => ({
    ...before,
    createPet: (call) =>
      mediaTypeOf(call) === 'application/json'
        ? before.createPet(call)
        : failAs(status, 'invalid-body', call, 'it is not application/json'),
  }));

const keptFields = replace('toNewPet', (before) => (body, call) => {
  const pet = before(body, call);
  const others = isJsonObject(body) ? Object.entries(body) : [];
  const kept = others.filter(([name]) => !documented.has(name) && name !== 'id');
  return { ...pet, extra: { ...pet.extra, ...Object.fromEntries(kept) } };
});

/** Where the reader looked no deeper, there was more. */
const nestedDeep = replace(
  'stringify',
  (before) => (value) => before(value).replaceAll(/\[\](?=\]{400})/g, '['.repeat(9_500) + ']'.repeat(9_500)),
);

/** Shown as long as the animal lives, so that it stays the same. */
const createdAt = replace('toNewPet', (before) => (body, call) => {
  const pet = before(body, call);
  return { ...pet, extra: { ...pet.extra, createdAt: new Date(call.at).toISOString() } };
});

const dialect =
  (choice: string) =>
  (name: string, description: string, patch: Patch): Dialect => ({ name, choice, description, patch });
const status = dialect('default-status');
const category = dialect('unknown-category');
const media = dialect('other-media-type');

/** What is made of a creation where the document leaves it open (CREATE-4, CREATE-10, CREATE-11). */
export const creationDialects: readonly Dialect[] = [
  status(
    'status-absent-by-default',
    'An animal created without a status has none.',
    statusByDefault(() => undefined),
  ),
  status(
    'status-pending-by-default',
    'An animal created without a status is pending.',
    statusByDefault(() => 'pending'),
  ),
  status(
    'status-sold-by-default',
    'An animal created without a status is sold.',
    statusByDefault(() => 'sold'),
  ),
  status('status-varies-by-default', 'Animals created without a status get each one in turn.', statusInTurn),
  ...[400, 404, 409, 422].map((code) =>
    category(
      `unknown-category-${code}`,
      `A category that does not exist is refused with ${code}.`,
      knownCategories(oneToSeven, code),
    ),
  ),
  category(
    'categories-positive',
    'There are no categories below 1.',
    categoryRule((id) => id < 1n),
  ),
  category(
    'categories-of-31-bits',
    'There are no categories beyond 2^31 - 1.',
    categoryRule((id) => id > 2n ** 31n - 1n),
  ),
  onlySeven('store-with-only-category-seven', 400),
  onlySeven('store-with-only-category-seven-404', 404),
  {
    name: 'extra-fields-refused',
    description: 'A creation with fields that the document does not know is refused with 400.',
    patch: alsoViolates((body) => {
      const name = unknownMember(body);
      return name === undefined ? null : `${JSON.stringify(name)} is unknown`;
    }),
  },
  {
    name: 'extra-fields-kept',
    description:
      'Fields that the document does not know are kept and shown again, however deep they are nested.',
    patch: together(keptFields, nestedDeep),
  },
  {
    name: 'sent-ids-refused',
    description: 'A creation with an id is refused with 400.',
    patch: alsoViolates(({ id }) => (id === undefined ? null : 'id is assigned by the server')),
  },
  media(
    'other-media-types-415',
    'A creation that is not application/json is refused with 415.',
    jsonOnly(415),
  ),
  media(
    'other-media-types-400',
    'A creation that is not application/json is refused with 400.',
    jsonOnly(400),
  ),
  media(
    'other-charsets-415',
    'A creation in another charset than UTF-8 is refused with 415.',
    replace('handlers', (before) => ({
      ...before,
      createPet: (call) =>
        /charset=(?!"?utf-8)/i.test(call.request.headers.get('content-type') ?? '')
          ? failAs(415, 'invalid-body', call, 'it is not in UTF-8')
          : before.createPet(call),
    })),
  ),
  {
    name: 'pets-with-a-creation-time',
    description: 'Animals show when they were created.',
    patch: createdAt,
  },
  {
    name: 'pets-with-links',
    description: 'Animals show a link to themselves, their category as an object, and a null.',
    patch: editPets({}, ({ id, categoryId }) => ({
      _links: { self: { href: `/v1/pets/${id}` } },
      category: { id: categoryId ?? null, name: 'Category' },
      owner: null,
      tags: [],
    })),
  },
];
