import { isJsonObject, type Json } from '../../json/json.ts';
import type { Patch } from '../patch.ts';
import { replace } from '../patch-kit/core.ts';
import { setHeader } from '../patch-kit/responses.ts';
import { choices, independent } from './choices.ts';
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

const mediaType = (value: string): Patch =>
  setHeader('content-type', (before) => (before === 'application/json' ? value : before));

/** How JSON bodies are written and labeled (GEN-2, GEN-3): equal values in JSON. */
export const writingDialects = [
  ...choices('media-type', {
    'media-type-with-charset': [
      'JSON is labeled application/json; charset=utf-8.',
      mediaType('application/json; charset=utf-8'),
    ],
    'media-type-in-capitals': [
      'JSON is labeled Application/JSON;Charset=UTF-8.',
      mediaType('Application/JSON;Charset=UTF-8'),
    ],
    'media-type-with-spaces': [
      'JSON is labeled application/json ; charset="utf-8" ; profile=pets.',
      mediaType('application/json ; charset="utf-8" ; profile=pets'),
    ],
  }),
  ...choices('layout', {
    'json-indented': [
      'JSON is indented by two spaces, and ends with a line break.',
      inLayout({ comma: '', colon: ' ', indent: '  ', newline: '\n' }),
    ],
    'json-indented-by-tabs': [
      'JSON is indented by tabs, with the line breaks of Windows.',
      inLayout({ comma: '', colon: '', indent: '\t', newline: '\r\n' }),
    ],
    'json-spaced': [
      'A space follows every comma and colon.',
      inLayout({ comma: ' ', colon: ' ', indent: null, newline: '' }),
    ],
    'json-amid-white-space': [
      'Every body has white space around it.',
      editText((text) => `\r\n\t ${text}\n\n`),
    ],
  }),
  ...choices('member-order', {
    'members-by-name': [
      'The members of objects are sorted by name.',
      membersInOrder((names) => names.sort()),
    ],
    'members-reversed': [
      'The members of objects are in reverse order.',
      membersInOrder((names) => names.reverse()),
    ],
  }),
  ...choices('integer-form', {
    'integers-as-decimals': ['Integers are written with a fraction of zero: 7.0.', integersWith('.0')],
    'integers-with-exponents': ['Integers are written with an exponent: 7e0.', integersWith('e0')],
  }),
  ...independent({
    'non-ascii-escaped': [
      'Characters beyond ASCII are escaped.',
      editText((text) => text.replaceAll(/[\u0080-\uffff]/g, escaped)),
    ],
    'slashes-escaped': ['Slashes are escaped.', editText((text) => text.replaceAll('/', '\\/'))],
    'markup-escaped': [
      'Characters of markup are escaped.',
      editText((text) => text.replaceAll(/[<>&'\u2028\u2029]/g, escaped)),
    ],
  }),
];
