import type { Call, ServerState } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, counter, handle, replace, withState, wrap } from '../patch-kit/core.ts';
import { whileSeeding } from '../patch-kit/store.ts';
import type { Pet } from '../pet.ts';
import type { Reply } from '../reply.ts';
import { choices } from './choices.ts';

const lagMs = 1_500;

function* without(pets: Iterable<Pet>, isHidden: (pet: Pet) => boolean): Iterable<Pet> {
  for (const pet of pets) if (!isHidden(pet)) yield pet;
}

/** Reads from a copy that gets animals late; `list` and `one` return whether this read uses the copy. */
const replica = (list: () => boolean, one: () => boolean): Patch =>
  whileSeeding((seeding) => {
    const insertedAt = new Map<bigint, number>();
    const isRecent = ({ id }: Pet, { clock }: ServerState): boolean =>
      (insertedAt.get(id) ?? Number.NEGATIVE_INFINITY) > clock.now() - lagMs;
    return compose(
      replace('insert', (before) => (pet, state) => {
        if (!seeding()) insertedAt.set(pet.id, state.clock.now());
        return before(pet, state);
      }),
      replace('order', (before) => (state) => {
        const pets = before(state);
        return list() ? without(pets, (pet) => isRecent(pet, state)) : pets;
      }),
      replace('find', (before) => async (id, state) => {
        const pet = await before(id, state);
        return pet && one() && isRecent(pet, state) ? undefined : pet;
      }),
    );
  });

/** Every other read uses the copy. */
const twoReplicas = withState(() => {
  const reads = counter();
  const behind = (): boolean => reads() % 2 === 1;
  return replica(behind, behind);
});

const cacheMs = 1_000;

export const cachedLists = withState(() => {
  const cache = new Map<string, { readonly until: number; readonly reply: Reply }>();
  return handle('listPets', async (call, before) => {
    const now = call.state.clock.now();
    const cached = cache.get(call.url.search);
    if (cached && now < cached.until) return cached.reply;
    const reply = await before(call);
    if (reply.status === 200) cache.set(call.url.search, { until: now + cacheMs, reply });
    return reply;
  });
});

/** Far below the timeout, and long enough for a client to notice. */
const aWhile = ({ random }: ServerState): number => 1_000 + Math.floor(random() * 2_000);

const slowWork = (isSlow: (call: Call) => boolean): Patch =>
  replace('settle', (before) => async (call) => {
    await before(call);
    if (isSlow(call)) await call.state.clock.sleep(aWhile(call.state));
  });

const lateAnswers = wrap(async (call, next) => {
  const reply = await next();
  await call.state.clock.sleep(aWhile(call.state));
  return reply;
});

const always = (): boolean => true;
const never = (): boolean => false;

/** Where responses come from, and how fast (LIST-8, GEN-4). */
export const replicaDialects = [
  ...choices('replica', {
    'list-lags': ['Animals are listed 1.5 s after their creation.', replica(always, never)],
    'reads-lag': ['Animals are listed and found 1.5 s after their creation.', replica(always, always)],
    'every-other-read-lags': ['One of two replicas lags by 1.5 s.', twoReplicas],
    'lists-cached': ['Lists are cached for a second.', cachedLists],
  }),
  ...choices('speed', {
    slow: ['Every operation takes 1 to 3 s.', slowWork(always)],
    'slow-creations': [
      'A creation takes 1 to 3 s.',
      slowWork(({ route }) => route.operation === 'createPet'),
    ],
    'slow-network': ['Every response takes 1 to 3 s to arrive.', lateAnswers],
  }),
];
