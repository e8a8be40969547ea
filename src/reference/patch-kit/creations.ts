import { decodeBody } from '../../json/decode.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { BodyReading, Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import type { NewPet, Pet, PetStatus } from '../pet.ts';
import type { Reply } from '../reply.ts';
import { compose, handle, replace } from './core.ts';
import type { Condition } from './failures.ts';
import { type Fields, refuseAs, withFields } from './responses.ts';

/** The JSON value in a body, as the server parses it; null: it is not JSON. */
const jsonIn = (body: BodyReading, call: Call): Json => {
  const parsed = body.ok ? call.parts.parseBody(body.bytes, call) : null;
  return parsed?.ok ? parsed.value : null;
};

const objectIn = (body: BodyReading, call: Call): JsonObject | null => {
  const value = jsonIn(body, call);
  return isJsonObject(value) ? value : null;
};

/** The object in a body if it is a valid NewPet; null: it is not. */
export const validIn = (body: BodyReading, call: Call): JsonObject | null => {
  const value = objectIn(body, call);
  return value !== null && call.parts.violations(value).length === 0 ? value : null;
};

/** The body of a creation as text, with U+FFFD for bytes that are not UTF-8; null: it cannot be read. */
export async function sentText(call: Call): Promise<string | null> {
  const body = await call.body();
  return body.ok ? decodeBody(body.bytes).text : null;
}

/** The body of a creation as the server parses it; null: it is not JSON. */
export const sentJson = async (call: Call): Promise<Json> => jsonIn(await call.body(), call);

/** The body of a creation as the server parses it; null: it is not a JSON object. */
export const sentObject = async (call: Call): Promise<JsonObject | null> => objectIn(await call.body(), call);

/** The body of a valid creation; null: it is not valid. */
export const sentValid = async (call: Call): Promise<JsonObject | null> => validIn(await call.body(), call);

/** The body of a creation as a parser that allows repeated names reads it; undefined: it is not JSON. */
export async function sentLoosely(call: Call): Promise<Json | undefined> {
  const parsed = parseJson((await sentText(call)) ?? '');
  return parsed.ok ? parsed.value : undefined;
}

/** The animal that a creation describes; null: it is invalid. */
export async function sentPet(call: Call): Promise<NewPet | null> {
  const body = await sentValid(call);
  return body === null ? null : call.parts.toNewPet(body, call);
}

/** Selects creations by the text of their body. */
export const hasText =
  (test: (text: string) => boolean): Condition =>
  async (call) => {
    const text = await sentText(call);
    return text !== null && test(text);
  };

type Respond = (call: Call) => Reply | Promise<Reply>;

/** Responds in another way to creations, by the text of their body. */
export const respondToText = (when: (text: string) => boolean, respond: Respond): Patch =>
  handle('createPet', async (call, before) => {
    const body = await call.body();
    return body.ok && when(decodeBody(body.bytes).text) ? respond(call) : before(call);
  });

/** Responds in another way to creations whose body is a JSON object, valid or not. */
export const respondToObject = (when: (body: JsonObject) => boolean, respond: Respond): Patch =>
  handle('createPet', async (call, before) => {
    const body = await sentObject(call);
    return body !== null && when(body) ? respond(call) : before(call);
  });

/** Responds in another way to valid creations, and stores nothing then. */
export const respondToPet = (when: (pet: NewPet, call: Call) => boolean, respond: Respond): Patch =>
  handle('createPet', async (call, before) => {
    const pet = await sentPet(call);
    return pet !== null && when(pet, call) ? respond(call) : before(call);
  });

/** Refuses valid creations with 400, as if they were invalid. */
export const refusePet = (when: (pet: NewPet, call: Call) => boolean): Patch =>
  respondToPet(when, refuseAs('invalid-body'));

/** Changes the text of the body before it is read. */
export const rewriteSent = (read: (text: string) => string): Patch => {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  return replace(
    'parseBody',
    (before) => (bytes, call) => before(encoder.encode(read(decoder.decode(bytes))), call),
  );
};

/** Changes the body of a creation before it is validated: `edit` gives the fields to set. */
export const editSent = (edit: (body: JsonObject) => Fields): Patch =>
  replace('parseBody', (before) => (bytes, call) => {
    const parsed = before(bytes, call);
    if (!parsed.ok || !isJsonObject(parsed.value)) return parsed;
    return { ok: true, value: withFields(parsed.value, edit(parsed.value)) };
  });

/** Reads the value of a field of NewPet in another way; undefined: as if it were missing. */
export const readField =
  (field: 'name' | 'categoryId' | 'status') =>
  (read: (value: Json | undefined) => Json | undefined): Patch =>
    editSent((body) => ({ [field]: read(body[field]) }));

/** A field may be left out if it is not required. */
const validValues = { name: 'Rex', categoryId: 1n, status: undefined } as const;

/** Accepts invalid values of a field of NewPet, and shows them as they were sent; a missing one has some default. */
export const accept = (
  field: 'name' | 'categoryId' | 'status',
  accepted: (value: Json | undefined) => boolean,
): Patch =>
  compose(
    replace('violations', (before) => (body) => {
      const isAccepted = isJsonObject(body) && accepted(body[field]);
      return before(isAccepted ? withFields(body, { [field]: validValues[field] }) : body);
    }),
    replace('toNewPet', (before) => (body, call) => {
      const pet = before(body, call);
      if (!isJsonObject(body) || !accepted(body[field])) return pet;
      return { ...pet, extra: withFields(pet.extra, { [field]: body[field] }) };
    }),
  );

/** Changes an animal before it is stored: every response shows it changed. `body` is what was sent. */
export const changeStored = (change: (pet: NewPet, body: JsonObject, call: Call) => Partial<NewPet>): Patch =>
  replace('toNewPet', (before) => (body, call) => {
    const pet = before(body, call);
    return { ...pet, ...change(pet, isJsonObject(body) ? body : {}, call) };
  });

/** Changes a name before it is stored. */
export const changeName = (change: (name: string) => string): Patch =>
  changeStored(({ name }) => ({ name: change(name) }));

/** Stores a status for animals that are created without one: the document does not specify it. */
export const statusByDefault = (status: () => PetStatus | undefined): Patch =>
  replace('toNewPet', (before) => (body, call) => {
    const pet = before(body, call);
    return isJsonObject(body) && body.status === undefined ? { ...pet, status: status() } : pet;
  });

/** Shows fields of an animal in another way than the store has them, wherever it is shown. */
export const showInstead = (change: (pet: NewPet, body: JsonObject, call: Call) => Fields): Patch =>
  changeStored((pet, body, call) => ({ extra: withFields(pet.extra, change(pet, body, call)) }));

/** Changes a 201 and nothing that is stored: `edit` gives the fields to set, from the Pet and what was sent. */
export const editCreated = (edit: (pet: JsonObject, body: JsonObject) => Fields): Patch =>
  handle('createPet', async (call, before) => {
    const body = await sentObject(call);
    const reply = await before(call);
    if (reply.status !== 201 || reply.body === null || !('json' in reply.body)) return reply;
    const pet = reply.body.json;
    if (!isJsonObject(pet) || body === null) return reply;
    return { ...reply, body: { json: withFields(pet, edit(pet, body)) } };
  });

/** Stores an animal, with any response to its creation. */
export async function storeAnyway(pet: NewPet, call: Call): Promise<Pet> {
  const stored = { ...pet, id: await call.parts.assignId(pet, call.state) };
  await call.parts.insert(stored, call.state);
  return stored;
}

/** Repairs a text that is not JSON, and reads it once more. */
export const repairSent = (repair: (text: string) => string): Patch => {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  return replace('parseBody', (before) => (bytes, call) => {
    const parsed = before(bytes, call);
    const text = decoder.decode(bytes);
    const repaired = parsed.ok ? text : repair(text);
    return repaired === text ? parsed : before(encoder.encode(repaired), call);
  });
};
