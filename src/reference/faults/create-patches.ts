import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { handle, replace, withFields } from '../patches.ts';
import type { NewPet, Pet } from '../pet.ts';
import type { Reply } from '../reply.ts';

/** Where an animal is answered with in the wrong shape once it is stored, every answer that shows it breaches these. */
export const shownEverywhere: readonly string[] = ['GEN-3', 'CREATE-1', 'LIST-1', 'GET-1'];

/** The JSON value that a creation sent; null where its body is no JSON. */
export async function sentJson(call: Call): Promise<Json> {
  const body = await call.body();
  if (!body.ok) return null;
  const parsed = call.parts.parseBody(body.bytes, call);
  return parsed.ok ? parsed.value : null;
}

/** The animal that a creation asks for; null where what it sent is invalid. */
export async function sentPet(call: Call): Promise<NewPet | null> {
  const body = await sentJson(call);
  return call.parts.violations(body).length > 0 ? null : call.parts.toNewPet(body, call);
}

/** Changes an animal before it is stored: every answer shows it changed. `body` is what was sent. */
export const changeStored = (change: (pet: NewPet, body: JsonObject) => Partial<NewPet>): Patch =>
  replace('toNewPet', (before) => (body, call) => {
    const pet = before(body, call);
    return { ...pet, ...change(pet, isJsonObject(body) ? body : {}) };
  });

/** Shows fields of an animal in another way than the store understands them, wherever it is shown. */
export const showInstead = (change: (pet: NewPet, body: JsonObject) => JsonObject): Patch =>
  changeStored((pet, body) => ({ extra: withFields(pet.extra, change(pet, body)) }));

/** Answers valid creations in another way, and stores nothing then. */
export const refuseValid = (
  when: (pet: NewPet, call: Call) => boolean,
  answer: (call: Call) => Reply,
): Patch =>
  handle('createPet', async (call, before) => {
    const pet = await sentPet(call);
    return pet !== null && when(pet, call) ? answer(call) : before(call);
  });

/** Refuses valid creations with 400, as if they were invalid. */
export const refuseValidAsInvalid = (when: (pet: NewPet, call: Call) => boolean): Patch =>
  refuseValid(when, (call) => call.parts.fail('invalid-body', call));

/** Answers creations whose body is a JSON object, valid or not, in another way where `when` holds. */
export const answerWhere = (when: (body: JsonObject) => boolean, answer: (call: Call) => Reply): Patch =>
  handle('createPet', async (call, before) => {
    const body = await sentJson(call);
    return isJsonObject(body) && when(body) ? answer(call) : before(call);
  });

/** Changes a 201 and nothing that is stored: `edit` gives the fields to set, from the Pet and what was sent. */
export const editCreated = (
  edit: (pet: JsonObject, body: JsonObject) => Readonly<Record<string, Json | undefined>>,
): Patch =>
  handle('createPet', async (call, before) => {
    const body = await sentJson(call);
    const reply = await before(call);
    if (reply.status !== 201 || reply.body === null || !('json' in reply.body)) return reply;
    const pet = reply.body.json;
    if (!isJsonObject(pet) || !isJsonObject(body)) return reply;
    return { ...reply, body: { json: withFields(pet, edit(pet, body)) } };
  });

/** An Error of any status. */
export const problem =
  (status: number, code: string) =>
  (call: Call): Reply => {
    const reply = call.parts.fail('invalid-body', call);
    const message = 'The request cannot be processed';
    return { ...reply, status, body: { json: call.parts.renderError({ status, code, message }, call) } };
  };

/** What servers answer with where an exception is not caught. */
export const internalError = problem(500, 'internal_error');

/** Puts an animal in the place of the one with its id. */
export const putInPlace: Patch = replace('insert', (before) => (pet, world) => {
  const at = world.pets.findIndex(({ id }) => id === pet.id);
  if (at < 0) return before(pet, world);
  world.pets[at] = pet;
  world.petsById.set(pet.id, pet);
});

/** Stores an animal in spite of what its creation was answered with. */
export async function storeAnyway(pet: NewPet, call: Call): Promise<Pet> {
  const stored = { ...pet, id: await call.parts.assignId(pet, call.world) };
  await call.parts.insert(stored, call.world);
  return stored;
}
