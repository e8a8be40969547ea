import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Patch } from '../patch.ts';
import { handle, withState } from '../patch-kit/core.ts';
import { respondToObject, respondToPet, sentText } from '../patch-kit/creations.ts';
import { errorReply, internalError } from '../patch-kit/responses.ts';
import type { Reply } from '../reply.ts';
import { mixed } from './family.ts';

/** The parameters of the query, as a framework merges them with the body. */
const fieldsOf = (query: URLSearchParams): JsonObject => ({
  ...Object.fromEntries(query),
  ...(/^\d{1,18}$/.test(query.get('categoryId') ?? '')
    ? { categoryId: BigInt(query.get('categoryId') ?? '') }
    : {}),
});

const nameOf = (query: URLSearchParams): JsonObject =>
  query.has('name') ? { name: query.get('name') ?? '' } : {};

/** Reads fields that the body lacks from the query. */
const completedBy = (given: (query: URLSearchParams) => JsonObject): Patch =>
  handle('createPet', async (call, before) => {
    const parseBody: typeof call.parts.parseBody = (bytes, inner) => {
      const parsed = call.parts.parseBody(bytes, inner);
      return parsed.ok && isJsonObject(parsed.value)
        ? { ...parsed, value: { ...given(call.url.searchParams), ...parsed.value } }
        : parsed;
    };
    return before({ ...call, parts: { ...call.parts, parseBody } });
  });

/** Refuses names that are like another one, and not the same. */
const likeAnother = (plain: (name: string) => string, respond: typeof internalError): Patch =>
  respondToPet(
    ({ name }, { state }) => state.pets.some((pet) => pet.name !== name && plain(pet.name) === plain(name)),
    respond,
  );

/** Creations that fail because of similar creations, or because of another part of the request. */
export const createTwinFaults = mixed({
  'the-same-creation-at-once-is-one': [
    'CREATE-3',
    'Identical concurrent requests share one response: two creations store one animal.',
    withState(() => {
      const underWay = new Map<string, Promise<Reply>>();
      return handle('createPet', async (call, before) => {
        const text = (await sentText(call)) ?? '';
        const first = underWay.get(text);
        if (first !== undefined) return first;
        const reply = call.state.clock.sleep(5).then(() => before(call));
        underWay.set(text, reply);
        return reply.finally(() => underWay.delete(text));
      });
    }),
    { companions: ['CREATE-8'] },
  ],
  'names-unique-by-their-beginning': [
    'CREATE-1',
    'The index of names holds 24 characters: a name that begins like another gets 409.',
    likeAnother((name) => name.slice(0, 24), errorReply(409, 'conflict')),
    { companions: ['GEN-1', 'CREATE-3', 'CREATE-10'] },
  ],
  'taken-name-in-another-case-fails': [
    'GEN-4',
    'The database compares names without case, the validation with case: 500.',
    likeAnother((name) => name.toLowerCase(), internalError),
    { companions: ['CREATE-11'] },
  ],
  'query-completes-the-body': [
    'CREATE-5',
    'The framework merges query and body: the query provides missing fields.',
    completedBy(fieldsOf),
  ],
  'query-completes-the-name': [
    'CREATE-5',
    'The framework merges query and body: the query provides a missing name.',
    completedBy(nameOf),
  ],
  'null-as-an-id-crashes': [
    'GEN-4',
    'The server looks up an id that is null: 500.',
    respondToObject(({ id }) => id === null, internalError),
    { companions: ['CREATE-10'] },
  ],
});
