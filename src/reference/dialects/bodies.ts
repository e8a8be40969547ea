import { decodeBody } from '../../json/decode.ts';
import { parseJson } from '../../json/parse.ts';
import type { Patch } from '../patch.ts';
import { handle, replace } from '../patch-kit/core.ts';
import { jsonReply } from '../reply.ts';
import { independent } from './choices.ts';
import { tokensOf } from './json-text.ts';

/** Keeps a byte order mark, so that it is judged as before. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

const startsWithMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** The text with a number instead of each of these words, outside of strings. */
const withNumbers = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (token) =>
    token.startsWith('"') ? token : '0.5',
  );

/** The text without comments, and with the letter instead of an escape that is not in JSON. */
const withoutExtensions = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/.*$/gm, (token) =>
    token.startsWith('"') ? token.replaceAll(/(\\["\\/bfnrtu])|\\/g, '$1') : ' ',
  );

const isWrittenAsDecimal = (token: string): boolean => /^-?\d.*[.eE]/.test(token);

/** Changes the text of the body before it is read; a byte order mark stays. */
const reading = (read: (text: string) => string): Patch =>
  replace(
    'parseBody',
    (before) => (bytes, call) => before(encoder.encode(read(decoder.decode(bytes))), call),
  );

/** Refuses some texts with 400. */
const refusing = (when: (text: string) => boolean, message: string): Patch =>
  replace(
    'parseBody',
    (before) => (bytes, call) => (when(decoder.decode(bytes)) ? { ok: false, message } : before(bytes, call)),
  );

/** RFC 9112 6.3 allows that. */
const requireLength: Patch = handle('createPet', (call, before) => {
  if (!call.request.headers.has('transfer-encoding')) return before(call);
  const error = { ...call.parts.problems['invalid-body'], status: 411 };
  return jsonReply(411, call.parts.renderError(error, call));
});

/** Differences between JSON parsers in reading the body of a creation (CREATE-6, CREATE-7). */
export const bodyDialects = independent({
  'content-length-required': ['A creation in chunks gets 411, as RFC 9112 allows.', requireLength],
  'byte-order-mark-accepted': [
    'The server ignores a byte order mark before the body.',
    replace(
      'parseBody',
      (before) => (bytes, call) => before(startsWithMark(bytes) ? bytes.subarray(3) : bytes, call),
    ),
  ],
  'invalid-utf-8-replaced': ['The server reads bytes that are not UTF-8 as U+FFFD.', reading((text) => text)],
  'words-for-numbers-read': [
    "The server reads NaN and Infinity as fractions, like Python's json; no documented field accepts one.",
    reading(withNumbers),
  ],
  'comments-and-other-escapes-read': [
    "The server skips comments, and reads an unknown escape as its letter, like Ruby's json.",
    reading(withoutExtensions),
  ],
  'last-of-repeated-names': [
    'The server reads the last of repeated members.',
    replace('parseBody', (before) => (bytes, call) => {
      const read = before(bytes, call);
      const { text, problems } = decodeBody(bytes);
      const parsed = read.ok || problems.length > 0 ? read : parseJson(text);
      return parsed.ok ? { ok: true, value: parsed.value } : read;
    }),
  ],
  'deep-nesting-refused': [
    'Bodies nested deeper than 512 levels get 400, as in PHP.',
    refusing((text) => /(?:\[\s*){512}/.test(text), 'the body is nested too deep'),
  ],
  'decimals-refused': [
    'Integers written with a fraction or an exponent get 400.',
    refusing((text) => tokensOf(text).some(isWrittenAsDecimal), 'numbers must be written as plain integers'),
  ],
});
