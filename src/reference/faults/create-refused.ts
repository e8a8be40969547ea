import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { Fault, Patch } from '../patch.ts';
import { handle, perServer, replace, together } from '../patches.ts';
import { isInt64, isPetStatus, type NewPet, type Pet } from '../pet.ts';
import { sentJson, storeAnyway } from './create-patches.ts';

/** What can be stored of an invalid creation, where its name can. */
const remains = (body: JsonObject): NewPet | null => {
  const { name, categoryId, status } = body;
  if (typeof name !== 'string') return null;
  return {
    name,
    categoryId: isInt64(categoryId) ? categoryId : 0n,
    status: isPetStatus(status) ? status : 'available',
    extra: {},
  };
};

/** The object with which a text begins that goes on behind it; null: it is no such text. */
const firstObject = (bytes: Uint8Array): JsonObject | null => {
  const text = new TextDecoder().decode(bytes);
  const end = text.lastIndexOf('}') + 1;
  const parsed = end < text.length ? parseJson(text.slice(0, end)) : null;
  return parsed?.ok && isJsonObject(parsed.value) ? parsed.value : null;
};

/** Stores a creation that is refused with 400 all the same, where `when` holds. */
const storing = (when: (body: JsonObject) => boolean, seen: (pet: Pet) => void = () => {}): Patch =>
  handle('createPet', async (call, before) => {
    const body = await sentJson(call);
    const reply = await before(call);
    const pet = isJsonObject(body) && reply.status === 400 && when(body) ? remains(body) : null;
    if (pet !== null) seen(await storeAnyway(pet, call));
    return reply;
  });

const stored = (name: string, description: string, when: (body: JsonObject) => boolean): Fault => ({
  name,
  requirement: 'CREATE-8',
  companions: [],
  description,
  patch: storing(when),
});

const hasBadStatus = ({ status }: JsonObject): boolean => status !== undefined && !isPetStatus(status);

/** CREATE-8: a creation that is refused stores nothing. */
export const createRefusedFaults: readonly Fault[] = [
  stored('stored-before-validated', 'An animal is stored first and validated after.', () => true),
  stored('stored-without-its-bad-status', 'The status is validated once the animal is stored.', hasBadStatus),
  stored(
    'stored-without-a-category',
    'A creation without a categoryId is refused, and stored in the category 0.',
    ({ categoryId }) => categoryId === undefined,
  ),
  stored(
    'stored-with-its-fraction-cut',
    'A categoryId with a fraction is refused once the animal is stored.',
    ({ categoryId }) => typeof categoryId === 'number',
  ),
  stored(
    'stored-with-a-null',
    'The refusal of a null comes from reading the stored animal.',
    ({ categoryId, status }) => categoryId === null || status === null,
  ),
  stored(
    'stored-with-its-overflow',
    'An integer beyond int64 is refused once the animal is stored.',
    ({ categoryId }) => typeof categoryId === 'bigint' && !isInt64(categoryId),
  ),
  {
    name: 'stored-with-a-name-of-another-type',
    requirement: 'CREATE-8',
    companions: [],
    description: 'A creation whose name is not a string is refused, and stored with the name as a text.',
    patch: handle('createPet', async (call, before) => {
      const body = await sentJson(call);
      const reply = await before(call);
      const isRefused = isJsonObject(body) && reply.status === 400 && typeof body.name === 'bigint';
      const pet = isRefused ? remains({ ...body, name: String(body.name) }) : null;
      if (pet !== null) await storeAnyway(pet, call);
      return reply;
    }),
  },
  {
    name: 'stored-without-a-name',
    requirement: 'CREATE-8',
    companions: [],
    description: 'A creation without a name is refused, and stored with an empty one.',
    patch: handle('createPet', async (call, before) => {
      const body = await sentJson(call);
      const reply = await before(call);
      const isNameless = isJsonObject(body) && reply.status === 400 && body.name === undefined;
      const pet = isNameless ? remains({ ...body, name: '' }) : null;
      if (pet !== null) await storeAnyway(pet, call);
      return reply;
    }),
  },
  {
    name: 'stored-before-the-rest-is-read',
    requirement: 'CREATE-8',
    companions: [],
    description: 'An animal is stored when its object is read; what stands behind that is refused after.',
    patch: handle('createPet', async (call, before) => {
      const body = await call.body();
      const reply = await before(call);
      const object = body.ok && reply.status === 400 ? firstObject(body.bytes) : null;
      const pet = object === null ? null : remains(object);
      if (pet !== null) await storeAnyway(pet, call);
      return reply;
    }),
  },
  {
    name: 'refused-stored-with-the-next',
    requirement: 'CREATE-8',
    companions: [],
    description: 'A refused creation leaves its transaction open: the next one that succeeds commits both.',
    patch: perServer(() => {
      const open: NewPet[] = [];
      return handle('createPet', async (call, before) => {
        const body = await sentJson(call);
        const reply = await before(call);
        const pet = isJsonObject(body) && reply.status === 400 ? remains(body) : null;
        if (pet !== null) open.push(pet);
        if (reply.status === 201) for (const left of open.splice(0)) await storeAnyway(left, call);
        return reply;
      });
    }),
  },
  {
    name: 'refused-listed-by-status',
    requirement: 'CREATE-8',
    companions: [],
    description:
      'A refused creation stays in the index by status: it is listed under its status, and not in the plain list.',
    patch: perServer(() => {
      const refused = new Set<bigint>();
      return together(
        storing(
          () => true,
          ({ id }) => refused.add(id),
        ),
        replace('select', (before) => (pets, query, call) => {
          if (query.status !== undefined) return before(pets, query, call);
          return before(
            [...pets].filter(({ id }) => !refused.has(id)),
            query,
            call,
          );
        }),
      );
    }),
  },
];
