import { decodeBody } from '../../json/decode.ts';
import { parseJson } from '../../json/parse.ts';
import type { Dialect, Patch } from '../patch.ts';
import { handle, replace } from '../patches.ts';
import { jsonReply } from '../reply.ts';
import { tokensOf } from './json-text.ts';

/** Keeps a byte order mark, so that it is judged as ever. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

const startsWithMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** The text with a number in the place of each of these words, outside of strings. */
const withNumbers = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (token) =>
    token.startsWith('"') ? token : '0.5',
  );

/** The text without its comments, and with the letter alone where JSON has no such escape. */
const withoutExtensions = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/.*$/gm, (token) =>
    token.startsWith('"') ? token.replaceAll(/(\\["\\/bfnrtu])|\\/g, '$1') : ' ',
  );

const isWrittenAsDecimal = (token: string): boolean => /^-?\d.*[.eE]/.test(token);

/** RFC 9112 6.3 allows that. */
const requireLength: Patch = handle('createPet', (call, before) => {
  if (!call.request.headers.has('transfer-encoding')) return before(call);
  const error = { ...call.parts.problems['invalid-body'], status: 411 };
  return jsonReply(411, call.parts.renderError(error, call));
});

/** How the body of a creation is read where readers of JSON differ (CREATE-6, CREATE-7). */
export const bodyDialects: readonly Dialect[] = [
  {
    name: 'content-length-required',
    description: 'A creation in chunks is refused with 411, as RFC 9112 allows.',
    patch: requireLength,
  },
  {
    name: 'byte-order-mark-accepted',
    description: 'A byte order mark before the body is ignored.',
    patch: replace(
      'parseBody',
      (before) => (bytes, call) => before(startsWithMark(bytes) ? bytes.subarray(3) : bytes, call),
    ),
  },
  {
    name: 'invalid-utf-8-replaced',
    description: 'Bytes that are no UTF-8 are read as U+FFFD.',
    patch: replace(
      'parseBody',
      (before) => (bytes, call) => before(encoder.encode(decoder.decode(bytes)), call),
    ),
  },
  {
    name: 'words-for-numbers-read',
    description:
      "NaN and Infinity are numbers with a fraction, as in Python's json: no field that the document knows takes one.",
    patch: replace(
      'parseBody',
      (before) => (bytes, call) => before(encoder.encode(withNumbers(decoder.decode(bytes))), call),
    ),
  },
  {
    name: 'comments-and-other-escapes-read',
    description:
      "Comments are skipped, and of an escape that JSON does not have the letter counts, as in Ruby's json.",
    patch: replace(
      'parseBody',
      (before) => (bytes, call) => before(encoder.encode(withoutExtensions(decoder.decode(bytes))), call),
    ),
  },
  {
    name: 'last-of-repeated-names',
    description: 'Of members with the same name the last one counts.',
    patch: replace('parseBody', (before) => (bytes, call) => {
      const read = before(bytes, call);
      const { text, problems } = decodeBody(bytes);
      const parsed = read.ok || problems.length > 0 ? read : parseJson(text);
      return parsed.ok ? { ok: true, value: parsed.value } : read;
    }),
  },
  {
    name: 'deep-nesting-refused',
    description: 'Bodies that are nested deeper than 512 levels are refused with 400, as in PHP.',
    patch: replace(
      'parseBody',
      (before) => (bytes, call) =>
        /(?:\[\s*){512}/.test(decoder.decode(bytes))
          ? { ok: false, message: 'the body is nested too deep' }
          : before(bytes, call),
    ),
  },
  {
    name: 'decimals-refused',
    description: 'Integers that are written with a fraction or an exponent are refused with 400.',
    patch: replace(
      'parseBody',
      (before) => (bytes, call) =>
        tokensOf(decoder.decode(bytes)).some(isWrittenAsDecimal)
          ? { ok: false, message: 'numbers must be written as plain integers' }
          : before(bytes, call),
    ),
  },
];
