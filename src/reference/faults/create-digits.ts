import type { Json } from '../../json/json.ts';
import type { Patch } from '../patch.ts';
import { changeStored } from '../patch-kit/creations.ts';
import { editPets } from '../patch-kit/responses.ts';
import { shownEverywhere } from './companions.ts';
import { family } from './family.ts';

const safe = 2n ** 53n;
const throughDouble = (value: Json | undefined): Json | undefined =>
  typeof value === 'bigint' ? BigInt(Number(value)) : value;
const isUnsafe = (value: bigint): boolean => value > safe || value < -safe;

/** A categoryId that is stored as another one. */
const changed = (change: (categoryId: bigint) => bigint): Patch =>
  changeStored((pet) => ({ categoryId: change(pet.categoryId) }));

/** Below 2^53, another category only breaks the echo. */
const echo = ['CREATE-2'];

const shownThroughDouble = (operation: 'listPets' | 'createPet' | 'getPet') =>
  editPets({ operation }, ({ categoryId }) => ({ categoryId: throughDouble(categoryId) }));

/** CREATE-9: int64 values keep full precision. */
export const createDigitFaults = family('CREATE-9', {
  'category-through-a-double': [
    'categoryId passes through a double: its last digits change beyond 2^53.',
    changed((id) => BigInt(Number(id))),
  ],
  'negative-category-through-a-double': [
    'A negative categoryId passes through a double.',
    changed((id) => (id < 0n ? BigInt(Number(id)) : id)),
  ],
  'category-of-fifteen-digits': [
    'categoryId is stored with 15 significant digits.',
    changed((id) => BigInt(Number(Number(id).toPrecision(15)))),
    { companions: echo },
  ],
  'category-in-a-single': [
    'categoryId passes through a 32-bit float.',
    changed((id) => BigInt(Math.fround(Number(id)))),
    { companions: echo },
  ],
  'category-wraps-at-32-bits': [
    'categoryId wraps around at 32 bits.',
    changed((id) => BigInt.asIntN(32, id)),
    { companions: echo },
  ],
  'category-clamped-to-32-bits': [
    'A categoryId beyond 32 bits becomes the nearest 32-bit integer.',
    changed((id) => {
      const largest = 2n ** 31n - 1n;
      return id > largest ? largest : id < -largest - 1n ? -largest - 1n : id;
    }),
    { companions: echo },
  ],
  'category-clamped-at-two-to-53': [
    'A categoryId beyond 2^53 becomes 2^53 - 1, the largest safe integer.',
    changed((id) => (id > safe ? safe - 1n : id)),
  ],
  'category-wraps-at-63-bits': [
    'categoryId loses a bit to a tag: it wraps around at 2^62.',
    changed((id) => BigInt.asIntN(63, id)),
  ],
  'odd-categories-made-even': [
    'An odd categoryId beyond 2^53 becomes the even one below.',
    changed((id) => (isUnsafe(id) && id % 2n !== 0n ? id - 1n : id)),
  ],
  'category-rounded-in-the-201-only': [
    'The 201 shows categoryId through a double; the store has the exact value.',
    shownThroughDouble('createPet'),
    { companions: ['GEN-3', 'CREATE-1', 'GET-1', 'LIST-8'] },
  ],
  'category-rounded-in-the-list-only': [
    'The list shows categoryId through a double; the 201 is exact.',
    shownThroughDouble('listPets'),
    { companions: ['GEN-3', 'LIST-1', 'GET-1', 'LIST-8'] },
  ],
  'category-rounded-in-get-only': [
    'getPet shows categoryId through a double; the 201 and the list are exact.',
    shownThroughDouble('getPet'),
    { requirement: 'GET-1', companions: ['GEN-3', 'CREATE-9'] },
  ],
  'large-categories-as-text': [
    'A categoryId beyond 2^53 is shown as a string.',
    editPets({}, ({ categoryId }) => ({
      categoryId: typeof categoryId === 'bigint' && isUnsafe(categoryId) ? String(categoryId) : categoryId,
    })),
    { companions: shownEverywhere },
  ],
  'category-rounded-without-a-status': [
    'The server adds a missing status through a map of doubles.',
    changeStored(({ categoryId }, { status }) => ({
      categoryId: status === undefined ? BigInt.asIntN(64, BigInt(Number(categoryId))) : categoryId,
    })),
  ],
});
