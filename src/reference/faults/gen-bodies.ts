import { deflateRawSync } from 'node:zlib';
import { isJsonObject, type Json } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { Call } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { handle, perServer, together } from '../patches.ts';
import { bodyText, type Failure, failOn, htmlPage, sent } from './gen-answers.ts';

/** The name that a creation asks for; empty where it is no string. */
const nameIn = (body: Json | undefined): string =>
  isJsonObject(body) && typeof body.name === 'string' ? body.name : '';

const onCreation = (
  name: string,
  description: string,
  companions: readonly string[],
  when: (call: Call) => boolean | Promise<boolean>,
  failure?: Failure,
): Fault => failing(name, description, companions, failOn('createPet', when, failure));

/** A name that a server may refuse with 400, but not fail on. */
const onName = (
  name: string,
  description: string,
  when: (name: string) => boolean,
  failure?: Failure,
): Fault => onCreation(name, description, ['GEN-1'], async (call) => when(nameIn(await sent(call))), failure);

const onField = (
  name: string,
  description: string,
  companions: readonly string[],
  field: 'name' | 'categoryId' | 'status',
  when: (value: Json | undefined) => boolean,
): Fault =>
  onCreation(name, description, companions, async (call) => {
    const body = await sent(call);
    return isJsonObject(body) && when(body[field]);
  });

function failing(name: string, description: string, companions: readonly string[], patch: Patch): Fault {
  return { name, requirement: 'GEN-4', companions, description, patch };
}

/** A byte of UTF-8 that begins no character. */
const isWithinCharacter = (byte: number | undefined): boolean => byte !== undefined && byte >> 6 === 2;

const beyond = (value: Json | undefined, bits: number): boolean =>
  typeof value === 'bigint' && BigInt.asIntN(bits, value) !== value;

const brokenList = ['GEN-1', 'LIST-1', 'LIST-4', 'LIST-5', 'LIST-6', 'LIST-7', 'LIST-8', 'GET-1'];

/** A 500 in place of whatever a creation is to be answered with. */
const anyCreation = ['GEN-1', ...[1, 2, 3, 5, 6, 7, 9, 10].map((number) => `CREATE-${number}`)];

/** Mistakes with odd bodies: creations on which the server fails. */
export const bodyCrashFaults: readonly Fault[] = [
  onCreation(
    'blank-body-hangs',
    'A body of white space makes the parser wait for the text to begin.',
    ['CREATE-7'],
    async (call) => /^\s+$/.test(await bodyText(call)),
    'hang',
  ),
  onCreation(
    'unclosed-json-crashes',
    'A body that ends before its closing brace makes the parser read past the end: 500.',
    ['CREATE-7'],
    async (call) => /^\{[^}]*$/.test(await bodyText(call)),
  ),
  onCreation(
    'number-as-body-crashes',
    'A body that is a number has no members to look for: 500.',
    ['CREATE-7'],
    async (call) => ['bigint', 'number'].includes(typeof (await sent(call))),
  ),
  onCreation(
    'array-body-drops-the-connection',
    'A body that is an array ends the worker.',
    ['CREATE-7'],
    async (call) => Array.isArray(await sent(call)),
    'drop',
  ),
  onCreation(
    'deep-json-crashes',
    'The recursive JSON parser overflows its stack on deep nesting: 500.',
    ['CREATE-7'],
    async (call) => /\[{1000}/.test(await bodyText(call)),
  ),
  onCreation(
    'thousands-of-digits-crash',
    'A number of more than 4,300 digits makes the parser throw what nobody catches, as in Python: 500.',
    ['CREATE-6', 'CREATE-7'],
    async (call) => /\d{4301}/.test(await bodyText(call)),
  ),
  onCreation(
    'body-beyond-64-kib-crashes',
    'The buffer for the body has 64 KiB: beyond, 500.',
    ['GEN-1'],
    async (call) => (await bodyText(call)).length > 65_536,
  ),
  onCreation(
    'invalid-utf-8-crashes',
    'Bytes that are not UTF-8 make the decoder throw: 500.',
    ['CREATE-7'],
    async (call) => (await bodyText(call)).includes('\uFFFD'),
  ),
  onCreation(
    'repeated-member-crashes',
    'The JSON parser throws an exception of its own on a repeated name: 500.',
    ['CREATE-7'],
    async (call) => {
      const parsed = parseJson(await bodyText(call));
      return parsed.ok && parsed.duplicates.length > 0;
    },
  ),
  onCreation(
    'other-media-type-crashes',
    'Where the Content-Type is not JSON no body is parsed, and the handler reads from undefined: 500.',
    [],
    ({ request }) => !(request.headers.get('content-type') ?? '').includes('json'),
  ),
  onCreation(
    'operator-as-a-member-crashes',
    'Whatever is sent is stored, and the database takes no name of a member that begins with a dollar sign: 500.',
    [],
    async (call) => Object.keys(Object(await sent(call))).some((key) => key.startsWith('$')),
  ),
  onField(
    'object-as-name-crashes',
    'The name is trimmed before it is validated: an object has no trim, 500.',
    ['CREATE-6'],
    'name',
    (value) => typeof value === 'object',
  ),
  onField(
    'text-as-category-crashes',
    'categoryId reaches the database unvalidated, which refuses letters: 500.',
    ['CREATE-6'],
    'categoryId',
    (value) => typeof value === 'string',
  ),
  onField(
    'category-beyond-int64-crashes',
    'categoryId overflows the column of the database: 500.',
    ['CREATE-6'],
    'categoryId',
    (value) => beyond(value, 64),
  ),
  onField(
    'category-beyond-int32-crashes',
    'The column of categories has 32 bits: beyond 2^31 the database fails, 500.',
    ['GEN-1', 'CREATE-9', 'CREATE-6'],
    'categoryId',
    (value) => beyond(value, 32),
  ),
  onField(
    'missing-name-crashes',
    'The length of the name is looked at before whether there is one: 500.',
    ['CREATE-5'],
    'name',
    (value) => value === undefined,
  ),
  onName(
    'long-name-crashes',
    'The column of names holds 255 characters: beyond, 500.',
    (name) => name.length > 255,
  ),
  onName(
    'name-cut-within-a-character-crashes',
    'The log shows the first 64 bytes of a name, and a slice that ends within a character panics: 500.',
    (name) => isWithinCharacter(new TextEncoder().encode(name)[64]),
  ),
  onName(
    'emoji-in-name-crashes',
    'The database stores three bytes a character: an emoji is an error, 500.',
    (name) => /[\u{10000}-\u{10ffff}]/u.test(name),
  ),
  onName(
    'name-beyond-65535-crashes',
    'The column of names is a text of at most 65,535 bytes: beyond, 500.',
    (name) => name.length > 65_535,
  ),
  onName(
    'name-beyond-its-index-crashes',
    'Names are indexed, and an entry of the index holds 2,704 bytes, compressed: beyond, 500.',
    (name) => deflateRawSync(name).length > 2_704,
  ),
  onName('nul-in-name-crashes', 'The database refuses NUL in a text: 500.', (name) => name.includes('\0')),
  onName(
    'apostrophe-in-name-crashes',
    'The name is pasted into SQL: an apostrophe is a syntax error, 500.',
    (name) => name.includes("'"),
  ),
  onCreation(
    'name-of-a-property-crashes',
    'Animals are counted by name in a plain object: "constructor" is there already, 500.',
    ['GEN-1', 'CREATE-1'],
    async (call) => nameIn(await sent(call)) in Object.prototype,
  ),
  onName(
    'long-name-hangs',
    'A backtracking pattern checks the name: thousands of characters take it a minute.',
    (name) => name.length >= 1000,
    'hang',
  ),
  failing(
    'lone-surrogate-breaks-the-list',
    'A name with a lone surrogate is stored, and cannot be encoded: every list that holds it fails, 500.',
    brokenList,
    together(
      failOn('listPets', async ({ world }) => world.pets.some(({ name }) => !name.isWellFormed())),
      failOn('getPet', async ({ route, world }) =>
        world.pets.some(
          ({ id, name }) =>
            !name.isWellFormed() && route.operation === 'getPet' && route.petId === String(id),
        ),
      ),
    ),
  ),
  failing(
    'nul-in-name-breaks-the-list',
    'A name with NUL is stored, and the writer of lists refuses it: every list that holds it fails, 500.',
    brokenList,
    failOn('listPets', async ({ world }) => world.pets.some(({ name }) => name.includes('\0'))),
  ),
  failing(
    'creations-at-once-crash',
    'Two creations at the same time are a deadlock of the database: the second one gets 500.',
    anyCreation,
    perServer(() => {
      let locked = false;
      return handle('createPet', async (call, before) => {
        if (locked) return htmlPage(500, 'Internal Server Error');
        locked = true;
        await call.world.clock.sleep(5);
        try {
          return await before(call);
        } finally {
          locked = false;
        }
      });
    }),
  ),
  failing(
    'disk-full-after-fifty-creations',
    'From the fiftieth creation on there is no space left: 503.',
    anyCreation,
    perServer(() => {
      let accepted = 0;
      return together(
        handle('createPet', async (call, before) => {
          const reply = await before(call);
          if (reply.status === 201) accepted += 1;
          return reply;
        }),
        failOn('createPet', () => accepted >= 50, 'Service Unavailable'),
      );
    }),
  ),
];
