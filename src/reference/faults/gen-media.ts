import { isJsonObject } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { Fault } from '../patch.ts';
import { removeHeaders, setHeader } from '../patches.ts';
import { rewrite } from './gen-answers.ts';

const errors = [400, 401, 404];
/** What an animal, or a list of them, that cannot be read breaches as well. */
const unreadable = {
  list: ['LIST-1', 'LIST-8'],
  creation: ['CREATE-1', 'CREATE-2'],
  animal: ['GET-1', 'GET-4'],
};

/** Mistakes in the label and the writing of bodies: what is no JSON, or does not say that it is. */
export const mediaFaults: readonly Fault[] = [
  {
    name: 'errors-labelled-as-plain-text',
    requirement: 'GEN-2',
    companions: [],
    description: 'Errors are JSON, labelled text/plain.',
    patch: setHeader('content-type', 'text/plain; charset=utf-8', { status: errors }),
  },
  {
    name: 'errors-labelled-as-problems',
    requirement: 'GEN-2',
    companions: [],
    description: 'Errors are labelled application/problem+json.',
    patch: setHeader('content-type', 'application/problem+json', { status: errors }),
  },
  {
    name: 'list-labelled-as-html',
    requirement: 'GEN-2',
    companions: [],
    description: "Lists are JSON, labelled text/html: the framework's default.",
    patch: setHeader('content-type', 'text/html; charset=utf-8', { operation: 'listPets', status: 200 }),
  },
  {
    name: 'created-animal-labelled-as-json-api',
    requirement: 'GEN-2',
    companions: [],
    description: 'Created animals are labelled application/vnd.api+json.',
    patch: setHeader('content-type', 'application/vnd.api+json', { operation: 'createPet', status: 201 }),
  },
  {
    name: 'animal-without-content-type',
    requirement: 'GEN-2',
    companions: [],
    description: 'GET /pets/{petId} answers 200 without a Content-Type.',
    patch: removeHeaders(['content-type'], { operation: 'getPet', status: 200 }),
  },
  {
    name: 'orders-401-as-plain-text',
    requirement: 'GEN-2',
    companions: [],
    description: 'The 401 of GET /store/orders alone is labelled text/plain.',
    patch: setHeader('content-type', 'text/plain', { operation: 'listOrders', status: 401 }),
  },
  {
    name: 'list-with-byte-order-mark',
    requirement: 'GEN-2',
    companions: unreadable.list,
    description: 'Lists start with a byte order mark (RFC 8259, 8.1).',
    patch: rewrite({ operation: 'listPets', status: 200 }, (text) => `\uFEFF${text}`),
  },
  {
    name: 'list-with-hijacking-prefix',
    requirement: 'GEN-2',
    companions: unreadable.list,
    description: "Lists start with )]}', as a guard against script inclusion.",
    patch: rewrite({ operation: 'listPets', status: 200 }, (text) => `)]}',\n${text}`),
  },
  {
    name: 'filtered-list-as-json-lines',
    requirement: 'GEN-2',
    // One line alone is JSON, of another shape.
    companions: [...unreadable.list, 'GEN-3'],
    description: 'With a status, a list is written as one object a line.',
    patch: rewrite(
      { operation: 'listPets', status: 200, when: (_reply, { url }) => url.searchParams.has('status') },
      (text, body) => (Array.isArray(body) ? `${body.map(stringifyJson).join('\n')}\n` : text),
    ),
  },
  {
    name: 'animal-in-single-quotes',
    requirement: 'GEN-2',
    companions: unreadable.animal,
    description: 'GET /pets/{petId} prints its record with single quotes, as Python shows a dict.',
    patch: rewrite({ operation: 'getPet', status: 200 }, (text) => text.replaceAll('"', "'")),
  },
  {
    name: 'list-with-trailing-comma',
    requirement: 'GEN-2',
    companions: unreadable.list,
    description: 'Lists are put together by hand, and end in a comma from two animals on.',
    patch: rewrite({ operation: 'listPets', status: 200 }, (text, body) =>
      Array.isArray(body) && body.length > 1 ? text.replace(/]$/, ',]') : text,
    ),
  },
  {
    name: 'long-list-cut-short',
    requirement: 'GEN-2',
    companions: unreadable.list,
    description: 'Lists go through a buffer of 2,048 bytes, and what is beyond is lost.',
    patch: rewrite({ operation: 'listPets', status: 200 }, (text) => Buffer.from(text).subarray(0, 2048)),
  },
  {
    name: 'animals-in-latin-1',
    requirement: 'GEN-2',
    companions: [...unreadable.list, ...unreadable.creation, ...unreadable.animal],
    description: 'Bodies are written in Latin-1, so that letters beyond ASCII are no UTF-8.',
    patch: rewrite({ status: [200, 201] }, (text) => Buffer.from(text, 'latin1')),
  },
  {
    name: 'quotes-in-names-not-escaped',
    requirement: 'GEN-2',
    companions: [...unreadable.list, ...unreadable.creation, ...unreadable.animal],
    description: 'JSON is put together by hand: a quotation mark in a name ends the string.',
    patch: rewrite({ status: [200, 201] }, (text, body) =>
      Array.isArray(body) || isJsonObject(body) ? text.replaceAll('\\"', '"') : text,
    ),
  },
];
