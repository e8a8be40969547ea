import { isJsonObject } from '../../json/json.ts';
import type { Fault, Patch } from '../patch.ts';
import { handle, replace } from '../patches.ts';
import { problem } from './create-patches.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const refusal = problem(400, 'malformed_json');

/** Refuses creations by how their JSON is written. */
const refusing = (name: string, description: string, when: RegExp): Fault => ({
  name,
  requirement: 'CREATE-1',
  companions: [],
  description,
  patch: handle('createPet', async (call, before) => {
    const body = await call.body();
    return body.ok && when.test(decoder.decode(body.bytes)) ? refusal(call) : before(call);
  }),
});

/** Reads another text than the one that was sent. */
const reading = (read: (text: string) => string): Patch =>
  replace(
    'parseBody',
    (before) => (bytes, call) => before(encoder.encode(read(decoder.decode(bytes))), call),
  );

/** CREATE-1, CREATE-2: a NewPet is valid in whatever spelling JSON gives it, and the same animal in each. */
export const createSpellingFaults: readonly Fault[] = [
  refusing(
    'escaped-letters-refused',
    'A parser of its own knows no \\u escapes of letters.',
    /\\u00[46][0-9a-f]/i,
  ),
  refusing(
    'white-space-in-json-refused',
    'A parser of its own knows no white space but spaces between tokens.',
    /[{,:]\s*[\t\r\n]/,
  ),
  refusing(
    'order-of-members-assumed',
    'A parser of its own takes the name for the first member.',
    /^\s*\{\s*"(?:categoryId|status)"/,
  ),
  {
    name: 'escapes-kept-as-sent',
    requirement: 'CREATE-2',
    companions: ['CREATE-1'],
    description: 'Escapes of letters are kept as they were sent, backslash and all, in names of members too.',
    patch: reading((text) => text.replace(/\\(?=u00[46])/g, '\\\\')),
  },
  {
    name: 'escaped-pairs-misread',
    requirement: 'CREATE-2',
    companions: [],
    description: 'Each half of an emoji that is written with two escapes is taken for a broken character.',
    patch: reading((text) => text.replace(/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/gi, '\\ufffd\\ufffd')),
  },
  {
    name: 'escapes-cut-to-a-byte',
    requirement: 'CREATE-2',
    companions: [],
    description: 'Of the four digits of an escape the last two are kept.',
    patch: reading((text) => text.replace(/\\u(?!d[89a-f])[0-9a-f]{2}(?=[0-9a-f]{2})/gi, '\\u00')),
  },
  {
    name: 'escaped-names-missed',
    requirement: 'CREATE-1',
    companions: [],
    description:
      'Names of members are compared as they were sent: one with escapes is taken for another one.',
    patch: replace('parseBody', (before) => (bytes, call) => {
      const parsed = before(bytes, call);
      if (!parsed.ok || !isJsonObject(parsed.value) || !/\\u[0-9a-f]{4}"\s*:/i.test(decoder.decode(bytes)))
        return parsed;
      const { name: _missed, ...others } = parsed.value;
      return { ok: true, value: others };
    }),
  },
  {
    name: 'first-name-in-the-text-taken',
    requirement: 'CREATE-2',
    companions: [],
    description:
      'A parser of its own takes what stands behind the first "name" of the text, in whatever object.',
    patch: replace('parseBody', (before) => (bytes, call) => {
      const parsed = before(bytes, call);
      const [, first] = /"name"\s*:\s*"([^"\\]*)"/.exec(decoder.decode(bytes)) ?? [];
      return parsed.ok &&
        isJsonObject(parsed.value) &&
        typeof parsed.value.name === 'string' &&
        first !== undefined
        ? { ok: true, value: { ...parsed.value, name: first } }
        : parsed;
    }),
  },
];
