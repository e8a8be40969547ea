import { deflateRawSync } from 'node:zlib';
import { isJsonObject, type Json } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import type { Patch } from '../patch.ts';
import { compose, handle, replace, withState } from '../patch-kit/core.ts';
import { hasText, sentLoosely } from '../patch-kit/creations.ts';
import { type Failure, failOn, failWith } from '../patch-kit/failures.ts';
import { petIdOf } from '../patch-kit/paths.ts';
import { internalError } from '../patch-kit/responses.ts';
import { family } from './family.ts';

/** The server fails on some creations, by their text, their JSON, a field, or their name. */
const crash = {
  text: (when: (text: string) => boolean, failure?: Failure): Patch =>
    failOn('createPet', hasText(when), failure),
  body: (when: (body: Json | undefined) => boolean, failure?: Failure): Patch =>
    failOn('createPet', async (call) => when(await sentLoosely(call)), failure),
  field: (field: 'name' | 'categoryId', when: (value: Json | undefined) => boolean): Patch =>
    crash.body((body) => isJsonObject(body) && when(body[field])),
  name: (when: (name: string) => boolean, failure?: Failure): Patch =>
    crash.body((body) => when(isJsonObject(body) && typeof body.name === 'string' ? body.name : ''), failure),
};

/** A byte of UTF-8 that does not begin a character. */
const isWithinCharacter = (byte: number | undefined): boolean => byte !== undefined && byte >> 6 === 2;

const beyond = (value: Json | undefined, bits: number): boolean =>
  typeof value === 'bigint' && BigInt.asIntN(bits, value) !== value;

const hasLoneSurrogate = (body: Json): boolean =>
  Array.isArray(body) &&
  body.some((pet) => isJsonObject(pet) && typeof pet.name === 'string' && !pet.name.isWellFormed());

const brokenList = ['GEN-1', 'LIST-1', 'LIST-4', 'LIST-5', 'LIST-6', 'LIST-7', 'LIST-8', 'GET-1'];

/** Any creation can fail. */
const anyCreation = ['GEN-1', ...[1, 2, 3, 5, 6, 7, 9, 10].map((number) => `CREATE-${number}`)];

const bodyTextFaults = family(
  'GEN-4',
  {
    'blank-body-hangs': [
      'The parser waits for text in a body of white space.',
      crash.text((text) => /^\s+$/.test(text), 'hang'),
    ],
    'unclosed-json-crashes': [
      'The parser reads past the end of a body without its closing brace: 500.',
      crash.text((text) => /^\{[^}]*$/.test(text)),
    ],
    'number-as-body-crashes': [
      'The server reads the members of a body that is a number: 500.',
      crash.body((body) => ['bigint', 'number'].includes(typeof body)),
    ],
    'array-body-drops-the-connection': [
      'A body that is an array ends the worker.',
      crash.body(Array.isArray, 'drop'),
    ],
    'deep-json-crashes': [
      'Deep nesting overflows the stack of the recursive parser: 500.',
      crash.text((text) => /\[{1000}/.test(text)),
    ],
    'thousands-of-digits-crash': [
      'A number of more than 4,300 digits raises an uncaught exception, as in Python: 500.',
      crash.text((text) => /\d{4301}/.test(text)),
      { companions: ['CREATE-6', 'CREATE-7'] },
    ],
    'body-beyond-64-kib-crashes': [
      'A body of more than 64 KiB overflows its buffer: 500.',
      crash.text((text) => text.length > 65_536),
      { companions: ['GEN-1'] },
    ],
    'invalid-utf-8-crashes': [
      'The decoder throws on bytes that are not UTF-8: 500.',
      crash.text((text) => text.includes('\uFFFD')),
    ],
    'repeated-member-crashes': [
      'The parser throws an unexpected exception on a repeated name: 500.',
      crash.text((text) => {
        const parsed = parseJson(text);
        return parsed.ok && parsed.duplicates.length > 0;
      }),
    ],
  },
  { companions: ['CREATE-7'] },
);

const fieldFaults = family('GEN-4', {
  'other-media-type-crashes': [
    'The server parses no body if the Content-Type is not JSON, and reads from undefined: 500.',
    failOn('createPet', ({ request }) => !(request.headers.get('content-type') ?? '').includes('json')),
  ],
  'operator-as-a-member-crashes': [
    'The server stores all members, and the database refuses names that begin with a dollar sign: 500.',
    crash.body((body) => Object.keys(Object(body)).some((key) => key.startsWith('$'))),
  ],
  'object-as-name-crashes': [
    'The server trims the name before it validates it, and an object has no trim: 500.',
    crash.field('name', (value) => typeof value === 'object'),
    { companions: ['CREATE-6'] },
  ],
  'text-as-category-crashes': [
    'An unvalidated categoryId reaches the database, which refuses letters: 500.',
    crash.field('categoryId', (value) => typeof value === 'string'),
    { companions: ['CREATE-6'] },
  ],
  'category-beyond-int64-crashes': [
    'categoryId overflows its column: 500.',
    crash.field('categoryId', (value) => beyond(value, 64)),
    { companions: ['CREATE-6'] },
  ],
  'category-beyond-int32-crashes': [
    'A categoryId beyond 2^31 overflows its 32-bit column: 500.',
    crash.field('categoryId', (value) => beyond(value, 32)),
    { companions: ['GEN-1', 'CREATE-5', 'CREATE-6', 'CREATE-9'] },
  ],
  'missing-name-crashes': [
    'The server reads the length of a missing name: 500.',
    crash.field('name', (value) => value === undefined),
    { companions: ['CREATE-5'] },
  ],
});

/** A server may refuse such a name with 400, but not fail on it. */
const nameFaults = family(
  'GEN-4',
  {
    'long-name-crashes': [
      'A name of more than 255 characters overflows its column: 500.',
      crash.name((name) => name.length > 255),
    ],
    'name-cut-within-a-character-crashes': [
      'The log cuts a name after 64 bytes, and panics within a character: 500.',
      crash.name((name) => isWithinCharacter(new TextEncoder().encode(name)[64])),
    ],
    'emoji-in-name-crashes': [
      'The database stores three bytes for each character, and fails on an emoji: 500.',
      crash.name((name) => /[\u{10000}-\u{10ffff}]/u.test(name)),
    ],
    'name-beyond-65535-crashes': [
      'A name of more than 65,535 bytes overflows its column: 500.',
      crash.name((name) => name.length > 65_535),
    ],
    'name-beyond-its-index-crashes': [
      'A name of more than 2,704 compressed bytes overflows its index: 500.',
      crash.name((name) => deflateRawSync(name).length > 2_704),
    ],
    'nul-in-name-crashes': [
      'The database refuses NUL in a text: 500.',
      crash.name((name) => name.includes('\0')),
    ],
    'apostrophe-in-name-crashes': [
      'The server pastes the name into SQL: an apostrophe is a syntax error, 500.',
      crash.name((name) => name.includes("'")),
    ],
    'name-of-a-property-crashes': [
      'The server counts names in a plain object, which already has "constructor": 500.',
      crash.name((name) => name in Object.prototype),
      { companions: ['GEN-1', 'CREATE-1'] },
    ],
    'long-name-hangs': [
      'A backtracking pattern takes a minute for names of 1,000 characters.',
      crash.name((name) => name.length >= 1000, 'hang'),
    ],
  },
  { companions: ['GEN-1'] },
);

const laterFaults = family('GEN-4', {
  'lone-surrogate-breaks-a-page-with-the-newest': [
    'The oldest come first; a page that contains a name with a lone surrogate gets 500.',
    compose(
      replace(
        'order',
        () =>
          ({ pets }) =>
            pets,
      ),
      handle('listPets', async (call, before) => {
        const reply = await before(call);
        const isBroken = reply.body !== null && 'json' in reply.body && hasLoneSurrogate(reply.body.json);
        return isBroken ? internalError(call) : reply;
      }),
    ),
    { companions: brokenList },
  ],
  'lone-surrogate-breaks-the-list': [
    'The server stores a name with a lone surrogate, and cannot encode it: every list with it gets 500.',
    compose(
      failOn('listPets', ({ state }) => state.pets.some(({ name }) => !name.isWellFormed())),
      failOn('getPet', (call) =>
        call.state.pets.some(({ id, name }) => !name.isWellFormed() && petIdOf(call) === String(id)),
      ),
    ),
    { companions: brokenList },
  ],
  'nul-in-name-breaks-the-list': [
    'The server stores a name with NUL, and the writer of lists refuses it: every list with it gets 500.',
    failOn('listPets', ({ state }) => state.pets.some(({ name }) => name.includes('\0'))),
    { companions: brokenList },
  ],
  'creations-at-once-crash': [
    'Two concurrent creations deadlock the database: the second gets 500.',
    withState(() => {
      let isLocked = false;
      return handle('createPet', async (call, before) => {
        if (isLocked) return failWith('crash');
        isLocked = true;
        await call.state.clock.sleep(5);
        try {
          return await before(call);
        } finally {
          isLocked = false;
        }
      });
    }),
    { companions: anyCreation },
  ],
  'disk-full-after-fifty-creations': [
    'The disk is full after 50 creations: 503.',
    withState(() => {
      let accepted = 0;
      return compose(
        handle('createPet', async (call, before) => {
          const reply = await before(call);
          if (reply.status === 201) accepted += 1;
          return reply;
        }),
        failOn('createPet', () => accepted >= 50, 'unavailable'),
      );
    }),
    { companions: anyCreation },
  ],
});

/** Mistakes with unusual bodies: creations on which the server fails. */
export const bodyCrashFaults = [...bodyTextFaults, ...fieldFaults, ...nameFaults, ...laterFaults];
