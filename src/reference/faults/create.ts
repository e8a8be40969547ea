import type { Fault, Patch } from '../patch.ts';
import { compose, counter, handle, replace, withState } from '../patch-kit/core.ts';
import { refusePet, respondToPet, sentPet } from '../patch-kit/creations.ts';
import {
  editFields,
  editJson,
  errorReply,
  internalError,
  mergeReply,
  setStatus,
} from '../patch-kit/responses.ts';
import { createBodyFaults } from './create-bodies.ts';
import { createChunkFaults } from './create-chunks.ts';
import { createDigitFaults } from './create-digits.ts';
import { createEmptyFaults } from './create-empty.ts';
import { createIdFaults } from './create-ids.ts';
import { createLenientFaults } from './create-lenient.ts';
import { createMissingFaults } from './create-missing.ts';
import { createNameFaults } from './create-names.ts';
import { createRefusedFaults } from './create-refused.ts';
import { createSpellingFaults } from './create-spelling.ts';
import { createStatusFaults } from './create-status.ts';
import { createTwinFaults } from './create-twins.ts';
import { createValueFaults } from './create-values.ts';
import { family } from './family.ts';

const created = { operation: 'createPet', status: 201 } as const;

/** Reads only one piece of a body that arrives in several. */
const readingOnePiece = (index: 0 | -1): Patch =>
  replace('readBody', () => async ({ body }) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of body ?? []) pieces.push(piece);
    return { ok: true, bytes: pieces.at(index) ?? new Uint8Array() };
  });

/** CREATE-1: a valid NewPet gets 201 with the Pet. */
const createAnswerFaults: readonly Fault[] = family('CREATE-1', {
  'only-the-first-piece-of-a-body-read': [
    'Only the first piece of a body is read, so that it is not JSON.',
    readingOnePiece(0),
    { companions: ['GEN-5'] },
  ],
  'only-the-last-piece-of-a-body-read': [
    'Only the last piece of a body is read, so that it is not JSON.',
    readingOnePiece(-1),
    { companions: ['GEN-5'] },
  ],
  'pending-refused': [
    'A creation with the status pending gets 400.',
    refusePet(({ status }) => status === 'pending'),
  ],
  'short-names-refused': [
    'Names of one or two characters are refused.',
    refusePet(({ name }) => name.length < 3),
  ],
  'names-with-a-leading-hyphen-refused': [
    'A name must begin with a letter or a digit: others are refused.',
    refusePet(({ name }) => name.startsWith('-')),
  ],
  'names-past-thirty-eight-refused': [
    'Names of more than 38 characters are refused.',
    refusePet(({ name }) => name.length > 38),
  ],
  'names-of-forty-refused': [
    'The maximum of 40 characters is exclusive: such names are refused.',
    refusePet(({ name }) => name.length >= 40),
  ],
  'spaces-in-names-refused': [
    'Names with an inner space are refused.',
    refusePet(({ name }) => /\S \S/.test(name)),
  ],
  'full-after-fifty': [
    'The server refuses every creation from the 51st on.',
    withState(() => {
      const creations = counter();
      return refusePet(() => creations() > 50);
    }),
  ],
  'status-required': [
    'The optional status is required.',
    replace('violations', (before) => (body) => {
      const found = before(body);
      const complete = typeof body === 'object' && body !== null && 'status' in body;
      return complete ? found : [...found, 'status is required'];
    }),
  ],
  'created-with-200': [
    'A creation gets 200 instead of 201.',
    setStatus(200, created),
    { companions: ['GEN-1', 'CREATE-2', 'CREATE-9', 'CREATE-10'] },
  ],
  'created-with-202': [
    'The creation of a sold animal gets 202.',
    handle('createPet', async (call, before) => {
      const pet = await sentPet(call);
      const reply = await before(call);
      return pet?.status === 'sold' ? { ...reply, status: 202 } : reply;
    }),
    { companions: ['GEN-1', 'CREATE-2', 'CREATE-9', 'CREATE-10'] },
  ],
  'created-without-a-body': [
    'The 201 has an empty body and a Location header.',
    mergeReply(created, { headers: { location: '/v1/pets' }, body: null }),
    { companions: ['GEN-2'] },
  ],
  'created-in-an-envelope': [
    'The created animal is wrapped: {"data": …}.',
    editJson(created, (data) => ({ data })),
    { companions: ['GEN-3', 'CREATE-2', 'CREATE-3', 'CREATE-10'] },
  ],
  'created-as-an-array': [
    'The 201 is an array of one animal.',
    editJson(created, (pet) => [pet]),
    { companions: ['GEN-3', 'CREATE-2', 'CREATE-3', 'CREATE-10'] },
  ],
  'created-without-its-category': [
    'The 201 omits categoryId.',
    editFields(created, () => ({ categoryId: undefined })),
    { companions: ['GEN-3', 'CREATE-2'] },
  ],
  'taken-name-fails': [
    'Names are unique in the database, whose error is not caught: the second creation gets 500.',
    respondToPet(({ name }, { state }) => state.pets.some((pet) => pet.name === name), internalError),
    { requirement: 'GEN-4', companions: ['CREATE-11'] },
  ],
  'creations-one-at-a-time': [
    'A creation gets 409 while another one is in progress.',
    withState(() => {
      let locked = false;
      return compose(
        handle('createPet', async (call, before) => {
          locked = true;
          await call.state.clock.sleep(5);
          const reply = await before(call);
          locked = false;
          return reply;
        }),
        respondToPet(() => locked, errorReply(409, 'locked')),
      );
    }),
    { companions: ['GEN-1', 'CREATE-2', 'CREATE-3', 'CREATE-9', 'CREATE-10'] },
  ],
});

/** Mistakes in adding animals. */
export const createFaults = [
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
