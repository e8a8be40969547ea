import { decodeBody } from '../../json/decode.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { Patch } from '../patch.ts';
import { compose, handle, withState } from '../patch-kit/core.ts';
import { sentObject, storeAnyway } from '../patch-kit/creations.ts';
import { hideFromPlainList } from '../patch-kit/store.ts';
import { isInt64, isPetStatus, type NewPet, type Pet } from '../pet.ts';
import { family } from './family.ts';

/** The part of an invalid creation that can be stored; null: its name is not a text. */
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

/** The object at the start of a longer text; null: there is none. */
const firstObject = (bytes: Uint8Array): JsonObject | null => {
  const { text } = decodeBody(bytes);
  const end = text.lastIndexOf('}') + 1;
  const parsed = end < text.length ? parseJson(text.slice(0, end)) : null;
  return parsed?.ok && isJsonObject(parsed.value) ? parsed.value : null;
};

/** Stores a creation that is refused with 400, in this form; null: it is not stored. */
const storing = (formOf: (body: JsonObject) => JsonObject | null, seen: (pet: Pet) => void = () => {}) =>
  handle('createPet', async (call, before) => {
    const body = await sentObject(call);
    const reply = await before(call);
    const form = body !== null && reply.status === 400 ? formOf(body) : null;
    const pet = form === null ? null : remains(form);
    if (pet !== null) seen(await storeAnyway(pet, call));
    return reply;
  });

const storingIf = (when: (body: JsonObject) => boolean): Patch =>
  storing((body) => (when(body) ? body : null));

const hasBadStatus = ({ status }: JsonObject): boolean => status !== undefined && !isPetStatus(status);

/** CREATE-8: a creation that is refused stores nothing. */
export const createRefusedFaults = family('CREATE-8', {
  'stored-before-validated': ['The server stores an animal before it validates it.', storingIf(() => true)],
  'stored-without-its-bad-status': [
    'The server validates the status after it stored the animal.',
    storingIf(hasBadStatus),
  ],
  'stored-without-a-category': [
    'The server refuses a creation without a categoryId, but stores it in category 0.',
    storingIf(({ categoryId }) => categoryId === undefined),
  ],
  'stored-with-its-fraction-cut': [
    'The server refuses a fractional categoryId after it stored the animal.',
    storingIf(({ categoryId }) => typeof categoryId === 'number'),
  ],
  'stored-with-a-null': [
    'The server refuses a null when it reads the stored animal.',
    storingIf(({ categoryId, status }) => categoryId === null || status === null),
  ],
  'stored-with-its-overflow': [
    'The server refuses an integer beyond int64 after it stored the animal.',
    storingIf(({ categoryId }) => typeof categoryId === 'bigint' && !isInt64(categoryId)),
  ],
  'stored-with-a-name-of-another-type': [
    'The server refuses an integer as name, but stores it as text.',
    storing((body) => (typeof body.name === 'bigint' ? { ...body, name: String(body.name) } : null)),
  ],
  'stored-with-a-boolean-as-name': [
    'The server refuses a boolean as name, but stores it as text.',
    storing((body) => (typeof body.name === 'boolean' ? { ...body, name: String(body.name) } : null)),
  ],
  'stored-with-null-as-name': [
    'The server refuses null as name, but stores an empty name.',
    storing((body) => (body.name === null ? { ...body, name: '' } : null)),
  ],
  'stored-with-an-array-as-name': [
    'The server refuses an array as name, but stores its items as text.',
    storing((body) => (Array.isArray(body.name) ? { ...body, name: body.name.join(',') } : null)),
  ],
  'stored-with-an-object-as-name': [
    'The server refuses an object as name, but stores what JavaScript prints of it.',
    storing((body) => (isJsonObject(body.name) ? { ...body, name: '[object Object]' } : null)),
  ],
  'stored-with-a-fraction-as-name': [
    'The server refuses a fraction as name, but stores it as text.',
    storing((body) => (typeof body.name === 'number' ? { ...body, name: String(body.name) } : null)),
  ],
  'stored-without-a-name': [
    'The server refuses a creation without a name, but stores an empty name.',
    storing((body) => (body.name === undefined ? { ...body, name: '' } : null)),
  ],
  'stored-before-the-rest-is-read': [
    'The server stores an animal when its object ends, and refuses the text after it later.',
    handle('createPet', async (call, before) => {
      const body = await call.body();
      const reply = await before(call);
      const object = body.ok && reply.status === 400 ? firstObject(body.bytes) : null;
      const pet = object === null ? null : remains(object);
      if (pet !== null) await storeAnyway(pet, call);
      return reply;
    }),
  ],
  'refused-stored-with-the-next': [
    'A refused creation leaves its transaction open: the next success commits both.',
    withState(() => {
      const open: NewPet[] = [];
      return handle('createPet', async (call, before) => {
        const body = await sentObject(call);
        const reply = await before(call);
        const pet = body !== null && reply.status === 400 ? remains(body) : null;
        if (pet !== null) open.push(pet);
        if (reply.status === 201) for (const left of open.splice(0)) await storeAnyway(left, call);
        return reply;
      });
    }),
  ],
  'refused-listed-by-status': [
    'A refused creation stays in the index by status: only lists with its status show it.',
    withState(() => {
      const refused = new Set<bigint>();
      return compose(
        storing(
          (body) => body,
          ({ id }) => refused.add(id),
        ),
        hideFromPlainList(({ id }) => refused.has(id)),
      );
    }),
  ],
});
