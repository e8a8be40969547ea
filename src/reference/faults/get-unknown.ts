import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, replace } from '../patch-kit/core.ts';
import { crashWhen, failWith } from '../patch-kit/failures.ts';
import { int64IdOf } from '../patch-kit/paths.ts';
import { htmlPage, mergeReply } from '../patch-kit/responses.ts';
import { findInstead, idsBeyond } from '../patch-kit/store.ts';
import type { Reply } from '../reply.ts';
import { family } from './family.ts';

/** Changes the 404 for an unknown id. */
const notFoundAs = (
  changes: Partial<Reply> | ((reply: Reply, call: Call) => Partial<Reply>),
  isMeant: (id: bigint) => boolean = () => true,
): Patch => {
  const when = (_reply: Reply, call: Call): boolean => {
    const id = int64IdOf(call);
    return id !== null && isMeant(id);
  };
  return mergeReply({ operation: 'getPet', status: 404, when }, changes);
};

const page = { companions: ['ERR-1', 'GEN-2'] };
const crash = { companions: ['GEN-1', 'GEN-4'] };

/** Mistakes with an id that is unknown. */
export const getUnknownIdFaults = family('GET-2', {
  'unknown-id-answered-with-null': [
    'An unknown id gets 200 with null.',
    notFoundAs({ status: 200, body: { json: null } }),
    { companions: ['GEN-3', 'GET-1'] },
  ],
  'unknown-id-answered-with-204': [
    'An unknown id gets 204 No Content.',
    notFoundAs({ status: 204, body: null }),
    { companions: ['GEN-1'] },
  ],
  'unknown-id-answered-with-400': [
    'An unknown id gets 400 with an Error.',
    notFoundAs((_reply, call) => call.parts.fail('invalid-parameter', call)),
    { companions: ['GEN-1'] },
  ],
  'unknown-id-answered-with-a-page': [
    "An unknown id gets 404 with the framework's HTML page.",
    notFoundAs(htmlPage(404, 'Not Found')),
    page,
  ],
  'unknown-id-answered-without-a-body': [
    'An unknown id gets 404 with an empty body.',
    notFoundAs({ body: null }),
    page,
  ],
  'unknown-id-fails': [
    'The server reads the fields of an animal that it did not find: 500.',
    notFoundAs(() => failWith('crash')),
    crash,
  ],
  'unknown-id-beyond-int32-fails': [
    'An unknown id beyond 32 bits is out of range for its column: 500.',
    crashWhen('getPet', (call) => {
      const id = int64IdOf(call);
      return id !== null && id !== BigInt.asIntN(32, id);
    }),
    crash,
  ],
  'large-unknown-id-fails-with-a-full-limit': [
    'An unknown id beyond 2^40 gets 500 from a separate handler, which shows an unused limit.',
    notFoundAs(
      ({ headers }) => ({
        status: 500,
        headers: { 'x-ratelimit-remaining': headers['x-ratelimit-limit'] ?? '' },
        body: htmlPage(500, 'Internal Server Error').body,
      }),
      (id) => id > 2n ** 40n,
    ),
    { requirement: 'GEN-4', companions: ['GEN-1', 'GET-2'] },
  ],
  'id-behind-the-newest-fails': [
    'A table bound is off by one: the id after the newest reads beyond its end, 500.',
    crashWhen('getPet', (call) => int64IdOf(call) === call.state.lastId + 1n),
    { requirement: 'GEN-4', companions: ['GEN-1', 'GET-2'] },
  ],
  'id-behind-the-newest-returns-the-newest': [
    'The id after the newest returns the newest animal.',
    replace(
      'find',
      (before) => (id, state) => (id === state.lastId + 1n ? state.pets.at(-1) : before(id, state)),
    ),
  ],
  'unknown-id-returns-the-nearest': [
    'An unknown id returns the nearest animal: the search does not compare the id it found.',
    replace('find', (before) => async (id, state) => {
      const found = await before(id, state);
      return found ?? state.pets.findLast((pet) => pet.id <= id) ?? state.pets[0];
    }),
  ],
  'unknown-ids-cut-to-32-bits': [
    'The server cuts ids to 32 bits: 2^32 + 1 returns animal 1.',
    findInstead((id) => BigInt.asIntN(32, id)),
  ],
  'large-ids-cut-to-32-bits': [
    'Ids start at a million, and getPet cuts them to 32 bits.',
    compose(
      idsBeyond(1_000_000n),
      findInstead((id) => BigInt.asUintN(32, id)),
    ),
  ],
  'negative-ids-lose-their-sign': [
    'The server drops the sign of an id: -1 returns animal 1.',
    findInstead((id) => (id < 0n ? -id : id)),
  ],
  'id-zero-returns-the-newest': [
    'The id 0 is falsy, counts as missing, and returns the newest animal.',
    replace('find', (before) => (id, state) => (id === 0n ? state.pets.at(-1) : before(id, state))),
  ],
});
