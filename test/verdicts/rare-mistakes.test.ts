import { expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../src/json/json.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { compose, handle, replace } from '../../src/reference/patch-kit/core.ts';
import { respondToObject, sentJson } from '../../src/reference/patch-kit/creations.ts';
import { admitting, authorization, isKeyless } from '../../src/reference/patch-kit/keys.ts';
import { limitOf, queryInstead, readGivenLimit } from '../../src/reference/patch-kit/lists.ts';
import { editReply, internalError } from '../../src/reference/patch-kit/responses.ts';
import { isInt64 } from '../../src/reference/pet.ts';
import { judgeOn } from '../support/paced-run.ts';
import { resultOf } from '../support/run-in-words.ts';

/** A creation with the id of an animal in a member updates the status or the category of that animal. */
const updatedBy = (member: string, changes: 'status' | 'categoryId' = 'status'): Patch =>
  handle('createPet', async (call, before) => {
    const body = await sentJson(call);
    const id = isJsonObject(body) ? body[member] : undefined;
    const { pets, petsById } = call.state;
    const known = isInt64(id) ? petsById.get(id) : undefined;
    if (known !== undefined && call.parts.violations(body).length === 0) {
      const changed = { ...known, [changes]: call.parts.toNewPet(body, call)[changes] };
      pets[pets.indexOf(known)] = changed;
      petsById.set(known.id, changed);
    }
    return before(call);
  });

const firstOfSeveral = (body: Json): Json =>
  Array.isArray(body) && body.length > 1 ? (body[0] ?? null) : body;

/** A mistake that only single requests of a full run show. */
interface Mistake {
  readonly mistake: string;
  readonly requirement: string;
  readonly patch: Patch;
  readonly seedPets?: number;
}

const mistakes: readonly Mistake[] = [
  {
    mistake: 'the first seven characters are cut, so Bearer:<key> passes',
    requirement: 'AUTH-3',
    patch: admitting((arrival, key) => /^Bearer.(.*)$/.exec(authorization(arrival) ?? '')?.[1] === key),
  },
  {
    mistake: 'X-Forwarded-For: 127.0.0.1 needs no key',
    requirement: 'AUTH-1',
    patch: admitting(
      (arrival) => isKeyless(arrival) && arrival.request.headers.get('x-forwarded-for') === '127.0.0.1',
    ),
  },
  {
    mistake: 'a member named hasOwnProperty causes a server error',
    requirement: 'GEN-4',
    patch: respondToObject((body) => Object.hasOwn(body, 'hasOwnProperty'), internalError),
  },
  {
    mistake: 'an id followed by a slug is read as the id',
    requirement: 'GET-3',
    patch: replace(
      'readPetId',
      (before) => (text) =>
        before(text) ?? (/^\d+-[a-z]+$/.test(text) ? BigInt(text.split('-')[0] ?? 0) : null),
    ),
  },
  {
    mistake: 'ids with a sign get 400, in a store larger than a page',
    requirement: 'GET-2',
    patch: editReply(
      { operation: 'getPet', status: 404, when: (_, { url }) => url.pathname.includes('/pets/-') },
      (reply) => ({ ...reply, status: 400 }),
    ),
    seedPets: 400,
  },
  { mistake: 'the id in a body updates the animal', requirement: 'CREATE-10', patch: updatedBy('id') },
  {
    mistake: 'the id in a body moves the animal to another category',
    requirement: 'CREATE-10',
    patch: updatedBy('id', 'categoryId'),
  },
  { mistake: 'the _id in a body updates the animal', requirement: 'CREATE-10', patch: updatedBy('_id') },
  {
    mistake: 'an array of NewPets creates the first one',
    requirement: 'CREATE-7',
    patch: compose(
      replace('violations', (before) => (body) => before(firstOfSeveral(body))),
      replace('toNewPet', (before) => (body, call) => before(firstOfSeveral(body), call)),
    ),
  },
  {
    mistake: 'a limit after a space has no bounds',
    requirement: 'LIST-5',
    patch: readGivenLimit((text, standard) => (/^ \d+$/.test(text) ? limitOf(Number(text)) : standard)),
    seedPets: 400,
  },
  {
    mistake: 'limit=0 with a status means no limit',
    requirement: 'LIST-5',
    patch: compose(
      readGivenLimit((text, standard) => (text === '0' ? limitOf(0) : standard)),
      queryInstead((query) =>
        query.limit === 0
          ? { ...query, limit: query.status === undefined ? 20 : Number.POSITIVE_INFINITY }
          : query,
      ),
    ),
    seedPets: 400,
  },
  {
    mistake: 'the status unknown is accepted, as the zero value of an enumeration',
    requirement: 'CREATE-6',
    patch: compose(
      replace(
        'violations',
        (before) => (body) =>
          isJsonObject(body) && body.status === 'unknown'
            ? before({ ...body, status: 'sold' })
            : before(body),
      ),
      replace(
        'toNewPet',
        (before) => (body, call) =>
          before(isJsonObject(body) && body.status === 'unknown' ? { ...body, status: 'sold' } : body, call),
      ),
    ),
  },
];

const verdictWith = async ({ requirement, patch, seedPets }: Omit<Mistake, 'mistake'>) => {
  const setup = { keys: ['business'], patch, ...(seedPets === undefined ? {} : { seedPets }) } as const;
  const { outcome } = await judgeOn(setup, { only: [requirement] }, { latencyMs: 2 });
  return resultOf(outcome, requirement)?.verdict;
};

test.each(mistakes)('$mistake -> $requirement fails', async (mistake) => {
  expect(await verdictWith({ ...mistake, patch: compose() })).toBe('passed');
  expect(await verdictWith(mistake)).toBe('failed');
});
