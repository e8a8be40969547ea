import { type ParsedResponse, readPartOf } from '../http/parsed-response.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** Returns the animals of a list response, without items that are not objects. Null: not a JSON array. */
export const listedPets = (response: ParsedResponse): readonly JsonObject[] | null => {
  const value = response.json;
  return Array.isArray(value)
    ? value.filter((entry: Json): entry is JsonObject => isJsonObject(entry))
    : null;
};

/** Returns the animals of a list that may have been cut. */
export const petsRead = (response: ParsedResponse): readonly JsonObject[] | null => {
  const value = readPartOf(response);
  return Array.isArray(value) ? value.filter(isJsonObject) : null;
};

/** Returns the animal of a 200 or 201 response. Null: not a JSON object. */
export const petOf = (response: ParsedResponse): JsonObject | null => {
  const value = response.json;
  return isJsonObject(value) ? value : null;
};

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** Returns the exact id of an animal. Null: not an int64. */
export const idOf = (pet: JsonObject): bigint | null =>
  typeof pet.id === 'bigint' && pet.id >= minInt64 && pet.id <= maxInt64 ? pet.id : null;

/** The documented members of an animal. The first different one is shown. */
export const petMembers = ['id', 'name', 'categoryId', 'status'] as const;

/** Returns the first member in which two representations of an animal differ. */
export const differingMember = (a: JsonObject, b: JsonObject): string | undefined =>
  petMembers.find((member) => a[member] !== b[member]);

/** Returns the id in a path of getPet. Null: no id, or not in its usual form. */
export const idInPath = (path: string): bigint | null => {
  const [, digits] = /^\/pets\/(0|-?[1-9]\d{0,18})$/.exec(path) ?? [];
  return digits === undefined ? null : BigInt(digits);
};

/** Tells whether any common `trim` removes the character: Unicode white space, control characters, invisible marks. */
const isBlank = (character: string): boolean =>
  character <= ' ' || /[\s\u0085\u200b\u2060\ufeff]/u.test(character);

const trim = (name: string): string => {
  const characters = [...name];
  const first = characters.findIndex((character) => !isBlank(character));
  const last = characters.findLastIndex((character) => !isBlank(character));
  return characters.slice(Math.max(first, 0), last + 1).join('');
};

const normalize = (name: string): string => trim(name.normalize('NFKC')).normalize('NFKC');

/** Tells whether the same name came back. White space at its ends and Unicode normal form may differ (CREATE-2). */
export const isSameName = (sent: string, returned: Json | undefined): boolean =>
  typeof returned === 'string' && (sent === returned || normalize(sent) === normalize(returned));

/** The range of categories that only this run uses, away from the bounds of int64 and of doubles. */
const least = 2n ** 61n;
const most = 2n ** 62n - 1n;

export const isPrivateCategory = (categoryId: bigint): boolean => categoryId >= least && categoryId <= most;

/** Returns a different category for each text. */
export const privateCategory = (text: string): bigint =>
  least +
  ([...text].reduce((sum, character) => sum * 131n + BigInt(character.codePointAt(0) ?? 0), 0n) %
    (most - least));
