import type { Call, World } from '../parts.ts';
import type { Dialect, Patch } from '../patch.ts';
import { around, perServer, replace, together } from '../patches.ts';
import { type Pet, petStatuses } from '../pet.ts';
import { cachedLists } from './replicas.ts';
import { whileSeeding } from './seeding.ts';

/** Changes the animals that stand in the store at first. */
const seededAs = (edit: (pet: Pet) => Partial<Pet>): Patch =>
  whileSeeding((seeding) =>
    replace('insert', (before) => (pet, world) => before(seeding() ? { ...pet, ...edit(pet) } : pet, world)),
  );

const hugeIds = whileSeeding((seeding) =>
  replace(
    'assignId',
    (before) => (pet, world) => (seeding() ? 2n ** 62n + BigInt(world.pets.length) : before(pet, world)),
  ),
);

/** The parts that ids are made of: which of four shards, and the number there. */
const idsOfParts = perServer(() => {
  let made = 0n;
  return replace('assignId', () => () => {
    made += 1n;
    return ((made % 4n) << 32n) | (made / 4n + 1n);
  });
});
const listedById: Patch = replace(
  'order',
  (before) => (world) => [...before(world)].sort((a, b) => (a.id < b.id ? -1 : 1)),
);

const oddNames = [
  '',
  ' ',
  'Zoë',
  '猫',
  '🐈‍⬛',
  'a/b\\c"d',
  '<b>',
  'x'.repeat(300),
  'null',
  '__proto__',
  'e\u0301',
];
const oddName = (id: bigint): string => oddNames[Number(BigInt.asUintN(32, id)) % oddNames.length] ?? '';

async function addVisitor({ parts, world }: Call, index: number): Promise<void> {
  const status = petStatuses[index % petStatuses.length];
  const pet = { name: `Visitor ${index}`, categoryId: 1n, status, extra: {} };
  await parts.insert({ ...pet, id: await parts.assignId(pet, world) }, world);
}

/** Another client creates an animal after every third request. */
const visited = perServer(() => {
  let requests = 0;
  return around(async (call, next) => {
    const reply = await next();
    requests += 1;
    if (requests % 3 === 0) await addVisitor(call, requests);
    return reply;
  });
});

const changedBy = (pet: Pet, turn: number): Pet => ({
  ...pet,
  name: `Tended ${turn}`,
  status: petStatuses[turn % petStatuses.length],
});

/** Another client, by other means, changes its animals in turn, and now and then removes one. */
const tended = whileSeeding((seeding) => {
  const theirs: bigint[] = [];
  let requests = 0;
  let turns = 0;
  const tend = ({ pets, petsById }: World): void => {
    turns += 1;
    const id = theirs.shift();
    const index = pets.findIndex((pet) => pet.id === id);
    const pet = pets[index];
    if (pet === undefined) return;
    petsById.delete(pet.id);
    if (turns % 40 === 0) return void pets.splice(index, 1);
    const changed = changedBy(pet, turns);
    pets[index] = changed;
    petsById.set(changed.id, changed);
    theirs.push(changed.id);
  };
  return together(
    replace('insert', (before) => (pet, world) => {
      if (seeding()) theirs.push(pet.id);
      return before(pet, world);
    }),
    around(async ({ world }, next) => {
      const reply = await next();
      requests += 1;
      if (requests % 2 === 0) tend(world);
      return reply;
    }),
  );
});

/** The first key has the store that is there at first, every other one a store of its own. */
const apart = perServer(() => {
  const worlds = new Map<string, World>();
  const worldOf = ({ grant, world }: Call): World => {
    if (grant === null || grant === world.keys[0]) return world;
    const known = worlds.get(grant.key) ?? { ...world, pets: [], petsById: new Map(), lastId: 0n };
    worlds.set(grant.key, known);
    return known;
  };
  return replace('respond', (before) => (call) => before({ ...call, world: worldOf(call) }));
});

const unchanged: Patch = () => ({});

const store = (name: string, seedPets: number, description: string, patch: Patch): Dialect => ({
  name,
  choice: 'store',
  seedPets,
  description,
  patch,
});

/** What stands in the store before anybody creates anything, and who else creates. */
export const storeDialects: readonly Dialect[] = [
  store('store-empty', 0, 'The store holds no animals at first.', unchanged),
  store('store-of-five', 5, 'The store holds five animals at first.', unchanged),
  store('store-of-a-page', 100, 'The store holds as many animals as the largest page.', unchanged),
  store('store-beyond-a-page', 150, 'The store holds more animals than the largest page.', unchanged),
  store('store-large', 1_000, 'The store holds a thousand animals at first.', unchanged),
  store('store-with-huge-ids', 30, 'The animals held at first have ids from 2^62 on.', hugeIds),
  store(
    'store-with-ids-of-parts',
    1_400,
    'An id is a shard, times 2^32, and a number in it; lists begin with the smallest.',
    together(idsOfParts, listedById),
  ),
  store(
    'store-all-sold',
    120,
    'All animals held at first are sold.',
    seededAs(() => ({ status: 'sold' })),
  ),
  store(
    'store-without-statuses',
    25,
    'The animals held at first have no status.',
    seededAs(() => ({ status: undefined })),
  ),
  store(
    'store-of-one-huge-category',
    25,
    'The animals held at first are of one category beyond 2^53.',
    seededAs(() => ({ categoryId: 2n ** 53n + 1n })),
  ),
  store(
    'store-with-odd-names',
    40,
    'The animals held at first have names that nobody would expect.',
    seededAs(({ id }) => ({ name: oddName(id) })),
  ),
  {
    name: 'store-busy',
    description: 'Other clients create an animal after every third request.',
    patch: visited,
  },
  {
    name: 'store-for-each-key',
    // A copy that knows no keys would show one of them the animals of another.
    choice: 'replica',
    needs: 'rate-limit-key',
    description: 'Each key has a store of its own, whose ids count up from 1.',
    patch: apart,
  },
  {
    name: 'store-tended',
    description: 'Other clients change and remove their animals by other means, all the time.',
    patch: tended,
  },
  {
    name: 'store-tended-behind-a-cache',
    choice: 'replica',
    description:
      'Other clients change and remove their animals all the time, and a list is given again for a second.',
    patch: together(tended, cachedLists),
  },
];
