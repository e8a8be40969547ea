import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Patch } from '../patch.ts';
import { replace } from '../patch-kit/core.ts';
import { respondToText, rewriteSent } from '../patch-kit/creations.ts';
import { errorReply } from '../patch-kit/responses.ts';
import { mixed } from './family.ts';

const refusing = (form: RegExp): Patch =>
  respondToText((text) => form.test(text), errorReply(400, 'malformed_json'));

/** Reads an object by its text too. */
const readByText = (read: (body: JsonObject, text: string) => JsonObject): Patch => {
  const decoder = new TextDecoder();
  return replace('parseBody', (before) => (bytes, call) => {
    const parsed = before(bytes, call);
    if (!parsed.ok || !isJsonObject(parsed.value)) return parsed;
    return { ok: true, value: read(parsed.value, decoder.decode(bytes)) };
  });
};

/** CREATE-1, CREATE-2: a NewPet is valid in every spelling of JSON, and the same animal in each. */
export const createSpellingFaults = mixed({
  'escaped-letters-refused': [
    'CREATE-1',
    'The hand-written parser does not know \\u escapes of letters.',
    refusing(/\\u00[46][0-9a-f]/i),
  ],
  'white-space-in-json-refused': [
    'CREATE-1',
    'The hand-written parser accepts no white space but spaces between tokens.',
    refusing(/[{,:]\s*[\t\r\n]/),
  ],
  'order-of-members-assumed': [
    'CREATE-1',
    'The hand-written parser expects the name as the first member.',
    refusing(/^\s*\{\s*"(?:categoryId|status)"/),
  ],
  'escapes-kept-as-sent': [
    'CREATE-2',
    'The parser keeps escapes of letters with their backslash, in member names too.',
    rewriteSent((text) => text.replace(/\\(?=u00[46])/g, '\\\\')),
    { companions: ['CREATE-1'] },
  ],
  'escaped-pairs-misread': [
    'CREATE-2',
    'The parser replaces each half of an emoji that is written as two escapes.',
    rewriteSent((text) => text.replace(/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/gi, '\\ufffd\\ufffd')),
  ],
  'escapes-cut-to-a-byte': [
    'CREATE-2',
    'The parser keeps only the last two digits of an escape.',
    rewriteSent((text) => text.replace(/\\u(?!d[89a-f])[0-9a-f]{2}(?=[0-9a-f]{2})/gi, '\\u00')),
  ],
  'escaped-names-missed': [
    'CREATE-1',
    'The parser compares member names as sent: it does not find a name with escapes.',
    readByText((body, text) => {
      const { name: _missed, ...others } = body;
      return /\\u[0-9a-f]{4}"\s*:/i.test(text) ? others : body;
    }),
  ],
  'first-name-in-the-text-taken': [
    'CREATE-2',
    'The hand-written parser reads the first "name" of the text, in whatever object.',
    readByText((body, text) => {
      const [, first] = /"name"\s*:\s*"([^"\\]*)"/.exec(text) ?? [];
      return typeof body.name === 'string' && first !== undefined ? { ...body, name: first } : body;
    }),
  ],
});
