import type { ServerState } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { replace, withState } from '../patch-kit/core.ts';
import { choices } from './choices.ts';

/** `next` gets the number of ids assigned before. */
const counted = (next: (given: bigint, state: ServerState) => bigint): Patch =>
  withState(() => {
    let given = -1n;
    return replace('assignId', () => (_pet, state) => {
      given += 1n;
      return next(given, state);
    });
  });

const anyPositive = ({ random }: ServerState): bigint =>
  (BigInt(Math.floor(random() * 2 ** 31)) << 32n) | BigInt(Math.floor(random() * 2 ** 32));

const randomIds = withState(() => {
  const given = new Set<bigint>();
  return replace('assignId', () => (_pet, state) => {
    let id = anyPositive(state);
    while (given.has(id)) id -= 1n;
    given.add(id);
    return id;
  });
});

const sparse = replace('assignId', () => (_pet, state) => {
  state.lastId += 1n + BigInt(Math.floor(state.random() * 1_000));
  return state.lastId;
});

const snowflakeEpoch = Date.parse('2024-01-01T00:00:00Z');
const snowflake = (given: bigint, { clock }: ServerState): bigint =>
  (BigInt(Math.floor(clock.now()) - snowflakeEpoch) << 22n) | (given % (1n << 22n));

/** Choices about ids (CREATE-3). */
export const idDialects = choices('ids', {
  'ids-random': ['Ids are random numbers of 63 bits.', randomIds],
  'ids-sparse': ['Ids grow in steps of up to 1,000.', sparse],
  'ids-beyond-2-to-the-53': [
    'Ids start at 2^53 + 1: a double cannot tell neighbors apart.',
    counted((given) => 2n ** 53n + 1n + given),
  ],
  'ids-down-from-the-top': ['Ids count down from 2^63 - 1.', counted((given) => 2n ** 63n - 1n - given)],
  'ids-negative': ['Ids count down from -1.', counted((given) => -1n - given)],
  'ids-from-zero': ['The first id is 0.', counted((given) => given)],
  'ids-in-blocks': [
    'Two nodes assign ids in turn, each from its own block.',
    counted((given) => given / 2n + 1n + (given % 2n) * 1_000_000n),
  ],
  'ids-of-time': ['The upper bits of an id are the time of creation.', counted(snowflake)],
});
