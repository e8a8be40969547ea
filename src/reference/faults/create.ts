import type { Fault } from '../patch.ts';
import {
  editFields,
  editJson,
  editReply,
  handle,
  perServer,
  replace,
  setStatus,
  together,
} from '../patches.ts';
import { createBodyFaults } from './create-bodies.ts';
import { createChunkFaults } from './create-chunks.ts';
import { createDigitFaults } from './create-digits.ts';
import { createEmptyFaults } from './create-empty.ts';
import { createIdFaults } from './create-ids.ts';
import { createLenientFaults } from './create-lenient.ts';
import { createMissingFaults } from './create-missing.ts';
import { createNameFaults } from './create-names.ts';
import { internalError, problem, refuseValid, refuseValidAsInvalid, sentPet } from './create-patches.ts';
import { createRefusedFaults } from './create-refused.ts';
import { createSpellingFaults } from './create-spelling.ts';
import { createStatusFaults } from './create-status.ts';
import { createTwinFaults } from './create-twins.ts';
import { createValueFaults } from './create-values.ts';

const created = { operation: 'createPet', status: 201 } as const;

/** A valid creation that is refused with 400. */
const refused = (
  name: string,
  description: string,
  when: Parameters<typeof refuseValidAsInvalid>[0],
): Fault => ({
  name,
  requirement: 'CREATE-1',
  companions: [],
  description,
  patch: refuseValidAsInvalid(when),
});

/** Of a body that comes in several pieces one is read. */
const readingOnePiece = (which: 'first' | 'last'): Fault => ({
  name: `only-the-${which}-piece-of-a-body-read`,
  requirement: 'CREATE-1',
  companions: [],
  description: `Of a body that comes in several pieces only the ${which} one is read, so that it is no JSON.`,
  patch: replace('readBody', () => async ({ body }) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of body ?? []) pieces.push(piece);
    return { ok: true, bytes: pieces.at(which === 'first' ? 0 : -1) ?? new Uint8Array() };
  }),
});

/** CREATE-1: a valid NewPet gets 201 with the Pet. */
const createAnswerFaults: readonly Fault[] = [
  readingOnePiece('first'),
  readingOnePiece('last'),
  refused(
    'pending-refused',
    'A creation with the status pending is refused with 400.',
    ({ status }) => status === 'pending',
  ),
  refused(
    'short-names-refused',
    'Names of one or two characters are refused.',
    ({ name }) => name.length < 3,
  ),
  refused(
    'names-past-fifty-refused',
    'Names of more than 50 characters are refused.',
    ({ name }) => name.length > 50,
  ),
  refused(
    'names-of-sixty-four-refused',
    'Names must be shorter than 64 characters, where 64 is the most.',
    ({ name }) => name.length >= 64,
  ),
  refused('spaces-in-names-refused', 'Names with a space inside are refused.', ({ name }) =>
    /\S \S/.test(name),
  ),
  {
    ...refused('full-after-fifty', 'From the 51st creation on every animal is refused.', () => false),
    patch: perServer(() => {
      let accepted = 0;
      return refuseValidAsInvalid(() => {
        accepted += 1;
        return accepted > 50;
      });
    }),
  },
  {
    name: 'status-required',
    requirement: 'CREATE-1',
    companions: [],
    description: 'A creation without a status is refused: the optional field is required.',
    patch: replace('violations', (before) => (body) => {
      const found = before(body);
      const complete = typeof body === 'object' && body !== null && 'status' in body;
      return complete ? found : [...found, 'status is required'];
    }),
  },
  {
    name: 'created-with-200',
    requirement: 'CREATE-1',
    companions: ['GEN-1', 'CREATE-2', 'CREATE-9', 'CREATE-10'],
    description: 'A creation is answered with 200 in place of 201.',
    patch: setStatus(200, created),
  },
  {
    name: 'created-with-202',
    requirement: 'CREATE-1',
    companions: ['GEN-1', 'CREATE-2', 'CREATE-9', 'CREATE-10'],
    description: 'The creation of a sold animal is answered with 202, as if it were still to be done.',
    patch: handle('createPet', async (call, before) => {
      const pet = await sentPet(call);
      const reply = await before(call);
      return pet?.status === 'sold' ? { ...reply, status: 202 } : reply;
    }),
  },
  {
    name: 'created-without-a-body',
    requirement: 'CREATE-1',
    companions: ['GEN-2'],
    description: 'The 201 has an empty body: the animal is only named by Location.',
    patch: editReply(created, (reply) => ({
      ...reply,
      headers: { ...reply.headers, location: '/v1/pets' },
      body: null,
    })),
  },
  {
    name: 'created-in-an-envelope',
    requirement: 'CREATE-1',
    companions: ['GEN-3', 'CREATE-2', 'CREATE-3', 'CREATE-10'],
    description: 'The created animal stands inside an envelope: {"data": …}.',
    patch: editJson(created, (data) => ({ data })),
  },
  {
    name: 'created-as-an-array',
    requirement: 'CREATE-1',
    companions: ['GEN-3', 'CREATE-2', 'CREATE-3', 'CREATE-10'],
    description: 'The created animal is answered as an array of one.',
    patch: editJson(created, (pet) => [pet]),
  },
  {
    name: 'created-without-its-category',
    requirement: 'CREATE-1',
    companions: ['GEN-3', 'CREATE-2'],
    description: 'The 201 leaves out categoryId.',
    patch: editFields(created, () => ({ categoryId: undefined })),
  },
  {
    name: 'taken-name-fails',
    requirement: 'GEN-4',
    companions: ['CREATE-11'],
    description:
      'Names are unique in the database, and nobody catches its error: the second creation gets 500.',
    patch: refuseValid(({ name }, { world }) => world.pets.some((pet) => pet.name === name), internalError),
  },
  {
    name: 'creations-one-at-a-time',
    requirement: 'CREATE-1',
    companions: ['GEN-1', 'CREATE-2', 'CREATE-3', 'CREATE-9', 'CREATE-10'],
    description: 'A creation is refused with 409 while another one is under way.',
    patch: perServer(() => {
      let locked = false;
      return together(
        handle('createPet', async (call, before) => {
          locked = true;
          await call.world.clock.sleep(5);
          const reply = await before(call);
          locked = false;
          return reply;
        }),
        refuseValid(() => locked, problem(409, 'locked')),
      );
    }),
  },
];

/** Mistakes in adding animals. */
export const createFaults: readonly Fault[] = [
  ...createAnswerFaults,
  ...createEmptyFaults,
  ...createNameFaults,
  ...createIdFaults,
  ...createSpellingFaults,
  ...createStatusFaults,
  ...createMissingFaults,
  ...createValueFaults,
  ...createBodyFaults,
  ...createChunkFaults,
  ...createRefusedFaults,
  ...createDigitFaults,
  ...createLenientFaults,
  ...createTwinFaults,
];
