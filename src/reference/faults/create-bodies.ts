import { isUtf8 } from 'node:buffer';
import { isJsonObject, type Json } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { Call } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { handle, replace } from '../patches.ts';
import type { Reply } from '../reply.ts';
import { internalError, problem } from './create-patches.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A text that is no JSON is repaired in this way and read once more. */
export const repaired = (name: string, description: string, repair: (text: string) => string): Fault => ({
  name,
  requirement: 'CREATE-7',
  companions: [],
  description,
  patch: replace('parseBody', (before) => (bytes, call) => {
    const parsed = before(bytes, call);
    const text = decoder.decode(bytes);
    const mended = parsed.ok ? text : repair(text);
    return mended === text ? parsed : before(encoder.encode(mended), call);
  }),
});

/** JSON that is no object is read as this; undefined: as it is. */
const readAs = (name: string, description: string, read: (body: Json) => Json | undefined): Fault => ({
  name,
  requirement: 'CREATE-7',
  companions: [],
  description,
  patch: replace('parseBody', (before) => (bytes, call) => {
    const parsed = before(bytes, call);
    return parsed.ok && !isJsonObject(parsed.value)
      ? { ok: true, value: read(parsed.value) ?? parsed.value }
      : parsed;
  }),
});

/** Bytes that are not UTF-8 are not refused as an invalid body. */
const refusingNotUtf8 = (
  name: string,
  description: string,
  refuse: (call: Call) => Reply | Promise<Reply>,
): Fault => ({
  name,
  requirement: 'CREATE-7',
  companions: [],
  description,
  patch: handle('createPet', async (call, before) => {
    const body = await call.body();
    return body.ok && !isUtf8(body.bytes) ? refuse(call) : before(call);
  }),
});

const nameless = { name: '', categoryId: 0n };

/** The longest beginning that is JSON: what a streaming parser reads before it stops. */
const firstValue = (text: string): string => {
  for (let end = text.lastIndexOf('}'); end > 0; end = text.lastIndexOf('}', end - 1)) {
    const value = text.slice(0, end + 1);
    if (parseJson(value).ok) return value;
  }
  return text;
};

/** Answers that the body alone decides: `text` as UTF-8. */
const answered = (
  name: string,
  companions: readonly string[],
  description: string,
  when: (text: string) => boolean,
  answer: ReturnType<typeof problem>,
): Fault => ({
  name,
  requirement: 'CREATE-7',
  companions,
  description,
  patch: handle('createPet', async (call, before) => {
    const body = await call.body();
    return body.ok && when(decoder.decode(body.bytes)) ? answer(call) : before(call);
  }),
});

const isEmpty = (text: string): boolean => text.trim() === '';
const isMalformed = (text: string): boolean => !isEmpty(text) && !parseJson(text).ok;
const isJsonOf =
  (kind: (value: Json) => boolean) =>
  (text: string): boolean => {
    const parsed = parseJson(text);
    return parsed.ok && kind(parsed.value);
  };

/** CREATE-7: what is no JSON object is refused with 400. */
export const createBodyFaults: readonly Fault[] = [
  refusingNotUtf8(
    'body-not-utf-8-forbidden',
    'A firewall forbids a body that is not UTF-8: 403.',
    problem(403, 'forbidden'),
  ),
  refusingNotUtf8(
    'body-not-utf-8-unauthorized',
    'A body that is not UTF-8 gets 401, as if its signature were wrong.',
    (call) => call.parts.unauthenticated(call),
  ),
  readAs('first-of-an-array-created', 'Of an array the first animal is created.', (body) =>
    Array.isArray(body) ? body[0] : undefined,
  ),
  readAs(
    'array-of-the-values-passes',
    'What is derived to read the fields of an object reads them from an array as well, in their order.',
    (body) => {
      const [name, categoryId, status] = Array.isArray(body) ? body : [];
      return name === undefined || categoryId === undefined || status === undefined
        ? undefined
        : { name, categoryId, status };
    },
  ),
  readAs(
    'empty-array-passes',
    'An empty array passes for an object without fields, and those are not asked for.',
    (body) => (Array.isArray(body) && body.length === 0 ? nameless : undefined),
  ),
  readAs('null-body-passes', 'A body null skips the validation.', (body) =>
    body === null ? nameless : undefined,
  ),
  readAs('string-body-is-the-name', 'A body that is a string is taken for the name.', (body) =>
    typeof body === 'string' ? { ...nameless, name: body } : undefined,
  ),
  readAs(
    'scalar-body-passes',
    'A body that is a number or a boolean has no fields to judge, and passes.',
    (body) =>
      typeof body === 'bigint' || typeof body === 'number' || typeof body === 'boolean'
        ? nameless
        : undefined,
  ),
  repaired('empty-body-passes', 'An empty body skips the validation.', (text) =>
    text === '' ? '{"name":"","categoryId":0}' : text,
  ),
  repaired('trailing-comma-accepted', 'A trailing comma is accepted.', (text) =>
    text.replaceAll(/,(?=\s*[}\]])/g, ''),
  ),
  repaired('single-quotes-accepted', 'Single quotes are accepted for double ones.', (text) =>
    text.replaceAll("'", '"'),
  ),
  repaired('bare-names-accepted', 'Member names are accepted without quotes.', (text) =>
    text.replaceAll(/([{,]\s*)(\w+)\s*:/g, '$1"$2":'),
  ),
  repaired('empty-members-accepted', 'Nothing between two commas is skipped.', (text) =>
    text.replaceAll(/,(?=\s*,)/g, ''),
  ),
  repaired('any-bracket-closes', 'An object may end with the bracket of an array.', (text) =>
    text.replace(/]\s*$/, '}'),
  ),
  repaired(
    'escapes-of-other-digits-accepted',
    'Of the four digits of an escape those behind the first that is not hexadecimal are skipped.',
    (text) => text.replaceAll(/\\u([\da-f]+)[g-z]+/gi, (_escape, digits) => `\\u${digits.padStart(4, '0')}`),
  ),
  repaired('trailing-text-ignored', 'What follows the first JSON value is ignored.', firstValue),
  repaired('form-accepted', 'A body that is no JSON is read as a form.', (text) => {
    const { name = '', categoryId = '' } = Object.fromEntries(new URLSearchParams(text));
    return /^\d+$/.test(categoryId) ? `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}` : text;
  }),
  repaired('missing-end-added', 'A body that is cut short is closed.', (text) => `${text}}`),
  repaired(
    'line-breaks-in-strings-accepted',
    'Control characters in strings are accepted as they stand.',
    (text) => text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1)),
  ),
  answered(
    'null-body-crashes',
    ['GEN-4'],
    'A body null makes the server read a field of nothing: 500.',
    isJsonOf((value) => value === null),
    internalError,
  ),
  answered(
    'empty-body-crashes',
    ['GEN-4'],
    'An empty body makes the parser fail: 500.',
    isEmpty,
    internalError,
  ),
  answered(
    'malformed-json-crashes',
    ['GEN-4'],
    'The exception of the JSON parser is not caught: 500.',
    isMalformed,
    internalError,
  ),
  answered(
    'malformed-json-is-422',
    [],
    'Malformed JSON is refused with 422.',
    isMalformed,
    problem(422, 'unprocessable'),
  ),
  answered(
    'array-body-is-413',
    [],
    'An array is refused with 413, as a batch that is too large.',
    isJsonOf((value) => Array.isArray(value)),
    problem(413, 'batch_too_large'),
  ),
  answered(
    'empty-body-is-411',
    [],
    'An empty body is refused with 411.',
    isEmpty,
    problem(411, 'length_required'),
  ),
];
