import type { Json } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { Fault } from '../patch.ts';
import { editFields, perServer, replace, together } from '../patches.ts';
import { changeStored, internalError, refuseValid, showInstead, shownEverywhere } from './create-patches.ts';

/** A name that is stored otherwise than it was sent. */
const changed = (name: string, description: string, change: (name: string) => string): Fault => ({
  name,
  requirement: 'CREATE-2',
  companions: [],
  description,
  patch: changeStored((pet) => ({ name: change(pet.name) })),
});

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const percentDecoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name.replaceAll(/%[2-7][0-9a-f]/gi, decodeURIComponent);
  }
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** A name that is stored as it was sent, and shown as a value of another type. */
const takenForAnotherType = (name: string, description: string, show: (name: string) => Json): Fault => ({
  name,
  requirement: 'CREATE-2',
  companions: shownEverywhere,
  description,
  patch: showInstead((pet) => ({ name: show(pet.name) })),
});

const jsonOr = (name: string): Json => {
  const parsed = parseJson(name);
  return parsed.ok ? parsed.value : name;
};

const inUtf8 = new TextEncoder();

/** A body that is decoded piece by piece. */
const decodedInPieces: Fault = {
  name: 'pieces-of-a-body-decoded-apart',
  requirement: 'CREATE-2',
  companions: [],
  description:
    'Each packet of a body is decoded by itself (text += packet): a character cut by its end is lost.',
  patch: replace('readBody', () => async ({ body }) => {
    let text = '';
    for await (const piece of body ?? []) text += new TextDecoder().decode(piece);
    return { ok: true, bytes: inUtf8.encode(text) };
  }),
};

/** CREATE-2: the name comes back as it was sent. */
export const createNameFaults: readonly Fault[] = [
  decodedInPieces,
  changed('names-title-cased', 'Each word of a name begins with a capital.', (name) =>
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  ),
  changed('names-lower-cased', 'Names are stored in lower case.', (name) => name.toLowerCase()),
  changed('names-cut-at-fifty', 'Names are cut after 50 characters.', (name) => name.slice(0, 50)),
  changed('names-cut-at-255', 'Names are cut after 255 characters.', (name) =>
    [...name].slice(0, 255).join(''),
  ),
  changed('inner-spaces-collapsed', 'Several spaces in a name become one.', (name) =>
    name.replaceAll(/ {2,}/g, ' '),
  ),
  changed('spaces-to-underscores', 'Spaces inside a name become underscores.', (name) =>
    name.replaceAll(/(?<=\S) (?=\S)/g, '_'),
  ),
  changed('names-html-escaped', 'Names are escaped for HTML before they are stored.', (name) =>
    name.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character),
  ),
  changed('tags-stripped', 'What looks like an HTML tag is removed from names.', (name) =>
    name.replaceAll(/<[^>]*>/g, ''),
  ),
  changed(
    'emoji-stripped',
    'Characters beyond the basic plane are lost: the column has three bytes for each.',
    (name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''),
  ),
  changed('non-ascii-to-question-marks', 'Characters that are no ASCII become question marks.', (name) =>
    name.replaceAll(/[^\p{ASCII}]/gu, '?'),
  ),
  changed('accents-stripped', 'Letters lose their accents.', (name) =>
    name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  ),
  changed('names-encoded-twice', 'The UTF-8 of a name is read as Latin-1 and encoded again.', (name) =>
    Buffer.from(name).toString('latin1'),
  ),
  changed('control-characters-dropped', 'Control characters inside a name are dropped.', (name) =>
    name.replaceAll(/\p{Cc}/gu, ''),
  ),
  changed(
    'look-alikes-made-latin',
    'Cyrillic letters that look like Latin ones become those, against names that only look alike.',
    (name) => name.replaceAll(/[аеорсух]/g, (letter) => 'aeopcyx'.charAt('аеорсух'.indexOf(letter))),
  ),
  changed('emoji-made-plain', 'Emoji lose their skin tones and variation selectors.', (name) =>
    name.replaceAll(/[\u{1f3fb}-\u{1f3ff}\ufe0f]/gu, ''),
  ),
  changed(
    'dollar-patterns-filled',
    'Names go through a replacement of texts, where $$ is one dollar sign.',
    (name) => name.replaceAll('$$', () => '$'),
  ),
  changed('quotes-straightened', 'Typographic quotation marks become straight ones.', (name) =>
    name.replaceAll(/[\u201c\u201d]/g, '"').replaceAll(/[\u2018\u2019]/g, "'"),
  ),
  changed(
    'quotes-doubled',
    'A single quotation mark is escaped for SQL by another one, which is stored.',
    (name) => name.replaceAll("'", "''"),
  ),
  changed('words-of-sql-dropped', 'Words that begin a statement of SQL are removed from names.', (name) =>
    name.replaceAll(/\b(?:delete from|drop table|insert into|union select)\b/gi, ''),
  ),
  changed(
    'outer-quotes-stripped',
    'A name within quotation marks is read as a field of CSV, and loses them.',
    (name) => name.replace(/^"(.*)"$/s, '$1'),
  ),
  changed('outer-hyphens-stripped', 'Names become slugs: hyphens at their ends are removed.', (name) =>
    name.replaceAll(/^-+|-+$/g, ''),
  ),
  {
    name: 'backslash-at-the-end-fails',
    requirement: 'GEN-4',
    companions: ['GEN-1', 'CREATE-1'],
    description: 'A backslash at the end of a name escapes the quotation mark behind it in a query: 500.',
    patch: refuseValid(({ name }) => name.endsWith('\\'), internalError),
  },
  changed('backslashes-stripped', 'Backslashes are removed from names.', (name) => name.replaceAll('\\', '')),
  changed(
    'backslash-escapes-read-again',
    'A backslash and a letter in a name are read as an escape once more.',
    (name) => name.replaceAll(/\\([ntr])/g, (_escape, letter: string) => escapes[letter] ?? ''),
  ),
  changed('names-percent-decoded', 'Names are percent-decoded.', percentDecoded),
  changed('plus-read-as-a-space', 'A plus sign in a name becomes a space, as in a form.', (name) =>
    name.replaceAll('+', ' '),
  ),
  changed('emoticons-become-emoji', 'Emoticons in names are drawn, as chats do.', (name) =>
    name.replaceAll(/:-?\)/g, '\u{1f642}'),
  ),
  changed(
    'placeholders-filled',
    'Names are read as templates: a placeholder is replaced with nothing.',
    (name) => name.replaceAll(/\{\{.*?\}\}|[$#]\{.*?\}/g, ''),
  ),
  changed(
    'formulas-quoted',
    'A name that a spreadsheet would take for a formula gets an apostrophe.',
    (name) => name.replace(/^[=@]/, "'$&"),
  ),
  {
    name: 'numeric-names-as-numbers',
    requirement: 'CREATE-2',
    companions: shownEverywhere,
    description: 'A name of digits only comes back as a number.',
    patch: showInstead(({ name }) => (/^\d{1,18}$/.test(name) ? { name: BigInt(name) } : {})),
  },
  takenForAnotherType(
    'plain-numbers-as-names-parsed',
    'A name that is written like a number without leading zeros comes back as a number.',
    (name) => (/^[1-9]\d{0,17}$/.test(name) ? BigInt(name) : name),
  ),
  takenForAnotherType(
    'hexadecimal-names-parsed',
    'A name that is written like a hexadecimal number comes back as a number, as from YAML.',
    (name) => (/^0x[\da-f]{1,15}$/i.test(name) ? BigInt(name) : name),
  ),
  takenForAnotherType(
    'nan-as-a-name-lost',
    'The name NaN is read as a float, which JSON shows as null.',
    (name) => (name === 'NaN' ? null : name),
  ),
  takenForAnotherType(
    'brackets-as-a-name-parsed',
    'A name within brackets is parsed as JSON, because the column holds JSON.',
    (name) => (/^\[.*\]$/.test(name) ? jsonOr(name) : name),
  ),
  {
    name: 'name-null-taken-for-nothing',
    requirement: 'CREATE-2',
    companions: shownEverywhere,
    description: 'An animal that is called null has no name.',
    patch: showInstead(({ name }) => (name === 'null' ? { name: null } : {})),
  },
  {
    name: 'name-cut-in-the-201-only',
    requirement: 'CREATE-2',
    companions: ['GET-1', 'LIST-8'],
    description: 'The 201 shows the first 30 characters of a name; the store keeps all.',
    patch: editFields({ operation: 'createPet', status: 201 }, ({ name }) =>
      typeof name === 'string' ? { name: name.slice(0, 30) } : {},
    ),
  },
  {
    name: 'concurrent-creations-mixed-up',
    requirement: 'CREATE-2',
    companions: ['CREATE-9', 'GET-1', 'LIST-8'],
    description: 'The 201 shows what the last creation sent, which with several under way is another one.',
    patch: perServer(() => {
      let last: { readonly name: string; readonly categoryId: bigint } | null = null;
      return together(
        changeStored((pet) => {
          last = { name: pet.name, categoryId: pet.categoryId };
          return {};
        }),
        replace('settle', (before) => async (call) => {
          if (call.route.operation === 'createPet') await call.world.clock.sleep(5);
          return before(call);
        }),
        editFields({ operation: 'createPet', status: 201 }, () => last ?? {}),
      );
    }),
  },
  {
    name: 'category-zero-becomes-one',
    requirement: 'CREATE-2',
    companions: [],
    description: 'The category 0 is taken for none, and the default category 1 is stored.',
    patch: changeStored(({ categoryId }) => ({ categoryId: categoryId || 1n })),
  },
  {
    name: 'category-sign-lost',
    requirement: 'CREATE-2',
    companions: ['CREATE-9'],
    description: 'A negative categoryId comes back without its sign.',
    patch: changeStored(({ categoryId }) => ({
      categoryId: categoryId < 0n ? BigInt.asIntN(64, -categoryId) : categoryId,
    })),
  },
  {
    name: 'status-always-available',
    requirement: 'CREATE-2',
    companions: ['LIST-8'],
    description: 'The status that is sent is ignored: every animal is available.',
    patch: changeStored(() => ({ status: 'available' })),
  },
  {
    name: 'sold-stored-as-pending',
    requirement: 'CREATE-2',
    companions: ['LIST-8'],
    description: 'The numbers of the statuses are off by one at the end: a sold animal is pending.',
    patch: changeStored(({ status }) => ({ status: status === 'sold' ? 'pending' : status })),
  },
];
