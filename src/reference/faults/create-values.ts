import { isJsonObject, type Json } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { Patch } from '../patch.ts';
import { replace } from '../patch-kit/core.ts';
import { accept, readField, respondToObject } from '../patch-kit/creations.ts';
import { errorReply, internalError } from '../patch-kit/responses.ts';
import { isInt64 } from '../pet.ts';
import { family } from './family.ts';

const name = readField('name');
const category = readField('categoryId');

/** A mistake in only one of two branches: creations with a status, or without one. */
const oneBranch = (hasStatus: boolean, patch: Patch): Patch =>
  replace('parseBody', (before, parts) => {
    const mistaken = patch({ ...parts, parseBody: before }).parseBody ?? before;
    return (bytes, call) => {
      const read = before(bytes, call);
      const isTaken = read.ok && isJsonObject(read.value) && (read.value.status !== undefined) === hasStatus;
      return isTaken ? mistaken(bytes, call) : read;
    };
  });

const limits = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const isTooLarge = (value: Json | undefined): value is bigint => typeof value === 'bigint' && !isInt64(value);

const isEndless = (value: Json | undefined): value is bigint =>
  typeof value === 'bigint' && value.toString().length > 100;

/** The integer that a text starts with. */
const leadingInteger = (text: string): bigint | null => {
  const digits = /^\s*([+-]?\d+)/.exec(text)?.[1];
  return digits === undefined ? null : BigInt(digits.replace('+', ''));
};

/** CREATE-6 for `name` and `categoryId`: an invalid value is refused with 400. */
export const createValueFaults = family('CREATE-6', {
  'negative-text-made-a-number': [
    'The server reads a string with a negative integer as categoryId.',
    category((value) => (typeof value === 'string' && /^-\d{1,18}$/.test(value) ? BigInt(value) : value)),
  ],
  'number-name-made-text': [
    'A name that is a number becomes its digits.',
    name((value) => (typeof value === 'bigint' || typeof value === 'number' ? stringifyJson(value) : value)),
  ],
  'boolean-name-made-text': [
    'A name that is a boolean becomes "true" or "false".',
    name((value) => (typeof value === 'boolean' ? String(value) : value)),
  ],
  'null-name-made-text': [
    'The name null becomes the text "null".',
    name((value) => (value === null ? 'null' : value)),
  ],
  'null-name-made-empty': ['The name null becomes empty.', name((value) => (value === null ? '' : value))],
  'array-name-joined': [
    'The server joins a name that is an array with commas.',
    name((value) => (Array.isArray(value) ? value.map((item: Json) => String(item)).join(',') : value)),
  ],
  'object-name-made-text': [
    'A name that is an object becomes [object Object].',
    name((value) => (isJsonObject(value) ? '[object Object]' : value)),
  ],
  'false-name-made-empty': ['The name false becomes empty.', name((value) => (value === false ? '' : value))],
  'category-text-made-number': [
    'The server reads a string of digits as categoryId.',
    category((value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : value)),
  ],
  'category-read-up-to-its-digits': [
    'The server reads the leading digits of a string as categoryId.',
    category((value) => (typeof value === 'string' ? (leadingInteger(value) ?? value) : value)),
  ],
  'empty-category-is-zero': [
    'The server reads an empty string as categoryId 0.',
    category((value) => (typeof value === 'string' && value.trim() === '' ? 0n : value)),
  ],
  'any-text-is-category-zero': [
    'The server reads a string without digits as categoryId 0.',
    category((value) => (typeof value === 'string' ? (leadingInteger(value) ?? 0n) : value)),
  ],
  'category-cut-to-whole': [
    'The server truncates a fractional categoryId.',
    category((value) =>
      typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : value,
    ),
  ],
  'category-rounded-when-nearly-whole': [
    'The server rounds a categoryId that is nearly an integer, such as 1.0000001.',
    category((value) =>
      typeof value === 'number' && Math.abs(value - Math.round(value)) < 0.001
        ? BigInt(Math.round(value))
        : value,
    ),
  ],
  'boolean-category-made-number': [
    'The server reads categoryId true or false as 1 or 0.',
    category((value) => (typeof value === 'boolean' ? BigInt(value) : value)),
  ],
  'false-category-is-zero': [
    'The server reads categoryId false as 0.',
    category((value) => (value === false ? 0n : value)),
  ],
  'null-category-is-zero': [
    'The server reads categoryId null as 0.',
    category((value) => (value === null ? 0n : value)),
  ],
  'category-in-an-array': [
    'The server reads an array of one integer as categoryId.',
    category((value) => (Array.isArray(value) && value.length === 1 && isInt64(value[0]) ? value[0] : value)),
  ],
  'empty-array-is-category-zero': [
    'The server reads an empty array as categoryId 0.',
    category((value) => (Array.isArray(value) && value.length === 0 ? 0n : value)),
  ],
  'category-object-read-by-its-id': [
    'The server reads an object as categoryId by its id, or as 0.',
    category((value) => (isJsonObject(value) ? (isInt64(value.id) ? value.id : 0n) : value)),
  ],
  'overflow-wraps': [
    'An integer beyond int64 wraps around.',
    category((value) => (isTooLarge(value) ? BigInt.asIntN(64, value) : value)),
  ],
  'overflow-told-by-its-sign': [
    'An integer beyond int64 wraps around if that keeps its sign: 2^64 + 1 becomes 1.',
    category((value) =>
      isTooLarge(value) && BigInt.asIntN(64, value) < 0n === value < 0n ? BigInt.asIntN(64, value) : value,
    ),
  ],
  'overflow-clamped': [
    'An integer beyond int64 becomes the nearest int64.',
    category((value) => (isTooLarge(value) ? (value > 0n ? limits.max : limits.min) : value)),
  ],
  'underflow-clamped': [
    'An integer below int64 becomes the least int64.',
    category((value) => (isTooLarge(value) && value < 0n ? limits.min : value)),
  ],
  'first-overflow-clamped': [
    '2^63 becomes the largest int64: a double cannot tell them apart.',
    category((value) => (value === 2n ** 63n ? limits.max : value)),
  ],
  'endless-integer-stored': [
    'The server does not compare integers of 100 digits or more with the bounds, and stores them.',
    accept('categoryId', isEndless),
    { companions: ['GEN-3'] },
  ],
  'unsigned-category-accepted': [
    'categoryId is an unsigned 64-bit integer: 2^63 and more are stored.',
    accept('categoryId', (value) => isTooLarge(value) && value > 0n && value < 2n ** 64n),
  ],
  'fraction-stored': [
    'The server stores a fractional categoryId.',
    accept('categoryId', (value) => typeof value === 'number' && Number.isFinite(value)),
  ],
  'null-category-stored': [
    'The server checks only that categoryId is present: null is stored.',
    accept('categoryId', (value) => value === null),
  ],
  'number-name-stored': [
    'The server stores an integer as name.',
    accept('name', (value) => typeof value === 'bigint'),
  ],
  'overflow-crashes': [
    'An integer beyond int64 fails in the database: 500.',
    respondToObject(({ categoryId }) => isTooLarge(categoryId), internalError),
    { companions: ['GEN-4'] },
  ],
  'null-name-crashes': [
    'The server reads the length of a null name: 500.',
    respondToObject((body) => body.name === null, internalError),
    { companions: ['GEN-4'] },
  ],
  'category-text-made-number-beside-a-status': [
    'With a status, the server reads a string of digits as categoryId.',
    oneBranch(
      true,
      category((value) => (typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value)),
    ),
  ],
  'null-name-made-empty-without-a-status': [
    'Without a status, the name null becomes empty.',
    oneBranch(
      false,
      name((value) => (value === null ? '' : value)),
    ),
  ],
  'wrong-types-are-422': [
    'A categoryId that is not a number gets 422, the default of frameworks.',
    respondToObject(
      ({ categoryId }) =>
        categoryId !== undefined && typeof categoryId !== 'bigint' && typeof categoryId !== 'number',
      errorReply(422, 'unprocessable'),
    ),
  ],
});
