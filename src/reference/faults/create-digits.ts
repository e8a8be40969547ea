import type { Json } from '../../json/json.ts';
import type { Fault } from '../patch.ts';
import { editPets } from '../patches.ts';
import { changeStored, shownEverywhere } from './create-patches.ts';

const safe = 2n ** 53n;
const throughDouble = (value: Json | undefined): Json | undefined =>
  typeof value === 'bigint' ? BigInt(Number(value)) : value;
const isUnsafe = (value: bigint): boolean => value > safe || value < -safe;

/** A categoryId that is stored as another one. */
const changed = (
  name: string,
  companions: readonly string[],
  description: string,
  change: (categoryId: bigint) => bigint,
): Fault => ({
  name,
  requirement: 'CREATE-9',
  companions,
  description,
  patch: changeStored((pet) => ({ categoryId: change(pet.categoryId) })),
});

/** Below 2^53 another category is a breach of the echo alone. */
const echo = ['CREATE-2'];

const shownThroughDouble = (operation: 'listPets' | 'createPet' | 'getPet') =>
  editPets({ operation }, ({ categoryId }) => ({ categoryId: throughDouble(categoryId) }));

/** CREATE-9: int64 is kept to the digit. */
export const createDigitFaults: readonly Fault[] = [
  changed(
    'category-through-a-double',
    [],
    'categoryId passes through a double: beyond 2^53 its last digits change.',
    (id) => BigInt(Number(id)),
  ),
  changed('negative-category-through-a-double', [], 'A negative categoryId passes through a double.', (id) =>
    id < 0n ? BigInt(Number(id)) : id,
  ),
  changed('category-of-fifteen-digits', echo, 'categoryId is written with 15 significant digits.', (id) =>
    BigInt(Number(Number(id).toPrecision(15))),
  ),
  changed('category-in-a-single', echo, 'categoryId passes through a float of 32 bits.', (id) =>
    BigInt(Math.fround(Number(id))),
  ),
  changed('category-wraps-at-32-bits', echo, 'categoryId is kept in 32 bits and wraps around.', (id) =>
    BigInt.asIntN(32, id),
  ),
  changed(
    'category-clamped-to-32-bits',
    echo,
    'categoryId is kept in 32 bits: what is larger becomes 2^31 - 1.',
    (id) => {
      const largest = 2n ** 31n - 1n;
      return id > largest ? largest : id < -largest - 1n ? -largest - 1n : id;
    },
  ),
  changed(
    'category-clamped-at-two-to-53',
    [],
    'categoryId stops at 2^53 - 1, the largest safe integer.',
    (id) => (id > safe ? safe - 1n : id),
  ),
  changed(
    'category-wraps-at-63-bits',
    [],
    'categoryId loses a bit to a tag: it wraps around from 2^62 on.',
    (id) => BigInt.asIntN(63, id),
  ),
  changed(
    'odd-categories-made-even',
    [],
    'Beyond 2^53 an odd categoryId becomes the even one below.',
    (id) => (isUnsafe(id) && id % 2n !== 0n ? id - 1n : id),
  ),
  {
    name: 'category-rounded-in-the-201-only',
    requirement: 'CREATE-9',
    companions: ['GEN-3', 'CREATE-1', 'GET-1', 'LIST-8'],
    description: 'The 201 shows categoryId through a double; the store keeps its digits.',
    patch: shownThroughDouble('createPet'),
  },
  {
    name: 'category-rounded-in-the-list-only',
    requirement: 'CREATE-9',
    companions: ['GEN-3', 'LIST-1', 'GET-1', 'LIST-8'],
    description: 'The list shows categoryId through a double; the 201 shows its digits.',
    patch: shownThroughDouble('listPets'),
  },
  {
    name: 'category-rounded-in-get-only',
    requirement: 'GET-1',
    companions: ['GEN-3', 'CREATE-9'],
    description: 'getPet shows categoryId through a double; the 201 and the list show its digits.',
    patch: shownThroughDouble('getPet'),
  },
  {
    name: 'large-categories-as-text',
    requirement: 'CREATE-9',
    companions: shownEverywhere,
    description: 'A categoryId beyond 2^53 is written as a string, to spare its digits.',
    patch: editPets({}, ({ categoryId }) => ({
      categoryId: typeof categoryId === 'bigint' && isUnsafe(categoryId) ? String(categoryId) : categoryId,
    })),
  },
  {
    name: 'category-rounded-without-a-status',
    requirement: 'CREATE-9',
    companions: [],
    description: 'Where the status is completed, the body goes through a map of doubles on the way.',
    patch: changeStored(({ categoryId }, { status }) => ({
      categoryId: status === undefined ? BigInt.asIntN(64, BigInt(Number(categoryId))) : categoryId,
    })),
  },
];
