import { type ParsedResponse, readPartOf } from '../http/parsed-response.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** The animals of a list response; null where it is no JSON array. Entries that are no objects are left out. */
export const listedPets = (response: ParsedResponse): readonly JsonObject[] | null => {
  const value = response.json;
  return Array.isArray(value)
    ? value.filter((entry: Json): entry is JsonObject => isJsonObject(entry))
    : null;
};

/** As many animals as were read of a list, which may have been cut. */
export const petsRead = (response: ParsedResponse): readonly JsonObject[] | null => {
  const value = readPartOf(response);
  return Array.isArray(value) ? value.filter(isJsonObject) : null;
};

/** The animal of a 200 or 201 response; null where it is no JSON object. */
export const petOf = (response: ParsedResponse): JsonObject | null => {
  const value = response.json;
  return isJsonObject(value) ? value : null;
};

const leastInt64 = -(2n ** 63n);
const mostInt64 = 2n ** 63n - 1n;

/** The id of an animal, to the digit; null where it is no int64. */
export const idOf = (pet: JsonObject): bigint | null =>
  typeof pet.id === 'bigint' && pet.id >= leastInt64 && pet.id <= mostInt64 ? pet.id : null;

/** The members that the document gives an animal, in the order in which differences are shown. */
export const petMembers = ['id', 'name', 'categoryId', 'status'] as const;

/** The first member in which two representations of an animal differ. */
export const differingMember = (a: JsonObject, b: JsonObject): string | undefined =>
  petMembers.find((member) => a[member] !== b[member]);

/** The id that a path of getPet names, where it is written as usual; null: none. */
export const idInPath = (path: string): bigint | null => {
  const [, digits] = /^\/pets\/(0|-?[1-9]\d{0,18})$/.exec(path) ?? [];
  return digits === undefined ? null : BigInt(digits);
};

// White space by any stack's trim: Unicode's, the control characters that some count in, and invisible marks.
const isBlank = (character: string): boolean =>
  character <= ' ' || /[\s\u0085\u200b\u2060\ufeff]/u.test(character);

const trimmed = (name: string): string => {
  const characters = [...name];
  const first = characters.findIndex((character) => !isBlank(character));
  const last = characters.findLastIndex((character) => !isBlank(character));
  return characters.slice(Math.max(first, 0), last + 1).join('');
};

const normalize = (name: string): string => trimmed(name.normalize('NFKC')).normalize('NFKC');

/** The name came back: white space at its ends and Unicode normal form aside (CREATE-2). */
export const isSameName = (sent: string, back: Json | undefined): boolean =>
  typeof back === 'string' && (sent === back || normalize(sent) === normalize(back));

/** Where the run takes categories from that nobody else will have: away from the extremes of int64 and of doubles. */
const least = 2n ** 61n;
const most = 2n ** 62n - 1n;

export const isPrivateCategory = (categoryId: bigint): boolean => categoryId >= least && categoryId <= most;

/** A category of its own for every text. */
export const privateCategory = (text: string): bigint =>
  least +
  ([...text].reduce((sum, character) => sum * 131n + BigInt(character.codePointAt(0) ?? 0), 0n) %
    (most - least));
