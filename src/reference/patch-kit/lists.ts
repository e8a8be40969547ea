import type { Json } from '../../json/json.ts';
import type { Call, ListQuery, ReadResult } from '../parts.ts';
import type { Patch } from '../patch.ts';
import type { Pet } from '../pet.ts';
import { replace } from './core.ts';
import { editJson } from './responses.ts';

/** The value of a query parameter; null: there is none. */
export const queryValue = (call: Call, parameter: 'limit' | 'status'): string | null =>
  call.url.searchParams.get(parameter);

export const limitOf = (value: number): ReadResult<number> => ({ ok: true, value });

/** Reads a `limit` that was sent once in another way. */
export const readGivenLimit = (
  read: (text: string, standard: ReadResult<number>) => ReadResult<number>,
): Patch =>
  replace('readLimit', (before) => (values) => {
    const [text] = values;
    return text === undefined || values.length > 1 ? before(values) : read(text, before(values));
  });

/** Applies another limit instead of the valid one that was sent. */
export const serveInstead = (served: (limit: number) => number): Patch =>
  readGivenLimit((_text, standard) => (standard.ok ? limitOf(served(standard.value)) : standard));

/** Applies another query instead of the one that was sent. */
export const queryInstead = (query: (sent: ListQuery, call: Call) => ListQuery): Patch =>
  replace('select', (before) => (pets, sent, call) => before(pets, query(sent, call), call));

/** Selects from other animals instead of the stored ones. */
export const selectAmong = (
  animals: (pets: readonly Pet[], query: ListQuery, call: Call) => readonly Pet[],
): Patch =>
  replace('select', (before) => (pets, query, call) => before(animals([...pets], query, call), query, call));

/** Changes the array of a successful list. */
export const editList = (edit: (entries: readonly Json[], call: Call) => Json): Patch =>
  editJson({ operation: 'listPets', status: 200 }, (body, call) =>
    Array.isArray(body) ? edit(body, call) : body,
  );
