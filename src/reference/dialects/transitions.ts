import type { Patch } from '../patch.ts';
import { compose, counter, replace, wrap } from '../patch-kit/core.ts';
import { statusByDefault } from '../patch-kit/creations.ts';
import { replacePet, whileSeeding } from '../patch-kit/store.ts';
import { changing, type StatusAt, soldAfter } from '../patch-kit/transitions.ts';
import { type Pet, type PetStatus, petStatuses } from '../pet.ts';
import { choices } from './choices.ts';

/** Changes one animal after every nth request, so that a change may come between any two requests. */
const changingOne = (every: number, pick: (pets: readonly Pet[], turn: number) => Pet | undefined): Patch =>
  whileSeeding(() => {
    const requests = counter();
    return wrap(async (call, next) => {
      const reply = await next();
      const count = requests();
      const pet = count % every === 0 ? pick(call.state.pets, count / every) : undefined;
      if (pet !== undefined) replacePet(call.state, { ...pet, status: following(pet.status) });
      return reply;
    });
  });

const following = (status: PetStatus | undefined): PetStatus | undefined =>
  petStatuses[(petStatuses.indexOf(status ?? 'sold') + 1) % petStatuses.length];

/** Each animal gets its next status after this many milliseconds. */
const roundEvery =
  (ms: number): StatusAt =>
  ({ status }, age) => {
    const first = status === undefined ? petStatuses.length - 1 : petStatuses.indexOf(status);
    return age < ms ? status : petStatuses[(first + Math.floor(age / ms)) % petStatuses.length];
  };

/** A number from 0 up to 1 that differs between animals, in no order. */
const shareOf = ({ id }: Pet): number => Number(BigInt.asUintN(32, id * 2_654_435_761n)) / 2 ** 32;

/** Reserves the first animal of a list of available ones. */
const reservedByLists: Patch = replace('select', (before) => (pets, query, call) => {
  const page = before(pets, query, call);
  const [first] = page;
  if (first !== undefined && query.status === 'available')
    replacePet(call.state, { ...first, status: 'pending' });
  return page;
});

/** Status changes without a request (GET-7), but not directly after the creation. */
export const transitionDialects = choices('transitions', {
  'sold-after-400-ms': ['Every animal is sold 400 ms after its creation.', changing(soldAfter(400))],
  'sold-after-two-seconds': ['Every animal is sold 2 s after its creation.', changing(soldAfter(2_000))],
  'sold-at-any-time': [
    'Every animal is sold between 300 ms and 8 s after its creation.',
    changing((pet, age) => (age >= 300 + 7_700 * shareOf(pet) ? 'sold' : pet.status)),
  ],
  'every-third-animal-sold': [
    'Every third animal is sold 500 ms after its creation.',
    changing((pet, age) => (age >= 500 && pet.id % 3n === 0n ? 'sold' : pet.status)),
  ],
  'reserved-then-sold': [
    'An available animal is pending after 300 ms, and sold after 3 s.',
    changing((pet, age) => {
      if (pet.status !== 'available' || age < 300) return pet.status;
      return age < 3_000 ? 'pending' : 'sold';
    }),
  ],
  'sold-animals-come-back': [
    'A sold animal is available again after 700 ms.',
    changing((pet, age) => (pet.status === 'sold' && age >= 700 ? 'available' : pet.status)),
  ],
  'status-set-later': [
    'An animal created without a status gets one after 600 ms.',
    compose(
      statusByDefault(() => undefined),
      changing(({ status }, age) => (status === undefined && age >= 600 ? 'available' : status)),
    ),
  ],
  'status-goes-round-slowly': [
    'Every animal changes to the next status every 900 ms.',
    changing(roundEvery(900)),
  ],
  'status-goes-round-fast': [
    'Every animal changes to the next status every 300 ms.',
    changing(roundEvery(300)),
  ],
  'status-of-the-oldest-changes': [
    'After every second request one animal, from the oldest on, changes to the next status.',
    changingOne(2, (pets, turn) => pets[turn % Math.max(1, pets.length - 40)]),
  ],
  'first-listed-is-reserved': [
    'A list of available animals reserves the first: it becomes pending.',
    reservedByLists,
  ],
});
