import type { Call, ServerState } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, counter, replace, withState, wrap } from '../patch-kit/core.ts';
import { removePet, replacePet, whileSeeding } from '../patch-kit/store.ts';
import { type Pet, petStatuses } from '../pet.ts';
import { choices, independent } from './choices.ts';
import { cachedLists } from './replicas.ts';

/** Changes the animals of the initial store. */
const seededAs = (edit: (pet: Pet) => Partial<Pet>): Patch =>
  whileSeeding((seeding) =>
    replace('insert', (before) => (pet, state) => before(seeding() ? { ...pet, ...edit(pet) } : pet, state)),
  );

const hugeIds = whileSeeding((seeding) =>
  replace(
    'assignId',
    (before) => (pet, state) => (seeding() ? 2n ** 62n + BigInt(state.pets.length) : before(pet, state)),
  ),
);

/** The parts of an id: one of four shards, and a number within it. */
const idsOfParts = withState(() => {
  let made = 0n;
  return replace('assignId', () => () => {
    made += 1n;
    return ((made % 4n) << 32n) | (made / 4n + 1n);
  });
});
const listedById: Patch = replace(
  'order',
  (before) => (state) => [...before(state)].sort((a, b) => (a.id < b.id ? -1 : 1)),
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

async function addVisitor({ parts, state }: Call, index: number): Promise<void> {
  const status = petStatuses[index % petStatuses.length];
  const pet = { name: `Visitor ${index}`, categoryId: 1n, status, extra: {} };
  await parts.insert({ ...pet, id: await parts.assignId(pet, state) }, state);
}

/** Another client creates an animal after every third request. */
const visited = withState(() => {
  const requests = counter();
  return wrap(async (call, next) => {
    const reply = await next();
    const count = requests();
    if (count % 3 === 0) await addVisitor(call, count);
    return reply;
  });
});

const changedBy = (pet: Pet, turn: number): Pet => ({
  ...pet,
  name: `Tended ${turn}`,
  status: petStatuses[turn % petStatuses.length],
});

/** Another client changes its animals in turn without this API, and sometimes removes one. */
const tended = whileSeeding((seeding) => {
  const theirs: bigint[] = [];
  const requests = counter();
  const turns = counter();
  const tend = (state: ServerState): void => {
    const turn = turns();
    const id = theirs.shift();
    const pet = id === undefined ? undefined : state.petsById.get(id);
    if (pet === undefined) return;
    if (turn % 40 === 0) {
      removePet(state, pet.id);
      return;
    }
    replacePet(state, changedBy(pet, turn));
    theirs.push(pet.id);
  };
  return compose(
    replace('insert', (before) => (pet, state) => {
      if (seeding()) theirs.push(pet.id);
      return before(pet, state);
    }),
    wrap(async ({ state }, next) => {
      const reply = await next();
      if (requests() % 2 === 0) tend(state);
      return reply;
    }),
  );
});

/** The first key has the initial store, every other key a store of its own. */
const apart = withState(() => {
  const states = new Map<string, ServerState>();
  const stateOf = ({ grant, state }: Call): ServerState => {
    if (grant === null || grant === state.keys[0]) return state;
    const known = states.get(grant.key) ?? { ...state, pets: [], petsById: new Map(), lastId: 0n };
    states.set(grant.key, known);
    return known;
  };
  return replace('respond', (before) => (call) => before({ ...call, state: stateOf(call) }));
});

const unchanged: Patch = () => ({});

/** Choices about the first animals of the store, and about other clients. */
export const storeDialects = [
  ...choices(
    'store',
    {
      'store-empty': ['The store is empty at first.', unchanged, { seedPets: 0 }],
      'store-of-five': ['The store has 5 animals at first.', unchanged, { seedPets: 5 }],
      'store-of-a-page': [
        'The store has 100 animals at first, as many as the largest page.',
        unchanged,
        { seedPets: 100 },
      ],
      'store-beyond-a-page': [
        'The store has 150 animals at first, more than the largest page.',
        unchanged,
        { seedPets: 150 },
      ],
      'store-large': ['The store has 1,000 animals at first.', unchanged, { seedPets: 1_000 }],
      'store-with-huge-ids': ['The first animals have ids from 2^62 on.', hugeIds, { seedPets: 30 }],
      'store-with-ids-of-parts': [
        'An id is a shard, times 2^32, plus a number; lists begin with the smallest id.',
        compose(idsOfParts, listedById),
        { seedPets: 1_400 },
      ],
      'store-all-sold': [
        'All first animals are sold.',
        seededAs(() => ({ status: 'sold' })),
        { seedPets: 120 },
      ],
      'store-without-statuses': [
        'The first animals have no status.',
        seededAs(() => ({ status: undefined })),
      ],
      'store-of-one-huge-category': [
        'The first animals have one category beyond 2^53.',
        seededAs(() => ({ categoryId: 2n ** 53n + 1n })),
      ],
      'store-with-odd-names': [
        'The first animals have unusual names.',
        seededAs(({ id }) => ({ name: oddName(id) })),
        { seedPets: 40 },
      ],
    },
    { seedPets: 25 },
  ),
  ...independent({ 'store-busy': ['Other clients create an animal after every third request.', visited] }),
  ...choices('replica', {
    // A copy without keys would show the animals of one key to another.
    'store-for-each-key': [
      'Each key has its own store, with ids from 1.',
      apart,
      { needs: 'rate-limit-key' },
    ],
  }),
  ...independent({
    'store-tended': ['Other clients change and remove their animals by other means.', tended],
  }),
  ...choices('replica', {
    'store-tended-behind-a-cache': [
      'Other clients change and remove their animals, and lists are cached for a second.',
      compose(tended, cachedLists),
    ],
  }),
];
