import { isUtf8 } from 'node:buffer';
import { isJsonObject, type Json } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { handle, replace } from '../patch-kit/core.ts';
import { repairSent, respondToText } from '../patch-kit/creations.ts';
import { errorReply, internalError } from '../patch-kit/responses.ts';
import type { Reply } from '../reply.ts';
import { family } from './family.ts';

/** Reads JSON that is not an object as this; undefined: as it is. */
const readAs = (read: (body: Json) => Json | undefined): Patch =>
  replace('parseBody', (before) => (bytes, call) => {
    const parsed = before(bytes, call);
    return parsed.ok && !isJsonObject(parsed.value)
      ? { ok: true, value: read(parsed.value) ?? parsed.value }
      : parsed;
  });

/** Responds in another way to bodies that are not UTF-8. */
const respondToNotUtf8 = (respond: (call: Call) => Reply | Promise<Reply>): Patch =>
  handle('createPet', async (call, before) => {
    const body = await call.body();
    return body.ok && !isUtf8(body.bytes) ? respond(call) : before(call);
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

const isEmpty = (text: string): boolean => text.trim() === '';
const isMalformed = (text: string): boolean => !isEmpty(text) && !parseJson(text).ok;
const isJsonOf =
  (kind: (value: Json) => boolean) =>
  (text: string): boolean => {
    const parsed = parseJson(text);
    return parsed.ok && kind(parsed.value);
  };

/** CREATE-7: a body that is not a JSON object is refused with 400. */
export const createBodyFaults = family('CREATE-7', {
  'body-not-utf-8-forbidden': [
    'A firewall refuses a body that is not UTF-8 with 403.',
    respondToNotUtf8(errorReply(403, 'forbidden')),
  ],
  'body-not-utf-8-unauthorized': [
    'A body that is not UTF-8 gets 401, as if its signature were wrong.',
    respondToNotUtf8((call) => call.parts.unauthenticated(call)),
  ],
  'first-of-an-array-created': [
    'The server creates the first animal of an array.',
    readAs((body) => (Array.isArray(body) ? body[0] : undefined)),
  ],
  'array-of-the-values-passes': [
    'The generated reader accepts the fields as an array, in the order of the schema.',
    readAs((body) => {
      const [name, categoryId, status] = Array.isArray(body) ? body : [];
      return name === undefined || categoryId === undefined || status === undefined
        ? undefined
        : { name, categoryId, status };
    }),
  ],
  'empty-array-passes': [
    'An empty array passes as an object without fields, and the fields are not required.',
    readAs((body) => (Array.isArray(body) && body.length === 0 ? nameless : undefined)),
  ],
  'null-body-passes': [
    'A null body skips validation.',
    readAs((body) => (body === null ? nameless : undefined)),
  ],
  'string-body-is-the-name': [
    'A body that is a string becomes the name.',
    readAs((body) => (typeof body === 'string' ? { ...nameless, name: body } : undefined)),
  ],
  'scalar-body-passes': [
    'A body that is a number or a boolean has no fields to validate, and passes.',
    readAs((body) => (['bigint', 'number', 'boolean'].includes(typeof body) ? nameless : undefined)),
  ],
  'empty-body-passes': [
    'An empty body skips validation.',
    repairSent((text) => (text === '' ? '{"name":"","categoryId":0}' : text)),
  ],
  'trailing-comma-accepted': [
    'The parser accepts a trailing comma.',
    repairSent((text) => text.replaceAll(/,(?=\s*[}\]])/g, '')),
  ],
  'single-quotes-accepted': [
    'The parser accepts single quotes.',
    repairSent((text) => text.replaceAll("'", '"')),
  ],
  'bare-names-accepted': [
    'The parser accepts member names without quotes.',
    repairSent((text) => text.replaceAll(/([{,]\s*)(\w+)\s*:/g, '$1"$2":')),
  ],
  'empty-members-accepted': [
    'The parser skips an empty member between two commas.',
    repairSent((text) => text.replaceAll(/,(?=\s*,)/g, '')),
  ],
  'any-bracket-closes': [
    'The parser accepts the bracket of an array as the end of an object.',
    repairSent((text) => text.replace(/]\s*$/, '}')),
  ],
  'escapes-of-other-digits-accepted': [
    'The parser skips the digits of an escape from the first that is not hexadecimal.',
    repairSent((text) =>
      text.replaceAll(/\\u([\da-f]+)[g-z]+/gi, (_escape, digits) => `\\u${digits.padStart(4, '0')}`),
    ),
  ],
  'trailing-text-ignored': ['The parser ignores text after the first JSON value.', repairSent(firstValue)],
  'form-accepted': [
    'The server reads a body that is not JSON as a form.',
    repairSent((text) => {
      const { name = '', categoryId = '' } = Object.fromEntries(new URLSearchParams(text));
      return /^\d+$/.test(categoryId) ? `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}` : text;
    }),
  ],
  'missing-end-added': ['The parser closes a body that is cut short.', repairSent((text) => `${text}}`)],
  'line-breaks-in-strings-accepted': [
    'The parser accepts raw control characters in strings.',
    repairSent((text) => text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))),
  ],
  'null-body-crashes': [
    'The server reads a field of a null body: 500.',
    respondToText(
      isJsonOf((value) => value === null),
      internalError,
    ),
    { companions: ['GEN-4'] },
  ],
  'empty-body-crashes': [
    'The parser fails on an empty body: 500.',
    respondToText(isEmpty, internalError),
    { companions: ['GEN-4'] },
  ],
  'malformed-json-crashes': [
    'The server does not catch the exception of the JSON parser: 500.',
    respondToText(isMalformed, internalError),
    { companions: ['CREATE-6', 'GEN-4'] },
  ],
  'malformed-json-is-422': [
    'Malformed JSON gets 422.',
    respondToText(isMalformed, errorReply(422, 'unprocessable')),
    { companions: ['CREATE-6'] },
  ],
  'array-body-is-413': [
    'An array gets 413, as a batch that is too large.',
    respondToText(isJsonOf(Array.isArray), errorReply(413, 'batch_too_large')),
  ],
  'empty-body-is-411': [
    'An empty body gets 411.',
    respondToText(isEmpty, errorReply(411, 'length_required')),
  ],
});
