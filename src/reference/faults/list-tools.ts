import type { Json } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import type { Call, ListQuery, Operation, Reading } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { editJson, handle, replace } from '../patches.ts';
import type { Pet } from '../pet.ts';
import { type Reply, textReply } from '../reply.ts';

/** The page with which a framework reports an error that nobody caught. */
export const errorPage: Reply = textReply(500, 'text/html', '<!doctype html><h1>Internal Server Error</h1>');

/** The handler of an operation throws for some requests. */
export const failWhen = (operation: Operation, when: (call: Call) => boolean): Patch =>
  handle(operation, (call, before) => (when(call) ? errorPage : before(call)));

/** A value of a query parameter; null where there is none. */
export const asked = (call: Call, parameter: 'limit' | 'status'): string | null =>
  call.url.searchParams.get(parameter);

export const limitOf = (value: number): Reading<number> => ({ ok: true, value });

/** Reads a `limit` that was given, once, in another way. */
export const readGivenLimit = (read: (text: string, standard: Reading<number>) => Reading<number>): Patch =>
  replace('readLimit', (before) => (values) => {
    const [text] = values;
    return text === undefined || values.length > 1 ? before(values) : read(text, before(values));
  });

/** Serves another number of animals than a valid `limit` says. */
export const serveInstead = (served: (limit: number) => number): Patch =>
  readGivenLimit((_text, standard) => (standard.ok ? limitOf(served(standard.value)) : standard));

/** Applies another query to the animals than the one that was sent. */
export const queryInstead = (query: (sent: ListQuery, call: Call) => ListQuery): Patch =>
  replace('select', (before) => (pets, sent, call) => before(pets, query(sent, call), call));

/** Selects among other animals than those of the store. */
export const selectAmong = (
  animals: (pets: readonly Pet[], query: ListQuery, call: Call) => readonly Pet[],
): Patch =>
  replace('select', (before) => (pets, query, call) => before(animals([...pets], query, call), query, call));

/** Changes the array of a successful list. */
export const editList = (edit: (entries: readonly Json[], call: Call) => Json): Patch =>
  editJson({ operation: 'listPets', status: 200 }, (body, call) =>
    Array.isArray(body) ? edit(body, call) : body,
  );

/** An animal that is created without a status has none: the document leaves that open. */
export const statusStaysOmitted: Patch = replace('toNewPet', (before) => (body, call) => {
  const pet = before(body, call);
  return isJsonObject(body) && body.status === undefined ? { ...pet, status: undefined } : pet;
});
