import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Patch } from '../patch.ts';
import { compose, handle, replace } from '../patch-kit/core.ts';
import {
  changeName,
  editSent,
  readField,
  refusePet,
  repairSent,
  sentObject,
} from '../patch-kit/creations.ts';
import { chooseId, replacePet } from '../patch-kit/store.ts';
import { asciiDigits } from '../patch-kit/texts.ts';
import { isInt64 } from '../pet.ts';
import { family, mixed } from './family.ts';

const status = (read: (status: string) => string): Patch =>
  editSent((body) => (typeof body.status === 'string' ? { status: read(body.status) } : {}));

const category = readField('categoryId');

const idInText = ({ id: text }: JsonObject): bigint | null => {
  const id = typeof text === 'string' && /^\d{1,19}$/.test(text) ? BigInt(text) : null;
  return isInt64(id ?? undefined) ? id : null;
};

/** Renames the animal whose id the body has, and stores a new one too; the list shows the oldest first. */
const renamesTheOther: Patch = compose(
  replace(
    'order',
    () =>
      ({ pets }) =>
        pets,
  ),
  handle('createPet', async (call, before) => {
    const body = await sentObject(call);
    const other = isInt64(body?.id) ? call.state.petsById.get(body.id) : undefined;
    const reply = await before(call);
    if (other !== undefined && reply.status === 201)
      replacePet(call.state, { ...other, name: String(body?.name) });
    return reply;
  }),
);

/** Mistakes that come from the libraries of a language: what they accept, and what they fail on. */
export const createLenientFaults = [
  ...family('CREATE-7', {
    'leading-zeros-accepted': [
      'The parser accepts leading zeros in numbers.',
      repairSent((text) => text.replaceAll(/(:-?)0+(?=\d)/g, '$1')),
    ],
    'plus-signs-accepted': [
      'The parser accepts a plus sign before a number.',
      repairSent((text) => text.replaceAll(/:\+(?=\d)/g, ':')),
    ],
    'equals-signs-and-semicolons-accepted': [
      'The parser accepts an equals sign for a colon and a semicolon for a comma, as Gson does.',
      repairSent((text) => text.replaceAll(/(?<=[{,;]\s*"\w+")=/g, ':').replaceAll(/;(?="\w+":)/g, ',')),
    ],
    'digits-of-any-script-accepted': [
      'The parser accepts numbers in the digits of any script.',
      repairSent((text) => text.replaceAll(/(?<=:)[\u0660-\u0669\uff10-\uff19]+/g, asciiDigits)),
    ],
    'body-trimmed-of-anything-blank': [
      'The server trims all Unicode white space from the body.',
      repairSent((text) => text.trim()),
    ],
    'body-ends-at-nul': [
      'The body is a C string: it ends at the first NUL.',
      repairSent((text) => text.replace(/\0[\s\S]*$/, '')),
    ],
  }),
  ...family('CREATE-6', {
    'nan-is-category-zero': [
      'The parser reads NaN, and its conversion to an integer gives 0.',
      repairSent((text) => text.replaceAll(/:NaN(?=[,}])/g, ':0')),
    ],
    'infinite-category-cut-to-the-greatest': [
      'The parser reads Infinity, and its conversion to an integer gives the greatest int64.',
      repairSent((text) => text.replaceAll(/:Infinity(?=[,}])/g, ':9223372036854775807')),
    ],
    'status-cut-at-its-line-break': [
      'The pattern for status accepts a line break at its end.',
      status((text) => text.replace(/\n$/, '')),
    ],
    'status-ends-at-nul': [
      'The status is compared as a C string: it ends at the first NUL.',
      status((text) => text.replace(/\0[\s\S]*$/, '')),
    ],
    'reserved-is-pending': [
      'The server still reads the old status reserved as pending.',
      status((text) => (text === 'reserved' ? 'pending' : text)),
    ],
    'status-by-its-place': [
      'The server reads the string "0" as the first status of the enumeration.',
      status((text) => (text === '0' ? 'available' : text)),
    ],
    'category-as-an-object': [
      'The server reads a categoryId that is an object by its id.',
      category((value) => (isJsonObject(value) && isInt64(value.id) ? value.id : value)),
    ],
    'category-trimmed-to-a-number': [
      'The server reads a categoryId that is a string with a leading space and digits.',
      category((value) =>
        typeof value === 'string' && /^ +\d{1,18}$/.test(value) ? BigInt(value.trim()) : value,
      ),
    ],
    'category-rounded-by-a-hair': [
      'The server rounds a categoryId that is almost an integer.',
      category((value) =>
        typeof value === 'number' && value % 1 !== 0 && Math.abs(value - Math.round(value)) < 1e-9
          ? BigInt(Math.round(value))
          : value,
      ),
    ],
  }),
  ...mixed({
    'words-behind-a-dollar-sign-dropped': [
      'CREATE-2',
      'A template engine replaces words after a dollar sign in a name with nothing.',
      changeName((name) => name.replaceAll(/\$[A-Za-z]+/g, '')),
    ],
    'names-of-three-words-refused': [
      'CREATE-1',
      'The pattern for names accepts one space: names of three words get 400.',
      refusePet(({ name }) => / .* /.test(name)),
    ],
    'invisible-characters-dropped': [
      'CREATE-2',
      'The server removes invisible characters from names.',
      changeName((name) => name.replaceAll(/[\u200b-\u200d\u2028\u2029]/g, '')),
    ],
    'named-animal-changed-out-of-sight': [
      'CREATE-10',
      'An id in the body also renames the animal with that id, on a page that the list never shows.',
      renamesTheOther,
      { companions: ['GET-1', 'LIST-8'], seedPets: 150 },
    ],
    'id-chosen-by-a-string': [
      'CREATE-10',
      'An id in the body that is a string of digits becomes the id.',
      chooseId(idInText),
      { companions: ['CREATE-3', 'LIST-9', 'GET-1', 'LIST-8'] },
    ],
    'names-in-capitals-refused': [
      'CREATE-1',
      'A rule against shouting refuses names in capitals with 400, even NO.',
      refusePet(({ name }) => /^[A-Z]{2,}$/.test(name)),
    ],
    'dates-as-names-refused': [
      'CREATE-1',
      'The parser turns texts that look like dates into dates, and a date is not a name: 400.',
      refusePet(({ name }) => /^\d{4}-\d\d-\d\d$/.test(name)),
    ],
    'hyphens-between-spaces-refused': [
      'CREATE-1',
      'The pattern for names requires a letter or digit at the start of every word.',
      refusePet(({ name }) => / -/.test(name)),
    ],
  }),
];
