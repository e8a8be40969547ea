import type { Json } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import { escapeHtml } from '../../util/escape-html.ts';
import type { Patch } from '../patch.ts';
import { compose, replace, withState } from '../patch-kit/core.ts';
import { changeName, changeStored, respondToPet, showInstead } from '../patch-kit/creations.ts';
import { editFields, internalError } from '../patch-kit/responses.ts';
import { shownEverywhere } from './companions.ts';
import { family } from './family.ts';

const percentDecoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name.replaceAll(/%[2-7][0-9a-f]/gi, decodeURIComponent);
  }
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** Shows a name as a value of another type than the store has. */
const shownAs = (show: (name: string) => Json): Patch => showInstead(({ name }) => ({ name: show(name) }));

const jsonOr = (name: string): Json => {
  const parsed = parseJson(name);
  return parsed.ok ? parsed.value : name;
};

const inUtf8 = new TextEncoder();

const decodedInPieces = (): Patch =>
  replace('readBody', () => async ({ body }) => {
    let text = '';
    for await (const piece of body ?? []) text += new TextDecoder().decode(piece);
    return { ok: true, bytes: inUtf8.encode(text) };
  });

/** CREATE-2: the name comes back as it was sent. */
export const createNameFaults = family('CREATE-2', {
  'pieces-of-a-body-decoded-apart': [
    'The server decodes each packet separately (text += packet): a character cut by its end is lost.',
    decodedInPieces(),
  ],
  'names-title-cased': [
    'The server capitalizes each word of a name.',
    changeName((name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())),
  ],
  'names-lower-cased': ['Names are stored in lower case.', changeName((name) => name.toLowerCase())],
  'names-without-a-final-dot': [
    'Dots at the end of names are cut.',
    changeName((name) => name.replace(/\.+$/, '')),
  ],
  'names-cut-at-fifty': ['Names are cut after 50 characters.', changeName((name) => name.slice(0, 50))],
  'names-cut-at-255': [
    'Names are cut after 255 characters.',
    changeName((name) => [...name].slice(0, 255).join('')),
  ],
  'inner-spaces-collapsed': [
    'Several spaces in a name become one.',
    changeName((name) => name.replaceAll(/ {2,}/g, ' ')),
  ],
  'spaces-to-underscores': [
    'Spaces inside a name become underscores.',
    changeName((name) => name.replaceAll(/(?<=\S) (?=\S)/g, '_')),
  ],
  'names-html-escaped': ['The server escapes names for HTML before it stores them.', changeName(escapeHtml)],
  'tags-stripped': [
    'The server removes HTML tags from names.',
    changeName((name) => name.replaceAll(/<[^>]*>/g, '')),
  ],
  'emoji-stripped': [
    'The column has three bytes for each character: characters beyond the basic plane are lost.',
    changeName((name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
  ],
  'non-ascii-to-question-marks': [
    'Characters that are not ASCII become question marks.',
    changeName((name) => name.replaceAll(/[^\p{ASCII}]/gu, '?')),
  ],
  'accents-stripped': [
    'Letters lose their accents.',
    changeName((name) => name.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  ],
  'names-encoded-twice': [
    'The server reads the UTF-8 of a name as Latin-1 and encodes it again.',
    changeName((name) => Buffer.from(name).toString('latin1')),
  ],
  'control-characters-dropped': [
    'The server removes control characters from names.',
    changeName((name) => name.replaceAll(/\p{Cc}/gu, '')),
  ],
  'look-alikes-made-latin': [
    'Cyrillic letters that look like Latin letters become Latin.',
    changeName((name) =>
      name.replaceAll(/[аеорсух]/g, (letter) => 'aeopcyx'.charAt('аеорсух'.indexOf(letter))),
    ),
  ],
  'emoji-made-plain': [
    'Emoji lose their skin tones and variation selectors.',
    changeName((name) => name.replaceAll(/[\u{1f3fb}-\u{1f3ff}\ufe0f]/gu, '')),
  ],
  'dollar-patterns-filled': [
    'A text replacement turns $$ in names into $.',
    changeName((name) => name.replaceAll('$$', () => '$')),
  ],
  'quotes-straightened': [
    'Typographic quotation marks become straight ones.',
    changeName((name) => name.replaceAll(/[\u201c\u201d]/g, '"').replaceAll(/[\u2018\u2019]/g, "'")),
  ],
  'quotes-doubled': [
    'The server escapes a single quotation mark for SQL, and stores it doubled.',
    changeName((name) => name.replaceAll("'", "''")),
  ],
  'words-of-sql-dropped': [
    'The server removes the keywords of SQL statements from names.',
    changeName((name) => name.replaceAll(/\b(?:delete from|drop table|insert into|union select)\b/gi, '')),
  ],
  'outer-quotes-stripped': [
    'The server reads a quoted name as a CSV field, and drops the quotation marks.',
    changeName((name) => name.replace(/^"(.*)"$/s, '$1')),
  ],
  'outer-hyphens-stripped': [
    'Names become slugs: hyphens at their ends are removed.',
    changeName((name) => name.replaceAll(/^-+|-+$/g, '')),
  ],
  'backslash-at-the-end-fails': [
    'A backslash at the end of a name escapes the quotation mark in a query: 500.',
    respondToPet(({ name }) => name.endsWith('\\'), internalError),
    { requirement: 'GEN-4', companions: ['GEN-1', 'CREATE-1'] },
  ],
  'backslashes-stripped': [
    'The server removes backslashes from names.',
    changeName((name) => name.replaceAll('\\', '')),
  ],
  'backslash-escapes-read-again': [
    'The server reads a backslash and a letter in a name as an escape.',
    changeName((name) => name.replaceAll(/\\([ntr])/g, (_escape, letter: string) => escapes[letter] ?? '')),
  ],
  'names-percent-decoded': ['The server percent-decodes names.', changeName(percentDecoded)],
  'plus-read-as-a-space': [
    'A plus sign in a name becomes a space, as in a form.',
    changeName((name) => name.replaceAll('+', ' ')),
  ],
  'emoticons-become-emoji': [
    'Emoticons in names become emoji.',
    changeName((name) => name.replaceAll(/:-?\)/g, '\u{1f642}')),
  ],
  'placeholders-filled': [
    'The server reads names as templates: a placeholder becomes empty.',
    changeName((name) => name.replaceAll(/\{\{.*?\}\}|[$#]\{.*?\}/g, '')),
  ],
  'formulas-quoted': [
    'A name that looks like a spreadsheet formula gets an apostrophe.',
    changeName((name) => name.replace(/^[=@]/, "'$&")),
  ],
  'numeric-names-as-numbers': [
    'A name of digits is shown as a number.',
    showInstead(({ name }) => (/^\d{1,18}$/.test(name) ? { name: BigInt(name) } : {})),
    { companions: shownEverywhere },
  ],
  'plain-numbers-as-names-parsed': [
    'A name that is a number without leading zeros is shown as a number.',
    shownAs((name) => (/^[1-9]\d{0,17}$/.test(name) ? BigInt(name) : name)),
    { companions: shownEverywhere },
  ],
  'hexadecimal-names-parsed': [
    'A name that is a hexadecimal number is shown as a number, as in YAML.',
    shownAs((name) => (/^0x[\da-f]{1,15}$/i.test(name) ? BigInt(name) : name)),
    { companions: shownEverywhere },
  ],
  'nan-as-a-name-lost': [
    'The name NaN becomes a float, which JSON shows as null.',
    shownAs((name) => (name === 'NaN' ? null : name)),
    { companions: shownEverywhere },
  ],
  'brackets-as-a-name-parsed': [
    'The column has JSON: a name in brackets is shown as parsed JSON.',
    shownAs((name) => (/^\[.*\]$/.test(name) ? jsonOr(name) : name)),
    { companions: shownEverywhere },
  ],
  'name-null-taken-for-nothing': [
    'The name "null" is shown as null.',
    showInstead(({ name }) => (name === 'null' ? { name: null } : {})),
    { companions: shownEverywhere },
  ],
  'name-cut-in-the-201-only': [
    'The 201 shows the first 30 characters of a name; the store has all.',
    editFields({ operation: 'createPet', status: 201 }, ({ name }) =>
      typeof name === 'string' ? { name: name.slice(0, 30) } : {},
    ),
    { companions: ['GET-1', 'LIST-8'] },
  ],
  'concurrent-creations-mixed-up': [
    'The 201 shows the fields of the latest creation: concurrent creations are mixed up.',
    withState(() => {
      let last: { readonly name: string; readonly categoryId: bigint } | null = null;
      return compose(
        changeStored((pet) => {
          last = { name: pet.name, categoryId: pet.categoryId };
          return {};
        }),
        replace('settle', (before) => async (call) => {
          if (call.route.operation === 'createPet') await call.state.clock.sleep(5);
          return before(call);
        }),
        editFields({ operation: 'createPet', status: 201 }, () => last ?? {}),
      );
    }),
    { companions: ['CREATE-9', 'GET-1', 'LIST-8'] },
  ],
  'category-zero-becomes-one': [
    'The server treats category 0 as missing, and stores the default category 1.',
    changeStored(({ categoryId }) => ({ categoryId: categoryId || 1n })),
  ],
  'category-sign-lost': [
    'A negative categoryId loses its sign.',
    changeStored(({ categoryId }) => ({
      categoryId: categoryId < 0n ? BigInt.asIntN(64, -categoryId) : categoryId,
    })),
    { companions: ['CREATE-9'] },
  ],
  'status-always-available': [
    'The server ignores the status that is sent: every animal is available.',
    changeStored(() => ({ status: 'available' })),
    { companions: ['LIST-8'] },
  ],
  'sold-stored-as-pending': [
    'The number of the last status is off by one: a sold animal is stored as pending.',
    changeStored(({ status }) => ({ status: status === 'sold' ? 'pending' : status })),
    { companions: ['LIST-8'] },
  ],
});
