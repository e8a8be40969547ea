import { isJsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { removeHeaders, rewriteJson, setHeader } from '../patch-kit/responses.ts';
import { family } from './family.ts';

const errors = [400, 401, 404];
/** The requirements that an unreadable animal or list breaks too. */
const unreadable = {
  list: ['LIST-1', 'LIST-8'],
  creation: ['CREATE-1', 'CREATE-2'],
  animal: ['GET-1', 'GET-4'],
};

/** Mistakes in writing bodies and their media type: a body that is not JSON, or is not labeled as JSON. */
export const mediaFaults = family('GEN-2', {
  'errors-labelled-as-plain-text': [
    'Errors are labeled text/plain.',
    setHeader('content-type', 'text/plain; charset=utf-8', { status: errors }),
  ],
  'errors-labelled-as-problems': [
    'Errors are labeled application/problem+json.',
    setHeader('content-type', 'application/problem+json', { status: errors }),
  ],
  'list-labelled-as-html': [
    "Lists are labeled text/html: the framework's default.",
    setHeader('content-type', 'text/html; charset=utf-8', { operation: 'listPets', status: 200 }),
  ],
  'created-animal-labelled-as-json-api': [
    'Created animals are labeled application/vnd.api+json.',
    setHeader('content-type', 'application/vnd.api+json', { operation: 'createPet', status: 201 }),
  ],
  'animal-without-content-type': [
    'GET /pets/{petId} returns 200 without a Content-Type.',
    removeHeaders(['content-type'], { operation: 'getPet', status: 200 }),
  ],
  'orders-401-as-plain-text': [
    'Only the 401 of GET /store/orders is labeled text/plain.',
    setHeader('content-type', 'text/plain', { operation: 'listOrders', status: 401 }),
  ],
  'list-with-byte-order-mark': [
    'Lists start with a byte order mark (RFC 8259, 8.1).',
    rewriteJson({ operation: 'listPets', status: 200 }, (text) => `\uFEFF${text}`),
    { companions: unreadable.list },
  ],
  'list-with-hijacking-prefix': [
    "Lists start with )]}', a guard against script inclusion.",
    rewriteJson({ operation: 'listPets', status: 200 }, (text) => `)]}',\n${text}`),
    { companions: unreadable.list },
  ],
  // A single line is JSON of another shape.
  'filtered-list-as-json-lines': [
    'With a status, a list has one object on each line.',
    rewriteJson(
      { operation: 'listPets', status: 200, when: (_reply, { url }) => url.searchParams.has('status') },
      (text, body) => (Array.isArray(body) ? `${body.map(stringifyJson).join('\n')}\n` : text),
    ),
    { companions: [...unreadable.list, 'GEN-3'] },
  ],
  'animal-in-single-quotes': [
    'GET /pets/{petId} prints single quotes, like a dict of Python.',
    rewriteJson({ operation: 'getPet', status: 200 }, (text) => text.replaceAll('"', "'")),
    { companions: unreadable.animal },
  ],
  'list-with-trailing-comma': [
    'Lists of two animals or more end with a comma: the JSON is concatenated by hand.',
    rewriteJson({ operation: 'listPets', status: 200 }, (text, body) =>
      Array.isArray(body) && body.length > 1 ? text.replace(/]$/, ',]') : text,
    ),
    { companions: unreadable.list },
  ],
  'long-list-cut-short': [
    'A buffer of 2,048 bytes cuts long lists.',
    rewriteJson({ operation: 'listPets', status: 200 }, (text) => Buffer.from(text).subarray(0, 2048)),
    { companions: unreadable.list },
  ],
  'animals-in-latin-1': [
    'Bodies are encoded in Latin-1: letters beyond ASCII are not UTF-8.',
    rewriteJson({ status: [200, 201] }, (text) => Buffer.from(text, 'latin1')),
    { companions: [...unreadable.list, ...unreadable.creation, ...unreadable.animal] },
  ],
  'quotes-in-names-not-escaped': [
    'The JSON is concatenated by hand: a quotation mark in a name ends the string.',
    rewriteJson({ status: [200, 201] }, (text, body) =>
      Array.isArray(body) || isJsonObject(body) ? text.replaceAll('\\"', '"') : text,
    ),
    { companions: [...unreadable.list, ...unreadable.creation, ...unreadable.animal] },
  ],
});
