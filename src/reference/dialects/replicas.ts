import type { Call, World } from '../parts.ts';
import type { Dialect, Patch } from '../patch.ts';
import { around, handle, perServer, replace, together } from '../patches.ts';
import type { Pet } from '../pet.ts';
import type { Reply } from '../reply.ts';
import { whileSeeding } from './seeding.ts';

const lagMs = 1_500;

function* without(pets: Iterable<Pet>, isHidden: (pet: Pet) => boolean): Iterable<Pet> {
  for (const pet of pets) if (!isHidden(pet)) yield pet;
}

/** Reads from a copy to which animals come late; `list` and `one` tell whether this time the copy answers. */
const replica = (list: () => boolean, one: () => boolean): Patch =>
  whileSeeding((seeding) => {
    const insertedAt = new Map<bigint, number>();
    const isRecent = ({ id }: Pet, { clock }: World): boolean =>
      (insertedAt.get(id) ?? Number.NEGATIVE_INFINITY) > clock.now() - lagMs;
    return together(
      replace('insert', (before) => (pet, world) => {
        if (!seeding()) insertedAt.set(pet.id, world.clock.now());
        return before(pet, world);
      }),
      replace('order', (before) => (world) => {
        const pets = before(world);
        return list() ? without(pets, (pet) => isRecent(pet, world)) : pets;
      }),
      replace('find', (before) => async (id, world) => {
        const pet = await before(id, world);
        return pet && one() && isRecent(pet, world) ? undefined : pet;
      }),
    );
  });

/** Every other read is answered by the copy. */
const twoReplicas = perServer(() => {
  let reads = 0;
  const behind = (): boolean => {
    reads += 1;
    return reads % 2 === 1;
  };
  return replica(behind, behind);
});

const cacheMs = 1_000;

export const cachedLists = perServer(() => {
  const cache = new Map<string, { readonly until: number; readonly reply: Reply }>();
  return handle('listPets', async (call, before) => {
    const now = call.world.clock.now();
    const cached = cache.get(call.url.search);
    if (cached && now < cached.until) return cached.reply;
    const reply = await before(call);
    if (reply.status === 200) cache.set(call.url.search, { until: now + cacheMs, reply });
    return reply;
  });
});

/** Below the time-out by far, and no shorter than a client notices. */
const aWhile = ({ random }: World): number => 1_000 + Math.floor(random() * 2_000);

const slowWork = (isSlow: (call: Call) => boolean): Patch =>
  replace('settle', (before) => async (call) => {
    await before(call);
    if (isSlow(call)) await call.world.clock.sleep(aWhile(call.world));
  });

const lateAnswers = around(async (call, next) => {
  const reply = await next();
  await call.world.clock.sleep(aWhile(call.world));
  return reply;
});

const copy = (name: string, description: string, patch: Patch): Dialect => ({
  name,
  choice: 'replica',
  description,
  patch,
});
const speed = (name: string, description: string, patch: Patch): Dialect => ({
  name,
  choice: 'speed',
  description,
  patch,
});

const always = (): boolean => true;
const never = (): boolean => false;

/** Where answers come from, and how soon (LIST-8, GEN-4). */
export const replicaDialects: readonly Dialect[] = [
  copy('list-lags', 'Animals are listed a second and a half after their creation.', replica(always, never)),
  copy(
    'reads-lag',
    'Animals are listed and found a second and a half after their creation.',
    replica(always, always),
  ),
  copy('every-other-read-lags', 'One of two replicas is a second and a half behind.', twoReplicas),
  copy('lists-cached', 'A list is given again for a second.', cachedLists),
  speed('slow', 'Every operation takes one to three seconds.', slowWork(always)),
  speed(
    'slow-creations',
    'Adding an animal takes one to three seconds.',
    slowWork(({ route }) => route.operation === 'createPet'),
  ),
  speed('slow-network', 'Every answer is one to three seconds on its way.', lateAnswers),
];
