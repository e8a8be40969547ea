import { isJsonObject, type Json } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { Fault } from '../patch.ts';
import { accept, editSent, replace } from '../patches.ts';
import { isInt64 } from '../pet.ts';
import { answerWhere, internalError, problem } from './create-patches.ts';

/** An invalid value that is read as if another one had been sent. */
const readAs =
  (field: 'name' | 'categoryId') =>
  (name: string, description: string, read: (value: Json | undefined) => Json | undefined): Fault => ({
    name,
    requirement: 'CREATE-6',
    companions: [],
    description,
    patch: editSent((body) => ({ [field]: read(body[field]) })),
  });

const name = readAs('name');
const category = readAs('categoryId');

/** A mistake of the one of two branches alone that creations take, with a status and without. */
const oneBranch = (fault: Fault, hasStatus: boolean): Fault => ({
  ...fault,
  patch: replace('parseBody', (before, parts) => {
    const mistaken = fault.patch({ ...parts, parseBody: before }).parseBody ?? before;
    return (bytes, call) => {
      const read = before(bytes, call);
      const isTaken = read.ok && isJsonObject(read.value) && (read.value.status !== undefined) === hasStatus;
      return isTaken ? mistaken(bytes, call) : read;
    };
  }),
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
export const createValueFaults: readonly Fault[] = [
  category(
    'negative-text-made-a-number',
    'A categoryId that is the text of a negative number is read.',
    (value) => (typeof value === 'string' && /^-\d{1,18}$/.test(value) ? BigInt(value) : value),
  ),
  name('number-name-made-text', 'A name that is a number becomes its digits.', (value) =>
    typeof value === 'bigint' || typeof value === 'number' ? stringifyJson(value) : value,
  ),
  name('boolean-name-made-text', 'A name that is a boolean becomes the word for it.', (value) =>
    typeof value === 'boolean' ? String(value) : value,
  ),
  name('null-name-made-text', 'The name null becomes the text null.', (value) =>
    value === null ? 'null' : value,
  ),
  name('null-name-made-empty', 'The name null becomes an empty name.', (value) =>
    value === null ? '' : value,
  ),
  name('array-name-joined', 'A name that is an array is joined with commas.', (value) =>
    Array.isArray(value) ? value.map((item: Json) => String(item)).join(',') : value,
  ),
  name('object-name-made-text', 'A name that is an object becomes [object Object].', (value) =>
    isJsonObject(value) ? '[object Object]' : value,
  ),
  name('false-name-made-empty', 'The name false is taken for an empty one.', (value) =>
    value === false ? '' : value,
  ),
  category(
    'category-text-made-number',
    'A categoryId that is a string of digits is read as the integer.',
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : value),
  ),
  category(
    'category-read-up-to-its-digits',
    'A categoryId that is a string is read as far as it is digits.',
    (value) => (typeof value === 'string' ? (leadingInteger(value) ?? value) : value),
  ),
  category('empty-category-is-zero', 'A categoryId that is an empty string is read as 0.', (value) =>
    typeof value === 'string' && value.trim() === '' ? 0n : value,
  ),
  category(
    'any-text-is-category-zero',
    'A categoryId that is a string without digits is read as 0.',
    (value) => (typeof value === 'string' ? (leadingInteger(value) ?? 0n) : value),
  ),
  category('category-cut-to-whole', 'A categoryId with a fraction loses it.', (value) =>
    typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : value,
  ),
  category(
    'category-rounded-when-nearly-whole',
    'A categoryId that is nearly whole, such as 1.0000001, is rounded.',
    (value) =>
      typeof value === 'number' && Math.abs(value - Math.round(value)) < 0.001
        ? BigInt(Math.round(value))
        : value,
  ),
  category('boolean-category-made-number', 'A categoryId true or false is read as 1 or 0.', (value) =>
    typeof value === 'boolean' ? BigInt(value) : value,
  ),
  category('false-category-is-zero', 'A categoryId false is read as 0.', (value) =>
    value === false ? 0n : value,
  ),
  category('null-category-is-zero', 'A categoryId null is read as 0.', (value) =>
    value === null ? 0n : value,
  ),
  category('category-in-an-array', 'An array of one integer is read as that one.', (value) =>
    Array.isArray(value) && value.length === 1 && isInt64(value[0]) ? value[0] : value,
  ),
  category('empty-array-is-category-zero', 'A categoryId that is an empty array is read as 0.', (value) =>
    Array.isArray(value) && value.length === 0 ? 0n : value,
  ),
  category(
    'category-object-read-by-its-id',
    'A categoryId that is an object is read by its id, or as 0.',
    (value) => (isJsonObject(value) ? (isInt64(value.id) ? value.id : 0n) : value),
  ),
  category('overflow-wraps', 'An integer beyond int64 wraps around.', (value) =>
    isTooLarge(value) ? BigInt.asIntN(64, value) : value,
  ),
  category(
    'overflow-told-by-its-sign',
    'An integer beyond int64 wraps around, and only where that turns its sign it is refused: 2^64 + 1 becomes 1.',
    (value) =>
      isTooLarge(value) && BigInt.asIntN(64, value) < 0n === value < 0n ? BigInt.asIntN(64, value) : value,
  ),
  category('overflow-clamped', 'An integer beyond int64 becomes the nearest int64.', (value) =>
    isTooLarge(value) ? (value > 0n ? limits.max : limits.min) : value,
  ),
  category('underflow-clamped', 'An integer below int64 becomes the least int64.', (value) =>
    isTooLarge(value) && value < 0n ? limits.min : value,
  ),
  category(
    'first-overflow-clamped',
    'Exactly 2^63, which a double does not tell from the largest int64, becomes that one.',
    (value) => (value === 2n ** 63n ? limits.max : value),
  ),
  {
    name: 'endless-integer-stored',
    requirement: 'CREATE-6',
    companions: ['GEN-3'],
    description:
      'An integer of a hundred digits and more is stored: only shorter ones are compared with the bounds.',
    patch: accept('categoryId', isEndless),
  },
  {
    name: 'unsigned-category-accepted',
    requirement: 'CREATE-6',
    companions: [],
    description: 'A categoryId is an unsigned integer of 64 bits: 2^63 and more are stored.',
    patch: accept('categoryId', (value) => isTooLarge(value) && value > 0n && value < 2n ** 64n),
  },
  {
    name: 'fraction-stored',
    requirement: 'CREATE-6',
    companions: [],
    description: 'A categoryId with a fraction is stored as it is.',
    patch: accept('categoryId', (value) => typeof value === 'number' && Number.isFinite(value)),
  },
  {
    name: 'null-category-stored',
    requirement: 'CREATE-6',
    companions: [],
    description: 'A categoryId null is stored: only its presence is asked for.',
    patch: accept('categoryId', (value) => value === null),
  },
  {
    name: 'number-name-stored',
    requirement: 'CREATE-6',
    companions: [],
    description: 'A name that is an integer is stored as one.',
    patch: accept('name', (value) => typeof value === 'bigint'),
  },
  {
    name: 'overflow-crashes',
    requirement: 'CREATE-6',
    companions: ['GEN-4'],
    description: 'An integer beyond int64 fails in the database: 500.',
    patch: answerWhere(({ categoryId }) => isTooLarge(categoryId), internalError),
  },
  {
    name: 'null-name-crashes',
    requirement: 'CREATE-6',
    companions: ['GEN-4'],
    description: 'The name null makes the server look up the length of nothing: 500.',
    patch: answerWhere((body) => body.name === null, internalError),
  },
  oneBranch(
    category(
      'category-text-made-number-beside-a-status',
      'Where a status is sent, a categoryId that is a string of digits is read as the integer.',
      (value) => (typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value),
    ),
    true,
  ),
  oneBranch(
    name(
      'null-name-made-empty-without-a-status',
      'Where no status is sent, the name null becomes an empty name.',
      (value) => (value === null ? '' : value),
    ),
    false,
  ),
  {
    name: 'wrong-types-are-422',
    requirement: 'CREATE-6',
    companions: [],
    description: 'A categoryId that is no number is refused with 422, as frameworks do by default.',
    patch: answerWhere(
      ({ categoryId }) =>
        categoryId !== undefined && typeof categoryId !== 'bigint' && typeof categoryId !== 'number',
      problem(422, 'unprocessable'),
    ),
  },
];
