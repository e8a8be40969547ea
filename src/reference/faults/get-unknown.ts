import { isMalformed } from '../malformed-path.ts';
import type { Call } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { editReply, replace, together } from '../patches.ts';
import { isInt64 } from '../pet.ts';
import type { Reply } from '../reply.ts';
import { asciiDigits } from './digits.ts';
import { errorPage, failWhen } from './list-tools.ts';

const petIdOf = (call: Call): string => (call.route.operation === 'getPet' ? call.route.petId : '');

const isInt64Id = (call: Call): boolean => call.parts.readPetId(petIdOf(call)) !== null;

const decodes = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** Changes the 404 of getPet, headers aside, for ids of one kind. */
const answer404 = (kind: 'an int64' | 'no int64', edit: (call: Call) => Partial<Reply>) =>
  editReply(
    { operation: 'getPet', status: 404, when: (_reply, call) => isInt64Id(call) === (kind === 'an int64') },
    (reply, call) => {
      const edited = edit(call);
      return { ...reply, ...edited, headers: { ...reply.headers, ...edited.headers } };
    },
  );

const page = (status: number, title: string): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: { text: `<!doctype html><title>${title}</title><h1>${title}</h1>` },
});

const isBehindTheNewest = (call: Call): boolean =>
  call.parts.readPetId(petIdOf(call)) === call.world.lastId + 1n;

/** Ids count up from a million: 1 is none. */
const largeIds = replace(
  'assignId',
  (before) => async (pet, world) => (await before(pet, world)) + 1_000_000n,
);

/** Mistakes with an id that is unknown. */
export const getUnknownIdFaults: readonly Fault[] = [
  {
    name: 'unknown-id-answered-with-null',
    requirement: 'GET-2',
    companions: ['GEN-3', 'GET-1'],
    description: 'An unknown id gets 200 with null.',
    patch: answer404('an int64', () => ({ status: 200, body: { json: null } })),
  },
  {
    name: 'unknown-id-answered-with-204',
    requirement: 'GET-2',
    companions: ['GEN-1'],
    description: 'An unknown id gets 204 No Content.',
    patch: answer404('an int64', () => ({ status: 204, body: null })),
  },
  {
    name: 'unknown-id-answered-with-400',
    requirement: 'GET-2',
    companions: ['GEN-1'],
    description: 'An unknown id gets 400 with an Error.',
    patch: answer404('an int64', (call) => {
      const { status, body } = call.parts.fail('invalid-parameter', call);
      return { status, body };
    }),
  },
  {
    name: 'unknown-id-answered-with-a-page',
    requirement: 'GET-2',
    companions: ['ERR-1', 'GEN-2'],
    description: "An unknown id gets 404 with the framework's HTML page.",
    patch: answer404('an int64', () => page(404, 'Not Found')),
  },
  {
    name: 'unknown-id-answered-without-a-body',
    requirement: 'GET-2',
    companions: ['ERR-1', 'GEN-2'],
    description: 'An unknown id gets 404 with an empty body.',
    patch: answer404('an int64', () => ({ body: null })),
  },
  {
    name: 'unknown-id-fails',
    requirement: 'GET-2',
    companions: ['GEN-1', 'GEN-4'],
    description: 'Where no animal is found, its fields are read all the same: 500.',
    patch: answer404('an int64', () => errorPage),
  },
  {
    name: 'unknown-id-beyond-int32-fails',
    requirement: 'GET-2',
    companions: ['GEN-1', 'GEN-4'],
    description: 'An unknown id beyond 32 bits is out of range for the column: 500.',
    patch: failWhen('getPet', (call) => {
      const id = call.parts.readPetId(petIdOf(call));
      return id !== null && id !== BigInt.asIntN(32, id);
    }),
  },
  {
    name: 'large-unknown-id-fails-with-a-full-limit',
    requirement: 'GEN-4',
    companions: ['GEN-1', 'GET-2'],
    description:
      'An unknown id beyond 2^40 gets 500 from a handler of its own, which shows a limit that nobody has used.',
    patch: editReply(
      {
        operation: 'getPet',
        status: 404,
        when: (_reply, call) => (call.parts.readPetId(petIdOf(call)) ?? 0n) > 2n ** 40n,
      },
      (reply) => ({
        ...page(500, 'Internal Server Error'),
        headers: { ...reply.headers, 'x-ratelimit-remaining': reply.headers['x-ratelimit-limit'] ?? '' },
      }),
    ),
  },
  {
    name: 'id-behind-the-newest-fails',
    requirement: 'GEN-4',
    companions: ['GEN-1', 'GET-2'],
    description:
      'The bound of a table is off by one: the id behind the newest is read from beyond its end, 500.',
    patch: failWhen('getPet', isBehindTheNewest),
  },
  {
    name: 'id-behind-the-newest-returns-the-newest',
    requirement: 'GET-2',
    companions: [],
    description: 'The id behind the newest is answered with the newest animal.',
    patch: replace(
      'find',
      (before) => (id, world) => (id === world.lastId + 1n ? world.pets.at(-1) : before(id, world)),
    ),
  },
  {
    name: 'unknown-id-returns-the-nearest',
    requirement: 'GET-2',
    companions: [],
    description: 'An unknown id returns the nearest animal, as a search without an equality check does.',
    patch: replace('find', (before) => async (id, world) => {
      const found = await before(id, world);
      return found ?? world.pets.findLast((pet) => pet.id <= id) ?? world.pets[0];
    }),
  },
  {
    name: 'unknown-ids-cut-to-32-bits',
    requirement: 'GET-2',
    companions: [],
    description: 'Ids are cut to 32 bits: 2^32 + 1 returns the animal 1.',
    patch: replace('find', (before) => (id, world) => before(BigInt.asIntN(32, id), world)),
  },
  {
    name: 'large-ids-cut-to-32-bits',
    requirement: 'GET-2',
    companions: [],
    description: 'Ids count up from a million, and getPet cuts what is asked for to 32 bits.',
    patch: together(
      largeIds,
      replace('find', (before) => (id, world) => before(BigInt.asUintN(32, id), world)),
    ),
  },
  {
    name: 'negative-ids-lose-their-sign',
    requirement: 'GET-2',
    companions: [],
    description: 'The sign of an id is lost: -1 returns the animal 1.',
    patch: replace('find', (before) => (id, world) => before(id < 0n ? -id : id, world)),
  },
  {
    name: 'id-zero-returns-the-newest',
    requirement: 'GET-2',
    companions: [],
    description: 'The id 0 is falsy, counts as no id, and returns the newest animal.',
    patch: replace('find', (before) => (id, world) => (id === 0n ? world.pets.at(-1) : before(id, world))),
  },
];

/** Adds texts that are read as ids. */
const readAlso = (read: (text: string) => bigint | null) =>
  replace('readPetId', (before) => (text) => before(text) ?? read(text));

/** A store of large ids that also reads what this makes an int64 of. */
const largeIdReadAlso = (name: string, description: string, mend: (text: string) => string): Fault => ({
  name,
  requirement: 'GET-3',
  companions: [],
  description: `Ids count up from a million, and ${description}`,
  patch: together(
    largeIds,
    readAlso((text) => (/^\d+$/.test(mend(text)) ? BigInt(mend(text)) : null)),
  ),
});

/** Mistakes with a petId that is no int64. */
export const getInvalidIdFaults: readonly Fault[] = [
  {
    name: 'pet-id-read-by-parse-int',
    requirement: 'GET-3',
    companions: [],
    description: 'Of petId the leading digits count: 1abc and 1.5 return the animal 1.',
    patch: readAlso((text) => {
      const [digits] = /^\s*[-+]?\d+/.exec(text) ?? [];
      return digits === undefined ? null : BigInt(digits.trim().replace('+', ''));
    }),
  },
  {
    name: 'pet-id-coerced-to-a-number',
    requirement: 'GET-3',
    companions: [],
    description: 'petId is whatever Number() reads: 1e0, 0x1 and 1 with spaces return the animal 1.',
    patch: readAlso((text) => {
      const value = Number(text);
      return Number.isSafeInteger(value) ? BigInt(value) : null;
    }),
  },
  {
    name: 'pet-id-wraps-at-64-bits',
    requirement: 'GET-3',
    companions: [],
    description: 'A petId beyond int64 wraps around: 2^64 + 1 returns the animal 1.',
    patch: readAlso((text) => (/^-?\d+$/.test(text) ? BigInt.asIntN(64, BigInt(text)) : null)),
  },
  largeIdReadAlso(
    'pet-id-in-digits-of-any-script',
    'petId is whatever int() of Python reads: digits of any script, and underscores between them.',
    (text) => asciiDigits(text).replaceAll(/(?<=\d)_(?=\d)/g, ''),
  ),
  largeIdReadAlso(
    'pet-id-in-groups-of-digits',
    'petId may hold commas between its digits, as NumberStyles.Number of .NET has it.',
    (text) => text.replaceAll(/(?<=\d),/g, ''),
  ),
  {
    name: 'pet-id-checked-line-by-line',
    requirement: 'GET-3',
    companions: [],
    description:
      'The pattern for petId is held against each of its lines: 1, a line break, abc is the animal 1.',
    patch: readAlso((text) => (/^\d+$/m.test(text) ? BigInt(/\d+/.exec(text)?.[0] ?? 0) : null)),
  },
  {
    name: 'pet-id-beyond-int64-fails',
    requirement: 'GET-3',
    companions: ['GEN-4'],
    description: 'A petId of digits beyond int64 overflows: 500.',
    patch: failWhen('getPet', (call) => /^-?\d+$/.test(petIdOf(call)) && !isInt64(BigInt(petIdOf(call)))),
  },
  {
    name: 'pet-id-in-letters-fails',
    requirement: 'GET-3',
    companions: ['GEN-4'],
    description: 'A petId that is no number throws where it is converted: 500.',
    patch: failWhen('getPet', (call) => Number.isNaN(Number(petIdOf(call)))),
  },
  {
    name: 'malformed-path-fails',
    requirement: 'GET-3',
    companions: ['GEN-4'],
    description: 'A petId with a percent sign that encodes nothing throws in the router: 500.',
    patch: editReply({ status: 404, when: (_reply, call) => isMalformed(call.url.pathname) }, (reply) => ({
      ...errorPage,
      headers: { ...reply.headers, ...errorPage.headers },
    })),
  },
  {
    name: 'pet-id-refused-with-a-page',
    requirement: 'GET-3',
    companions: ['ERR-1', 'GEN-2'],
    description: "A petId that is no int64 gets 400 with the framework's HTML page.",
    patch: answer404('no int64', () => page(400, 'Bad Request')),
  },
  {
    name: 'pet-id-refused-with-a-detail',
    requirement: 'GET-3',
    companions: ['ERR-1', 'GEN-3'],
    description: 'A petId that is no int64 gets 404 with {"detail": …} in place of an Error.',
    patch: answer404('no int64', () => ({ body: { json: { detail: 'Not Found' } } })),
  },
  {
    name: 'pet-id-decoded-twice',
    requirement: 'GEN-4',
    companions: ['GET-3'],
    description: 'The framework decodes petId, and the handler does so again: 500 for a percent sign.',
    patch: failWhen('getPet', (call) => !decodes(petIdOf(call))),
  },
];
