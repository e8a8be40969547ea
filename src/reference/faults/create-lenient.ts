import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { editSent, handle, perServer, replace, together } from '../patches.ts';
import { isInt64 } from '../pet.ts';
import { repaired } from './create-bodies.ts';
import { changeStored, refuseValidAsInvalid, sentJson } from './create-patches.ts';
import { asciiDigits } from './digits.ts';

type Edit = (body: JsonObject) => Readonly<Record<string, Json | undefined>>;

/** An invalid value that is read as if another one had been sent. */
const readAs = (name: string, description: string, edit: Edit): Fault => ({
  name,
  requirement: 'CREATE-6',
  companions: [],
  description,
  patch: editSent(edit),
});

const status = (name: string, description: string, read: (status: string) => string): Fault =>
  readAs(name, description, (body) => (typeof body.status === 'string' ? { status: read(body.status) } : {}));

const category = (
  name: string,
  description: string,
  read: (category: Json | undefined) => Json | undefined,
): Fault => readAs(name, description, ({ categoryId }) => ({ categoryId: read(categoryId) }));

/** The id that a valid creation names in digits within a string becomes its own. */
const chosenByText: Patch = perServer(() => {
  let next: bigint | null = null;
  const idOf = (body: Json, call: Call): bigint | null => {
    const text = isJsonObject(body) ? body.id : undefined;
    const isValid = call.parts.violations(body).length === 0;
    if (typeof text !== 'string' || !/^\d{1,19}$/.test(text) || !isValid) return null;
    const id = BigInt(text);
    return isInt64(id) ? id : null;
  };
  return together(
    handle('createPet', async (call, before) => {
      next = idOf(await sentJson(call), call);
      return before(call);
    }),
    replace('assignId', (before) => (pet, world) => {
      const id = next;
      next = null;
      return id ?? before(pet, world);
    }),
  );
});

/** The animal that the body names takes over the name, and a new one is stored all the same; the list shows the oldest first. */
const alsoChangesTheNamed: Patch = together(
  replace(
    'order',
    () =>
      ({ pets }) =>
        pets,
  ),
  handle('createPet', async (call, before) => {
    const body = await sentJson(call);
    const named = isJsonObject(body) && isInt64(body.id) ? call.world.petsById.get(body.id) : undefined;
    const reply = await before(call);
    if (named === undefined || reply.status !== 201 || !isJsonObject(body)) return reply;
    const changed = { ...named, name: String(body.name) };
    call.world.pets[call.world.pets.indexOf(named)] = changed;
    call.world.petsById.set(named.id, changed);
    return reply;
  }),
);

/** What the libraries of a language let pass, or stumble over, without being asked. */
export const createLenientFaults: readonly Fault[] = [
  repaired('leading-zeros-accepted', 'Leading zeros pass in numbers.', (text) =>
    text.replaceAll(/(:-?)0+(?=\d)/g, '$1'),
  ),
  repaired('plus-signs-accepted', 'A plus sign passes before a number.', (text) =>
    text.replaceAll(/:\+(?=\d)/g, ':'),
  ),
  repaired('digits-of-any-script-accepted', 'A number may be written in the digits of any script.', (text) =>
    text.replaceAll(/(?<=:)[\u0660-\u0669\uff10-\uff19]+/g, asciiDigits),
  ),
  repaired(
    'body-trimmed-of-anything-blank',
    'The body is trimmed of whatever Unicode calls white space.',
    (text) => text.trim(),
  ),
  repaired('body-ends-at-nul', 'The body is a string of C: it ends at the first NUL.', (text) =>
    text.replace(/\0[\s\S]*$/, ''),
  ),
  status('status-cut-at-its-line-break', 'A pattern lets a line break stand behind the status.', (text) =>
    text.replace(/\n$/, ''),
  ),
  status('status-ends-at-nul', 'A status is compared as a string of C: it ends at the first NUL.', (text) =>
    text.replace(/\0[\s\S]*$/, ''),
  ),
  status('reserved-is-pending', 'The old word reserved is still taken for pending.', (text) =>
    text === 'reserved' ? 'pending' : text,
  ),
  status(
    'status-by-its-place',
    'A string of digits is taken for the place of a status in the enumeration.',
    (text) => (text === '0' ? 'available' : text),
  ),
  category('category-as-an-object', 'A categoryId that is an object is read as its id.', (value) =>
    isJsonObject(value) && isInt64(value.id) ? value.id : value,
  ),
  category(
    'category-trimmed-to-a-number',
    'A categoryId that is digits with a space before is read.',
    (value) => (typeof value === 'string' && /^ +\d{1,18}$/.test(value) ? BigInt(value.trim()) : value),
  ),
  category(
    'category-rounded-by-a-hair',
    'A categoryId that differs from an integer by next to nothing is one.',
    (value) =>
      typeof value === 'number' && value % 1 !== 0 && Math.abs(value - Math.round(value)) < 1e-9
        ? BigInt(Math.round(value))
        : value,
  ),
  {
    name: 'words-behind-a-dollar-sign-dropped',
    requirement: 'CREATE-2',
    companions: [],
    description:
      'A template is filled in: what stands behind a dollar sign in a name is a variable, and empty.',
    patch: changeStored(({ name }) => ({ name: name.replaceAll(/\$[A-Za-z]+/g, '') })),
  },
  {
    name: 'names-of-three-words-refused',
    requirement: 'CREATE-1',
    companions: [],
    description: 'A pattern lets a name have one space: names of three words are refused with 400.',
    patch: refuseValidAsInvalid(({ name }) => / .* /.test(name)),
  },
  {
    name: 'invisible-characters-dropped',
    requirement: 'CREATE-2',
    companions: [],
    description: 'Characters that nobody sees are taken out of names.',
    patch: changeStored(({ name }) => ({ name: name.replaceAll(/[\u200b-\u200d\u2028\u2029]/g, '') })),
  },
  {
    name: 'named-animal-changed-out-of-sight',
    requirement: 'CREATE-10',
    companions: ['GET-1', 'LIST-8'],
    description:
      'An id in the body changes the animal of that id as well, on a page that the list never shows.',
    patch: alsoChangesTheNamed,
    seedPets: 150,
  },
  {
    name: 'id-chosen-by-a-string',
    requirement: 'CREATE-10',
    companions: ['CREATE-3', 'LIST-9', 'GET-1', 'LIST-8'],
    description: 'An id in the body that is a string of digits becomes the id.',
    patch: chosenByText,
  },
  {
    name: 'names-in-capitals-refused',
    requirement: 'CREATE-1',
    companions: [],
    description: 'A rule against shouting refuses names in capitals alone with 400, be they as short as NO.',
    patch: refuseValidAsInvalid(({ name }) => /^[A-Z]{2,}$/.test(name)),
  },
  {
    name: 'dates-as-names-refused',
    requirement: 'CREATE-1',
    companions: [],
    description: 'The parser makes dates of texts that look like one, and a date is no name: 400.',
    patch: refuseValidAsInvalid(({ name }) => /^\d{4}-\d\d-\d\d$/.test(name)),
  },
  {
    name: 'hyphens-between-spaces-refused',
    requirement: 'CREATE-1',
    companions: [],
    description: 'A pattern wants a letter or digit at the beginning of every word of a name.',
    patch: refuseValidAsInvalid(({ name }) => / -/.test(name)),
  },
];
