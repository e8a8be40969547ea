import type { Dialect, Patch } from '../patch.ts';
import { around, replace, together } from '../patches.ts';
import { type Pet, type PetStatus, petStatuses } from '../pet.ts';
import { change, changing, type StatusAt, soldAfter } from '../transitions.ts';
import { whileSeeding } from './seeding.ts';

/** Changes one animal after every so many requests: any two requests may lie before and after a change. */
const changingOne = (every: number, pick: (pets: readonly Pet[], turn: number) => Pet | undefined): Patch =>
  whileSeeding(() => {
    let requests = 0;
    return around(async (call, next) => {
      const reply = await next();
      requests += 1;
      const pet = requests % every === 0 ? pick(call.world.pets, requests / every) : undefined;
      if (pet !== undefined) change(call.world, { ...pet, status: following(pet.status) });
      return reply;
    });
  });

const following = (status: PetStatus | undefined): PetStatus | undefined =>
  petStatuses[(petStatuses.indexOf(status ?? 'sold') + 1) % petStatuses.length];

/** Each animal takes the next status whenever so many milliseconds have passed. */
const roundEvery =
  (ms: number): StatusAt =>
  ({ status }, age) => {
    const first = status === undefined ? petStatuses.length - 1 : petStatuses.indexOf(status);
    return age < ms ? status : petStatuses[(first + Math.floor(age / ms)) % petStatuses.length];
  };

/** A number from 0 up to 1 that differs between animals, in no order. */
const shareOf = ({ id }: Pet): number => Number(BigInt.asUintN(32, id * 2_654_435_761n)) / 2 ** 32;

/** A list of available animals reserves the first one for whoever reads it. */
const reservedByLists: Patch = replace('select', (before) => (pets, query, call) => {
  const page = before(pets, query, call);
  const [first] = page;
  if (first !== undefined && query.status === 'available')
    change(call.world, { ...first, status: 'pending' });
  return page;
});

const transition = (name: string, description: string, patch: Patch): Dialect => ({
  name,
  choice: 'transitions',
  description,
  patch,
});

/** How the status of an animal changes by itself (GET-7): later than right after its creation. */
export const transitionDialects: readonly Dialect[] = [
  transition(
    'sold-after-400-ms',
    'Every animal is sold 400 ms after its creation.',
    changing(soldAfter(400)),
  ),
  transition(
    'sold-after-two-seconds',
    'Every animal is sold 2 s after its creation.',
    changing(soldAfter(2_000)),
  ),
  transition(
    'sold-at-any-time',
    'Every animal is sold at a time of its own, from 300 ms to 8 s after its creation.',
    changing((pet, age) => (age >= 300 + 7_700 * shareOf(pet) ? 'sold' : pet.status)),
  ),
  transition(
    'every-third-animal-sold',
    'Every third animal is sold 500 ms after its creation.',
    changing((pet, age) => (age >= 500 && pet.id % 3n === 0n ? 'sold' : pet.status)),
  ),
  transition(
    'reserved-then-sold',
    'An available animal is pending after 300 ms, and sold after 3 s.',
    changing((pet, age) => {
      if (pet.status !== 'available' || age < 300) return pet.status;
      return age < 3_000 ? 'pending' : 'sold';
    }),
  ),
  transition(
    'sold-animals-come-back',
    'A sold animal is available again after 700 ms.',
    changing((pet, age) => (pet.status === 'sold' && age >= 700 ? 'available' : pet.status)),
  ),
  transition(
    'status-set-later',
    'An animal that is created without a status gets one after 600 ms.',
    together(
      replace('toNewPet', (before) => (body, call) => {
        const pet = before(body, call);
        const isOmitted = !Object.hasOwn(Object(body), 'status');
        return isOmitted ? { ...pet, status: undefined } : pet;
      }),
      changing(({ status }, age) => (status === undefined && age >= 600 ? 'available' : status)),
    ),
  ),
  transition(
    'status-goes-round-slowly',
    'Every animal takes the next status every 900 ms.',
    changing(roundEvery(900)),
  ),
  transition(
    'status-goes-round-fast',
    'Every animal takes the next status every 300 ms.',
    changing(roundEvery(300)),
  ),
  transition(
    'status-of-the-oldest-changes',
    'One after the other, from the oldest on, an animal takes the next status after every second request.',
    changingOne(2, (pets, turn) => pets[turn % Math.max(1, pets.length - 40)]),
  ),
  transition(
    'first-listed-is-reserved',
    'A list of available animals reserves the first one: it is pending from then on.',
    reservedByLists,
  ),
];
