import { isJsonObject, type Json } from '../../json/json.ts';
import type { Dialect, Patch } from '../patch.ts';
import { replace, setHeader } from '../patches.ts';
import { type Layout, layOut, mapTokens } from './json-text.ts';

/** Changes the text of every JSON body. */
const editText = (edit: (text: string) => string): Patch =>
  replace('stringify', (before) => (value) => edit(before(value)));

const inLayout = (layout: Layout): Patch => editText((text) => layOut(text, layout) + layout.newline);

/** Writes the members of every object in another order. */
function reordered(value: Json, order: (names: string[]) => string[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reordered(item, order));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    order(Object.keys(value)).map((name) => [name, reordered(value[name] ?? null, order)]),
  );
}

const membersInOrder = (order: (names: string[]) => string[]): Patch =>
  replace('stringify', (before) => (value) => before(reordered(value, order)));

const integersWith = (suffix: string): Patch =>
  editText((text) => mapTokens(text, (token) => (/^-?\d+$/.test(token) ? token + suffix : token)));

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const mediaType = (name: string, value: string): Dialect => ({
  name,
  choice: 'media-type',
  description: `JSON is labelled ${value}.`,
  patch: setHeader('content-type', (before) => (before === 'application/json' ? value : before)),
});

const dialect =
  (choice: string) =>
  (name: string, description: string, patch: Patch): Dialect => ({ name, choice, description, patch });
const layout = dialect('layout');
const members = dialect('member-order');
const integers = dialect('integer-form');

/** How JSON bodies are written and labelled (GEN-2, GEN-3): what JSON itself takes for the same. */
export const writingDialects: readonly Dialect[] = [
  mediaType('media-type-with-charset', 'application/json; charset=utf-8'),
  mediaType('media-type-in-capitals', 'Application/JSON;Charset=UTF-8'),
  mediaType('media-type-with-spaces', 'application/json ; charset="utf-8" ; profile=pets'),
  layout(
    'json-indented',
    'JSON is indented by two spaces, and ends with a line end.',
    inLayout({ comma: '', colon: ' ', indent: '  ', newline: '\n' }),
  ),
  layout(
    'json-indented-by-tabs',
    'JSON is indented by tabs, with the line ends of Windows.',
    inLayout({ comma: '', colon: '', indent: '\t', newline: '\r\n' }),
  ),
  layout(
    'json-spaced',
    'A space follows every comma and colon.',
    inLayout({ comma: ' ', colon: ' ', indent: null, newline: '' }),
  ),
  layout(
    'json-amid-white-space',
    'White space stands around every body.',
    editText((text) => `\r\n\t ${text}\n\n`),
  ),
  members(
    'members-by-name',
    'The members of objects stand in the order of their names.',
    membersInOrder((names) => names.sort()),
  ),
  members(
    'members-reversed',
    'The members of objects stand in the opposite order.',
    membersInOrder((names) => names.reverse()),
  ),
  integers('integers-as-decimals', 'Integers are written with a fraction of zero: 7.0.', integersWith('.0')),
  integers('integers-with-exponents', 'Integers are written with an exponent: 7e0.', integersWith('e0')),
  {
    name: 'non-ascii-escaped',
    description: 'Characters beyond ASCII are escaped.',
    patch: editText((text) => text.replaceAll(/[\u0080-\uffff]/g, escaped)),
  },
  {
    name: 'slashes-escaped',
    description: 'Slashes are escaped.',
    patch: editText((text) => text.replaceAll('/', '\\/')),
  },
  {
    name: 'markup-escaped',
    description: 'What could be read as markup is escaped.',
    patch: editText((text) => text.replaceAll(/[<>&'\u2028\u2029]/g, escaped)),
  },
];
